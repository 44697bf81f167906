import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { UsageError } from '../../../../src/cli/errors.ts';
import { checkPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import { asText } from '../../../../src/json/exact-json.ts';
import { parseYaml } from '../../../../src/json/yaml.ts';
import { joinPath } from '../../../../src/platform/validate.ts';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';
import type { Format } from '../../../../src/topics/policy/import/model.ts';
import { chance } from '../../../support/chance.ts';
import { mutated } from '../../../support/mutations.ts';
import { declaredIn, isFound, keyOf, type Leaf, leavesIn, type Path, rowsFor } from './found.ts';

const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_261_123), runs: Number(process.env.FUZZ_RUNS ?? 4) };

interface Source {
  readonly file: string;
  readonly text: string;
}

interface Fixture {
  readonly format: string;
  readonly sources: readonly Source[];
  readonly organization?: string;
}

const folder = join(import.meta.dirname, 'fixtures');
const read = (...files: string[]): Source[] =>
  files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const fixtures: readonly Fixture[] = [
  {
    format: 'safe-settings',
    organization: 'acme',
    sources: read('safe-settings/settings.yml', 'safe-settings/suborgs/services.yml', 'safe-settings/repos/svc-a.yml'),
  },
  { format: 'repository-settings', organization: 'acme', sources: read('repository-settings.yml') },
  { format: 'rulesets', sources: read('rulesets.json') },
  { format: 'terraform', sources: read('state.json') },
];

type Json = Readonly<Record<string, unknown>>;

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((each, key) => (each as Json | undefined)?.[key], value);

/** What a leaf is about: its key in the table, the repository and the object that have it. */
interface Subject {
  readonly key: string;
  readonly repository?: string | undefined;
  readonly names?: readonly string[];
  /** Decides instead of the table. */
  readonly holds?: (declared: readonly Leaf[]) => boolean;
}

/** Returns the names of the object of a policy that a path leads through. */
function namesAlong(root: unknown, path: Path): readonly string[] {
  const index = path.findIndex((key) => typeof key === 'number');
  const element = (at(root, path.slice(0, index + 1)) ?? {}) as Json;
  if (['labels', 'rulesets'].includes(String(path[0]))) return [asText(element.new_name ?? element.name)];
  if (path[0] !== 'branches') return [];
  return namesOfProtection(element.name === 'default' ? 'the default branch' : asText(element.name));
}

const namesOfProtection = (pattern: string) => [`Protect ${pattern}`, `Protect the history of ${pattern}`];

const anything = () => true;

const subjects: Readonly<Record<string, (root: unknown, path: Path, file: string) => Subject>> = {
  terraform: (root, path) => ofState(root, path),
  'safe-settings'(root, path, file) {
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
    return { key, repository: isOfOrganization ? undefined : repository, names: namesAlong(root, path) };
  },
  'repository-settings': (root, path) => ({
    key: keyOf(path),
    repository: asText(at(root, ['repository', 'name'])),
    names: namesAlong(root, path),
  }),
  rulesets(root, path) {
    const ruleset = (Array.isArray(root) ? root[Number(path[0])] : root) as Json;
    const [, repository] = asText(ruleset?.source).split('/');
    const key = keyOf(Array.isArray(root) ? path.slice(1) : path);
    return key === 'source' ? { key, holds: anything } : { key, repository, names: [asText(ruleset?.name)] };
  },
};

/** The state is around the attributes of its managed resources. */
const around: Subject = { key: '', holds: anything };

/** Names of rules and parameters that the provider calls otherwise. */
const renamed: Readonly<Record<string, string>> = {
  required_workflows: 'workflows',
  required_code_scanning: 'code_scanning',
  required_check: 'required_status_checks',
};

function ofState(root: unknown, path: Path): Subject {
  const end = path.lastIndexOf('values');
  const resource = at(root, path.slice(0, end)) as Json | undefined;
  const attributes = at(root, path.slice(0, end + 1)) as Json;
  if (end < 2 || resource?.mode !== 'managed') return around;
  const value = at(root, path);
  const inner = path.slice(end + 1);
  const words = inner.filter((key) => typeof key === 'string');
  const type = asText(resource.type).replace(/_v3$/, '');
  const repository = asText(attributes.repository ?? attributes.repository_id ?? attributes.name).replace(/^R_/, '');
  const isOfOrganization = /^github_(organization_|team$|membership|team_members)/.test(type);
  const key = `${words[0] === 'branch' ? asText(resource.type) : type}.${words.join('.')}`;
  const ofRepository = { key, repository: isOfOrganization ? undefined : repository };
  const says =
    (pattern: RegExp, wanted: unknown = value) =>
    (declared: readonly Leaf[]) =>
      declared.some(({ path: [each], value: found }) => pattern.test(asText(each)) && asText(found) === asText(wanted));
  const last = words.at(-1) ?? '';
  if (value === '' || ['repository', 'repository_id', 'property_type', 'property_name', 'url'].includes(last))
    return around;
  if (['github_membership', 'github_team_membership', 'github_team_members'].includes(type)) {
    const person =
      type === 'github_team_members' && inner.length > 1 ? (at(root, path.slice(0, -1)) as Json) : attributes;
    const list = { admin: 'owners', maintainer: 'maintainers', member: 'members' }[asText(person.role)] ?? 'none';
    if (['role', 'username'].includes(last))
      return { key: '', holds: says(new RegExp(`${list}\\[\\]$`), person.username) };
    if (last === 'team_id') return { key: '', holds: says(/^teams\[.*\]\.name$/, teams[asText(value)]?.name) };
  }
  if (last === 'team_id')
    return {
      ...ofRepository,
      holds: (declared) =>
        declared.some(({ path: [each] }) => asText(each).endsWith(`access.teams.${teams[asText(value)]?.slug}`)),
    };
  if (last === 'parent_team_id') return { key: '', holds: says(/\.parent$/, teams[asText(value)]?.name) };
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
  if (type.endsWith('_ruleset')) return ofRuleset(attributes, words, value, type);
  if (words[0] === 'required_status_checks' && last === 'checks')
    return { ...ofRepository, holds: says(/required_status_checks\[\]\.context$/, asText(value).split(':')[0]) };
  if (last === 'dismissal_restrictions')
    return { ...ofRepository, holds: says(/allowed_actors\[\w*\]\.id$/, `team:${teams[asText(value)]?.slug}`) };
  return ofRepository;
}

/** The teams of the state, by their IDs. */
const teams: Readonly<Record<string, { readonly name: string; readonly slug: string } | undefined>> =
  Object.fromEntries(
    [
      { id: 41, name: 'Security', slug: 'security' },
      { id: 42, name: 'Platform Team', slug: 'platform-team' },
      { id: 43, name: 'Bots', slug: 'bots' },
    ].flatMap((team) => [
      [`${team.id}`, team],
      [`T_${team.id}`, team],
    ]),
  );

function ofRuleset(attributes: Json, words: readonly string[], value: unknown, type: string): Subject {
  const repository = type === 'github_repository_ruleset' ? asText(attributes.repository) : undefined;
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
    const named = teams[asText(value)];
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
      within(`rules[${name}].parameters.${end}`, value)(declared) ||
      within(`rules[${name}].parameters.${end}[]`, value)(declared),
  };
}

/** Returns the leaves of sources that are neither in the policy nor among the losses. */
async function unaccounted(
  format: Format,
  sources: readonly Source[],
  organization: string | undefined,
): Promise<string[]> {
  const { organizations, losses } = importPolicies(format, sources, { organization, repository: undefined });
  const files = organizations.flatMap(({ organization: name, files: all }) =>
    all.map(({ path, document }) => ({
      file: `${name}/${path}`,
      text: stringify(document, { aliasDuplicateObjects: false }),
    })),
  );
  const { policy, problems } = await checkPolicy(files);
  expect(problems).toEqual([]);
  const lost = new Set(losses.map(({ file, key }) => `${file} ${key}`));
  const byRepository = new Map<string | undefined, readonly Leaf[]>();
  const declared = (repository: string | undefined) => {
    const known = byRepository.get(repository) ?? declaredIn(policy, repository);
    byRepository.set(repository, known);
    return known;
  };
  return sources.flatMap(({ file, text }) => {
    const root = parseYaml(text);
    return leavesIn(root)
      .filter(
        ({ path, value }) =>
          !isAccounted(format, root, { path, value }, file, declared) &&
          !lost.has(`${file} ${path.reduce<string>(joinPath, '')}`),
      )
      .map(({ path, value }) => `${file}: ${path.reduce<string>(joinPath, '')}: ${JSON.stringify(value)}`);
  });
}

function isAccounted(
  format: Format,
  root: unknown,
  leaf: Leaf,
  file: string,
  declared: (repository: string | undefined) => readonly Leaf[],
): boolean {
  const isEmpty = leaf.value === null || (typeof leaf.value === 'object' && Object.keys(leaf.value).length === 0);
  const subject = subjects[format.name]?.(root, leaf.path, file);
  if (isEmpty || !subject) return isEmpty;
  const { key, repository, names = [], holds } = subject;
  if (holds) return holds(declared(repository));
  const isState = format.name === 'terraform';
  const keys = isState ? format.keys.map((row) => ({ ...row, key: row.key.replaceAll('[]', '') })) : format.keys;
  return rowsFor(keys, key).some((row) => {
    if (row.policy === undefined)
      return row.note?.includes('not imported') === true || (isState && [false, 'false'].includes(leaf.value as never));
    const isOfRepository = row.policy.startsWith('repositories');
    return isOfRepository === (repository !== undefined) && isFound(row, leaf, declared(repository), names);
  });
}

describe.each(fixtures)('$format', ({ format: name, sources, organization }) => {
  const format = formats.find((each) => each.name === name) as Format;

  it('has every value in the policy or among the losses', async () => {
    expect(await unaccounted(format, sources, organization)).toEqual([]);
  });

  it('has them whatever is changed in a source', async () => {
    for (let run = 0; run < fuzz.runs; run++) {
      const random = chance(fuzz.seed + run);
      const changed = Math.floor(random() * sources.length);
      const { kind, path, text } = mutated(parseYaml(sources[changed]?.text ?? ''), random);
      const all = sources.map((source, at) => (at === changed ? { ...source, text } : source));
      const found = await unaccounted(format, all, organization).catch((error: unknown) => {
        // A source that cannot be read is refused as a whole.
        if (error instanceof UsageError) return [];
        throw error;
      });
      expect(found, `run ${run}: ${path.join('.')} ${kind}`).toEqual([]);
    }
  });
});
