/** What the values of sources are about, by the documents: the row of the table, and who has the value in the policy. */
import { basename } from 'node:path';
import { slugOfTeam } from '../../../../src/fleet/policy/kinds/people/team-names.ts';
import { asText } from '../../../../src/json/exact-json.ts';
import { keyOf, type Leaf, type Path } from './found.ts';

export type Json = Readonly<Record<string, unknown>>;

export const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((each, key) => (each as Json | undefined)?.[key], value);

/** What a leaf is about: its key in the table, the repository and the object that have it. */
export interface Subject {
  readonly key: string;
  readonly repository?: string | undefined;
  readonly names?: readonly string[];
  /** Decides instead of the table. */
  readonly holds?: (declared: readonly Leaf[]) => boolean;
  /** True if a row of the table must say that the value has no effect. */
  readonly isIneffective?: boolean;
}

export const anything = () => true;

/** Returns whether a policy has a value at a path. */
export const says =
  (pattern: RegExp, ...wanted: readonly unknown[]) =>
  (declared: readonly Leaf[]): boolean =>
    declared.some(
      ({ path: [each], value }) =>
        pattern.test(asText(each)) && wanted.some((one) => asText(one).toLowerCase() === asText(value).toLowerCase()),
    );

/** Returns the names of the rulesets in which a key of classic protection may be. */
export function rulesetsOf(branch: string, key: string): readonly string[] {
  const own = [`Protect ${branch}`, `Protect the history of ${branch}`];
  if (/bypass_force|force_push_bypassers/.test(key)) return [`Block force pushes to ${branch}`];
  if (/bypass_pull|pull_request_bypassers/.test(key)) return [`Require pull requests for ${branch}`];
  if (/push_restrictions|(^|[.\]])restrict(ion|_push)|block(s)?_creation/.test(key))
    return [`Restrict pushes to ${branch}`];
  if (key.includes('lock_branch')) return own;
  return [...own, `Block force pushes to ${branch}`, `Require pull requests for ${branch}`];
}

const mergeMethods = ['allow_merge_commit', 'allow_squash_merge', 'allow_rebase_merge'];

/** The keys of protection that administrators bypass. */
const bypassable = [
  'required_pull_request_reviews',
  'required_linear_history',
  'required_signatures',
  'require_signed_commits',
  'lock_branch',
];

const isOn = (value: unknown): boolean => value === true || (typeof value === 'object' && value !== null);

function hasChecks(required: unknown): boolean {
  const block = (Array.isArray(required) ? required[0] : required) as Json | undefined;
  const checks = [block?.contexts, block?.checks].flatMap((each) => (Array.isArray(each) ? each : []));
  return checks.some((each) => !JSON.stringify(each).includes('{{EXTERNALLY_DEFINED}}'));
}

/** About merge methods: one is required. The form for branch protection: strict has no effect without a check. */
export function hasNoEffect(root: unknown, path: Path, protection: Path | undefined): boolean {
  const parent = at(root, path.slice(0, -1)) as Json;
  const last = asText(path.at(-1));
  if (mergeMethods.includes(last)) return mergeMethods.every((key) => parent[key] === false);
  if (!protection) return false;
  if (last === 'enforce_admins')
    return (
      parent[last] === false &&
      !bypassable.some((key) => isOn(parent[key])) &&
      !hasChecks(parent.required_status_checks)
    );
  if (last === 'strict') return typeof parent.strict === 'boolean' && !hasChecks(parent);
  const { restrictions, push_restrictions } = at(root, protection) as Json;
  return last.endsWith('creations') && parent === at(root, protection) && !restrictions && !push_restrictions;
}

/** The subjects of the leaves of peribolos. */
export function ofPeribolos(root: unknown, whole: Path): Subject {
  const { orgs } = root as Json;
  const path = orgs && whole[0] === 'orgs' ? whole.slice(2) : whole;
  if (path[0] === 'repos') {
    const repository = asText(path[1]);
    return {
      key: keyOf(['repos', '*', ...path.slice(2)]),
      repository,
      isIneffective: hasNoEffect(root, whole, undefined),
    };
  }
  if (path[0] !== 'teams') return { key: keyOf(path) };
  let own = path;
  while (own[2] === 'teams' && own.length > 3) own = own.slice(2);
  const name = asText(own[1]);
  const key = keyOf(['teams', '*', ...own.slice(2)]);
  if (own[2] !== 'repos' || own.length !== 4) return { key, names: [name] };
  const slug = slugOfTeam(name);
  const role = asText(at(root, whole)).toLowerCase();
  return {
    key,
    repository: asText(own[3]),
    holds: (declared) =>
      says(new RegExp(`access\\.teams\\.${slug}$`), rolesOf.get(role) ?? role)(declared) ||
      (role === 'none' && says(/absent\.access\[\]$/, `team:${slug}`)(declared)),
  };
}

const rolesOf: ReadonlyMap<string, string> = new Map([
  ['pull', 'read'],
  ['push', 'write'],
]);

/** The subjects of the leaves of github-as-code. */
export function ofGithubAsCode(root: unknown, path: Path): Subject {
  const value = at(root, path);
  const [section, name, key, ...rest] = path;
  if (section === 'teams')
    return {
      key: keyOf(['teams', '*', ...path.slice(2)]),
      names: [asText(name)],
      ...(key === 'create_default_maintainer' && value === false && { holds: says(/^teams\[.*\]\.name$/, name) }),
    };
  if (section !== 'repositories') return { key: keyOf(path) };
  const own = { key: keyOf(['repositories', '*', ...path.slice(2)]), repository: asText(name) };
  const [first = '', second] = rest.map(String);
  switch (key) {
    case 'collaborators':
    case 'teams': {
      const who =
        key === 'teams' ? `access\\.teams\\.${slugOfTeam(asText(value))}$` : `access\\.users\\.${asText(value)}$`;
      return rest.length === 2 && typeof rest[1] === 'number'
        ? { ...own, holds: says(new RegExp(who, 'i'), rolesOf.get(first) ?? first) }
        : own;
    }
    case 'labels':
      return { ...own, key: keyOf(['repositories', '*', 'labels', '*', ...rest.slice(1)]), names: [first] };
    case 'template':
      return second === undefined && ['owner', 'repository'].includes(first)
        ? {
            ...own,
            holds: (declared) =>
              declared.some(
                ({ path: [each], value: found }) =>
                  asText(each).endsWith('create.template') && asText(found).split('/').includes(asText(value)),
              ),
          }
        : own;
    case 'auto_init': {
      const { template } = at(root, path.slice(0, 2)) as Json;
      return value === false && template ? { ...own, holds: says(/create\.name$/, name) } : own;
    }
    case 'branch_protection': {
      const words = rest.slice(1).filter((each) => typeof each === 'string');
      return {
        ...own,
        key: keyOf(['repositories', '*', key, '*', ...words]),
        names: rulesetsOf(first, words.join('.')),
        isIneffective: hasNoEffect(root, path, path.slice(0, 4)),
      };
    }
    default:
      return { ...own, isIneffective: hasNoEffect(root, path, undefined) };
  }
}

/** Returns the names of the object of a policy that a path leads through. */
function namesAlong(root: unknown, path: Path): readonly string[] {
  const index = path.findIndex((key) => typeof key === 'number');
  const element = (at(root, path.slice(0, index + 1)) ?? {}) as Json;
  if (['labels', 'rulesets'].includes(String(path[0]))) return [asText(element.new_name ?? element.name)];
  if (path[0] !== 'branches') return [];
  return rulesetsOf(element.name === 'default' ? 'the default branch' : asText(element.name), keyOf(path.slice(3)));
}

const protectionOf = (path: Path): Path | undefined => (path[0] === 'branches' ? path.slice(0, 3) : undefined);

/** The subjects of the leaves of safe-settings. */
export function ofSafeSettings(root: unknown, path: Path, file: string): Subject {
  const isOwn = file.includes('/repos/');
  const isCreation = ['auto_init', 'gitignore_template', 'license_template', 'template'].includes(String(path[1]));
  const only = (at(root, path.slice(0, 2)) as Json | undefined)?.include;
  const others = Array.isArray(only) ? asText(only[0]) : file.includes('suborgs') ? 'svc-silver' : 'other';
  if (path[0] === 'suborgrepos') return { key: keyOf(path), repository: asText(at(root, path)) };
  const repository = isOwn ? basename(file, '.yml') : isCreation ? 'svc-a' : others;
  const isOfOrganization = path[0] === 'rulesets' && !isOwn && !file.includes('suborgs');
  const key = keyOf(path[1] === 'include' ? [String(path[0]), ...path.slice(2)] : path);
  if (key === 'repository.name') return { key, holds: anything };
  if (key === 'repository.force_create')
    return {
      key,
      repository,
      holds: (declared) => declared.some(({ path: [each] }) => String(each).endsWith('create.name')),
    };
  const isExternal = at(root, path) === '{{EXTERNALLY_DEFINED}}' || key.startsWith('labels.exclude');
  return {
    key,
    repository: isOfOrganization ? undefined : repository,
    names: namesAlong(root, path),
    isIneffective: isExternal || hasNoEffect(root, path, protectionOf(path)),
  };
}

/** The subjects of the leaves of the repository-settings app. */
export const ofRepositorySettings = (
  root: unknown,
  path: Path,
  _file: string,
  repository: string | undefined,
): Subject => ({
  key: keyOf(path),
  repository: repository ?? asText(at(root, ['repository', 'name'])),
  names: namesAlong(root, path),
  isIneffective: hasNoEffect(root, path, protectionOf(path)),
});

/** The subjects of the leaves of exported rulesets. */
export function ofRulesets(root: unknown, path: Path): Subject {
  const ruleset = (Array.isArray(root) ? root[Number(path[0])] : root) as Json;
  const [, repository] = asText(ruleset?.source).split('/');
  const key = keyOf(Array.isArray(root) ? path.slice(1) : path);
  return key === 'source' ? { key, holds: anything } : { key, repository, names: [asText(ruleset?.name)] };
}
