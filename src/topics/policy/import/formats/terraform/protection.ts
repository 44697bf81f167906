/** Readers of rulesets and classic protection. */
import { type Placed, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { terraformProtectionItems } from '../../protection/terraform.ts';
import { rulesetItem } from '../../ruleset-files.ts';
import type { Lose } from '../../source.ts';
import { isUnset } from './attributes.ts';
import { apiRuleset } from './rulesets.ts';
import type { Reader, Readers } from './state.ts';
import { readOnlyAttributes } from './table.ts';

const ruleset =
  (isOfRepository: boolean): Reader =>
  (state, attributes) => {
    const repository = isOfRepository ? state.repositoryOf(attributes.take('repository')?.value) : undefined;
    const members = [...attributes.all.parts].filter(([key, part]) => {
      attributes.take(String(key));
      return !isUnset(part) && !readOnlyAttributes.includes(String(key)) && !(isOfRepository && key === 'repository');
    });
    if (isOfRepository && repository === undefined) return;
    const lose: Lose = (part, reason) => state.lose(part, reason);
    const body = apiRuleset(withParts(attributes.all, members), (id) => state.teamOf(id)?.slug, lose);
    const { path, value } = rulesetItem(body, lose);
    if (repository === undefined) state.addToOrganization(path, value);
    else state.add(repository, path, value);
  };

function protection(repositoryKey: string, patternKey: string): Reader {
  return (state, attributes) => {
    const repository = state.repositoryOf(attributes.take(repositoryKey)?.value);
    const pattern = attributes.text(patternKey);
    const members = [...attributes.all.parts].filter(([key]) => {
      attributes.take(String(key));
      return ![repositoryKey, patternKey].includes(String(key)) && !readOnlyAttributes.includes(String(key));
    });
    if (repository === undefined || pattern === undefined) return;
    const block = withActors(withParts(attributes.all, members), (list) => state.named(list));
    const others = patternKey === 'pattern' ? state.otherPatterns(repository) : [];
    const items = terraformProtectionItems(pattern, block, others, (part, reason) => state.lose(part, reason));
    for (const { path, value } of items) state.add(repository, path, value);
    const name = attributes.take(patternKey);
    if (name && items.length === 0) state.lose(name, 'Nothing of the protection can be imported');
  };
}

const actorKeys = [
  'push_restrictions',
  'push_allowances',
  'force_push_bypassers',
  'dismissal_restrictions',
  'pull_request_bypassers',
];

/** Returns protection with other lists of actors. */
function withActors(part: Placed, named: (list: Placed) => Placed): Placed {
  const each = [...part.parts].map(([key, inner]): [string | number, Placed] => [
    key,
    actorKeys.includes(String(key)) && Array.isArray(inner.value) ? named(inner) : withActors(inner, named),
  ]);
  return part.parts.size > 0 ? withParts(part, each) : part;
}

export const protectionReaders: Readers = {
  github_organization_ruleset: ruleset(false),
  github_repository_ruleset: ruleset(true),
  github_branch_protection: protection('repository_id', 'pattern'),
  github_branch_protection_v3: protection('repository', 'branch'),
};
