/** What the values of a Terraform state are about. */
import { slugOfTeam } from '../../../../src/fleet/policy/kinds/people/team-names.ts';
import { asText } from '../../../../src/json/exact-json.ts';
import type { Leaf, Path } from './found.ts';
import { anything, at, hasNoEffect, type Json, rulesetsOf, type Subject, says } from './subjects.ts';

/** The state is around the attributes of its managed resources. */
const around: Subject = { key: '', holds: anything };

/** Names of rules and parameters that the provider calls otherwise. */
const renamed: Readonly<Record<string, string>> = {
  required_workflows: 'workflows',
  required_code_scanning: 'code_scanning',
  required_check: 'required_status_checks',
};

export function ofState(root: unknown, path: Path): Subject {
  const end = path.lastIndexOf('values');
  const resource = at(root, path.slice(0, end)) as Json | undefined;
  const attributes = at(root, path.slice(0, end + 1)) as Json;
  if (end < 2 || resource?.mode !== 'managed') return around;
  const value = at(root, path);
  const inner = path.slice(end + 1);
  const words = inner.filter((key) => typeof key === 'string');
  const type = asText(resource.type).replace(/_v3$/, '');
  const repository = repositoryOf(root, attributes.repository ?? attributes.repository_id ?? attributes.name);
  const isOfOrganization = /^github_(organization_|team$|membership|team_members)/.test(type);
  const key = `${words[0] === 'branch' ? asText(resource.type) : type}.${words.join('.')}`;
  const ofRepository = { key, repository: isOfOrganization ? undefined : repository };
  const last = words.at(-1) ?? '';
  if (value === '' || ['repository', 'repository_id', 'property_type', 'property_name', 'url'].includes(last))
    return around;
  if (['github_membership', 'github_team_membership', 'github_team_members'].includes(type)) {
    const person =
      type === 'github_team_members' && inner.length > 1 ? (at(root, path.slice(0, -1)) as Json) : attributes;
    const list = { admin: 'owners', maintainer: 'maintainers', member: 'members' }[asText(person.role)] ?? 'members';
    if (['role', 'username'].includes(last))
      return { key: '', holds: says(new RegExp(`${list}\\[\\]$`), person.username) };
    if (last === 'team_id') return { key: '', holds: says(/^teams\[.*\]\.name$/, teamOf(root, value)?.name) };
  }
  if (last === 'team_id')
    return {
      ...ofRepository,
      holds: (declared) =>
        declared.some(({ path: [each] }) => asText(each).endsWith(`access.teams.${teamOf(root, value)?.slug}`)),
    };
  if (last === 'parent_team_id') return { key: '', holds: says(/\.parent$/, teamOf(root, value)?.name) };
  if (words[0] === 'template')
    return {
      ...ofRepository,
      holds: (declared) =>
        value === false ||
        declared.some(
          (each) =>
            /create\.template$/.test(asText(each.path[0])) && asText(each.value).split('/').includes(asText(value)),
        ),
    };
  if (last === 'auto_init' && value === false) return around;
  if (type.endsWith('_ruleset')) return ofRuleset(actorIn(root, path), attributes, words, value, type, repository);
  if (words[0] === 'required_status_checks' && last === 'checks')
    return { ...ofRepository, holds: says(/required_status_checks\[\]\.context$/, asText(value).split(':')[0]) };
  if (type !== 'github_branch_protection') return ofRepository;
  const branch = asText(attributes.pattern ?? attributes.branch);
  const names = rulesetsOf(branch, words.join('.'));
  const named = knownTeam(root, value);
  const actors = named && /restrictions$|bypassers$|allowances$/.test(last);
  return {
    ...ofRepository,
    names,
    isIneffective: hasNoEffect(root, path, path.slice(0, end + 1)),
    ...(actors && { holds: says(/(bypass_actors|allowed_actors)\[.*\]/, `team:${named.slug}`) }),
  };
}

interface Named {
  readonly name: string;
  readonly slug: string;
}

/** Returns the values of all resources of a type. */
function valuesOf(root: unknown, type: string): readonly Json[] {
  const own = root as Json | null;
  if (typeof own !== 'object' || own === null) return [];
  const { values, mode } = own;
  if (own.type === type && typeof mode === 'string' && values) return [values as Json];
  return Object.values(own).flatMap((each) => valuesOf(each, type));
}

const idsOf = (values: Json): readonly string[] =>
  ['id', 'node_id', 'slug', 'repo_id', 'team_id', 'name'].map((key) => asText(values[key]));

/** Returns the team of an ID, if the state has it. */
function knownTeam(root: unknown, id: unknown): Named | undefined {
  const team = valuesOf(root, 'github_team').findLast(
    (values) => typeof values.name === 'string' && idsOf(values).includes(asText(id)),
  );
  if (!team) return undefined;
  const name = asText(team.name);
  return { name, slug: typeof team.slug === 'string' ? team.slug : slugOfTeam(name) };
}

/** Returns the team of an ID, or of a name that no team of the state has. */
const teamOf = (root: unknown, id: unknown): Named | undefined =>
  knownTeam(root, id) ?? (/^\d+$/.test(asText(id)) ? undefined : { name: asText(id), slug: slugOfTeam(asText(id)) });

function repositoryOf(root: unknown, id: unknown): string {
  const named = valuesOf(root, 'github_repository').findLast(
    (values) => typeof values.name === 'string' && idsOf(values).includes(asText(id)),
  );
  return named ? asText(named.name) : asText(id).replace(/^[^/]*\//, '');
}

/** Returns the team that an actor of a ruleset is. */
const actorIn = (root: unknown, path: Path): Named | undefined =>
  (at(root, path.slice(0, -1)) as Json).actor_type === 'Team' ? knownTeam(root, at(root, path)) : undefined;

function ofRuleset(
  named: Named | undefined,
  attributes: Json,
  words: readonly string[],
  value: unknown,
  type: string,
  owner: string,
): Subject {
  const repository = type === 'github_repository_ruleset' ? owner : undefined;
  const own = { key: `${type}.${words.join('.')}`, repository, names: [asText(attributes.name)] };
  const [section, rule = '', ...parameters] = words;
  const within = (end: string, wanted: unknown) => (declared: readonly Leaf[]) =>
    declared.some(
      ({ path: [each], value: found }) =>
        asText(each).includes(`[${asText(attributes.name)}].`) &&
        asText(each).endsWith(end) &&
        asText(found) === asText(wanted),
    );
  if (section === 'bypass_actors') {
    if (rule === 'actor_id')
      return { ...own, holds: value === 1 ? anything : within('actor_id', named ? `team:${named.slug}` : value) };
    return { ...own, holds: within(`.${rule}`, value) };
  }
  if (section !== 'rules') return own;
  const name = renamed[rule] ?? rule;
  if (rule === 'update_allows_fetch_and_merge') return { ...own, holds: within(rule, value) };
  if (parameters.length === 0)
    return { ...own, holds: (declared) => within(`rules[${name}].type`, name)(declared) === (value === true) };
  if (parameters.at(-1) === 'integration_id' && value === 0) return around;
  const end = parameters.map((each) => renamed[each] ?? each).join('[].');
  return {
    ...own,
    holds: (declared) =>
      within(`rules[${name}].parameters.${parameters.join('.')}[]`, value)(declared) ||
      within(`rules[${name}].parameters.${end}`, value)(declared) ||
      within(`rules[${name}].parameters.${end}[]`, value)(declared),
  };
}
