import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { UsageError } from '../../../../src/cli/errors.ts';
import { checkPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import { parseYaml } from '../../../../src/json/yaml.ts';
import { joinPath } from '../../../../src/platform/validate.ts';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';
import type { Format } from '../../../../src/topics/policy/import/model.ts';
import { chance } from '../../../support/chance.ts';
import { mutated } from '../../../support/mutations.ts';
import { declaredIn, isFound, type Leaf, leavesIn, type Path, rowsFor } from './found.ts';
import {
  ofGithubAsCode,
  ofPeribolos,
  ofRepositorySettings,
  ofRulesets,
  ofSafeSettings,
  type Subject,
} from './subjects.ts';
import { ofState } from './subjects-of-state.ts';

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
  { format: 'peribolos', sources: read('org.yaml') },
  { format: 'github-as-code', organization: 'acme', sources: read('acme.yml') },
  {
    format: 'safe-settings',
    organization: 'acme',
    sources: read('safe-settings/settings.yml', 'safe-settings/suborgs/services.yml', 'safe-settings/repos/svc-a.yml'),
  },
  { format: 'repository-settings', organization: 'acme', sources: read('repository-settings.yml') },
  { format: 'rulesets', sources: read('rulesets.json') },
  { format: 'terraform', sources: read('state.json') },
];

const subjects: Readonly<Record<string, (root: unknown, path: Path, file: string) => Subject>> = {
  peribolos: ofPeribolos,
  'github-as-code': ofGithubAsCode,
  'safe-settings': ofSafeSettings,
  'repository-settings': ofRepositorySettings,
  rulesets: ofRulesets,
  terraform: ofState,
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
  const { key, repository, names = [], holds, isIneffective = false } = subject;
  if (holds) return holds(declared(repository));
  const isState = format.name === 'terraform';
  // Blocks of Terraform are lists of one.
  const areBlocks = isState || key.includes('.branch_protection.');
  const keys = areBlocks ? format.keys.map((row) => ({ ...row, key: row.key.replaceAll('[]', '') })) : format.keys;
  return rowsFor(keys, key).some((row) => {
    if (/no effect/i.test(row.note ?? '') && isIneffective) return true;
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

  it('becomes the same files again', () => {
    const context = { organization, repository: undefined };
    const [first, second] = [1, 2].map(() => JSON.stringify(importPolicies(format, sources, context)));
    expect(second).toBe(first);
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
