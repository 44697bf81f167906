/** Files of exported rulesets. */
import { elements, member, type Placed, textOf } from '../../../../fleet/policy/wanted/placed.ts';
import type { EntryDraft, Format, OrganizationDraft } from '../model.ts';
import { rulesetItem, rulesetKeys, rulesetTable } from '../ruleset-files.ts';
import { noOrganization, placedAt } from '../source.ts';

export const rulesets: Format = {
  name: 'rulesets',
  source: 'Exported rulesets of organizations and repositories, as JSON',
  keys: [
    ...rulesetTable(''),
    ...rulesetKeys.map((key) => ({
      key,
      value: 'of a repository',
      policy: `repositories[*].rulesets[*].${key}`,
    })),
  ],
  read(files, { organization, repository, lose, refuse }) {
    const owned = files
      .flatMap(({ root }) => rulesetsIn(root))
      .flatMap((ruleset) => {
        const place = placeOf(ruleset);
        const { owner = organization } = place;
        const name = place.owner === undefined ? repository : place.name;
        if (!isRuleset(ruleset)) refuse(ruleset, 'is not a ruleset, which has a name, an enforcement and rules');
        else if (textOf(ruleset, 'source_type') === 'Enterprise')
          lose(ruleset, 'Policies have no rulesets of enterprises');
        else if (!sourceTypes.includes(member(ruleset, 'source_type')?.value))
          lose(ruleset, 'Policies have rulesets of organizations and repositories');
        else if (owner === undefined) refuse(ruleset, noOrganization);
        else if (organization !== undefined && organization.toLowerCase() !== owner.toLowerCase())
          refuse(ruleset, `is of ${owner}, not of --organization ${organization}`);
        else return [{ ruleset, owner, name }];
        return [];
      });
    const ofOrganizations = Map.groupBy(owned, ({ owner }) => owner);
    return [...ofOrganizations].map(([owner, own]): OrganizationDraft => {
      const ofRepositories = Map.groupBy(own, ({ name }) => name);
      const items = (ofRepositories.get(undefined) ?? []).map(({ ruleset }) => rulesetItem(ruleset, lose));
      const entries = [...ofRepositories].flatMap(([name, all]): EntryDraft[] => {
        const [first] = all;
        if (name === undefined || !first) return [];
        const head = ['select', placedAt({ names: [name] }, first.ruleset.place)] as const;
        return [{ head, isOverride: false, items: all.map(({ ruleset }) => rulesetItem(ruleset, lose)) }];
      });
      const { place } = (own[0] as (typeof own)[number]).ruleset;
      return { organization: owner, place, items, entries };
    });
  },
};

const isRuleset = (part: Placed): boolean =>
  textOf(part, 'name') !== undefined && ['enforcement', 'rules'].some((key) => member(part, key) !== undefined);

/** Owners of rulesets in policies. Sources without a type leave it to flags. */
const sourceTypes: readonly unknown[] = [undefined, null, 'Organization', 'Repository'];

/** Returns the rulesets of a file, which has one or a list of them. */
const rulesetsIn = (root: Placed): readonly Placed[] => (Array.isArray(root.value) ? elements(root) : [root]);

/** Returns the organization and the repository that a ruleset names as its source. */
function placeOf(ruleset: Placed): { readonly owner?: string; readonly name?: string } {
  const source = textOf(ruleset, 'source');
  const [, owner, name] = /^([^/]+)\/([^/]+)$/.exec(source ?? '') ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  return source !== undefined && textOf(ruleset, 'source_type') === 'Organization' ? { owner: source } : {};
}
