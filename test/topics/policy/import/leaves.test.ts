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

const fuzz = { seed: Number(process.env.FUZZ_SEED ?? 20_261_123), runs: Number(process.env.FUZZ_RUNS ?? 6) };

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
  return rowsFor(format.keys, key).some((row) => {
    if (row.policy === undefined) return row.note?.includes('not imported') === true;
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
