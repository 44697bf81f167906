/** The law of imports: every value of a source is at its place in the policy, or among the losses. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import { isExactInteger } from '../../../../src/json/exact-json.ts';
import { parseYaml } from '../../../../src/json/yaml.ts';
import { joinPath } from '../../../../src/platform/validate.ts';
import { formats } from '../../../../src/topics/policy/import/formats/index.ts';
import { importPolicies } from '../../../../src/topics/policy/import/import.ts';
import type { Format } from '../../../../src/topics/policy/import/model.ts';
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

export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Files of a tool, and the flags that they need. */
export interface Fixture {
  readonly format: string;
  readonly sources: readonly Source[];
  readonly organization?: string;
  readonly repository?: string;
}

const folder = join(import.meta.dirname, 'fixtures');
const read = (...files: string[]): Source[] =>
  files.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

export const fixtures: readonly Fixture[] = [
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

const subjects: Readonly<
  Record<string, (root: unknown, path: Path, file: string, repository: string | undefined) => Subject>
> = {
  peribolos: ofPeribolos,
  'github-as-code': ofGithubAsCode,
  'safe-settings': ofSafeSettings,
  'repository-settings': ofRepositorySettings,
  rulesets: ofRulesets,
  terraform: ofState,
};

/** Returns the leaves of sources that are neither in the policy nor among the losses. Throws if the policy is not valid. */
export async function unaccounted({ format: name, sources, organization, repository }: Fixture): Promise<string[]> {
  const format = formats.find((each) => each.name === name) as Format;
  const { organizations, losses } = importPolicies(format, sources, { organization, repository });
  const files = organizations.flatMap(({ organization: owner, files: all }) =>
    all.map(({ path, document }) => ({
      file: `${owner}/${path}`,
      text: stringify(document, { aliasDuplicateObjects: false }),
    })),
  );
  const { policy, problems } = await checkPolicy(files);
  if (problems.length > 0) throw new Error(`the policy has problems: ${JSON.stringify(problems)}`);
  const lost = new Set(losses.map(({ file, key }) => `${file} ${key}`));
  const byRepository = new Map<string | undefined, readonly Leaf[]>();
  const declared = (of: string | undefined) => {
    const known = byRepository.get(of) ?? declaredIn(policy, of);
    byRepository.set(of, known);
    return known;
  };
  return sources.flatMap(({ file, text }) => {
    const root = withMerges(parseYaml(text));
    return leavesIn(root).flatMap(({ path, value }) => {
      const key = path.reduce<string>(joinPath, '');
      const isThere =
        lost.has(`${file} ${key}`) || isAccounted(format, root, { path, value }, { file, repository }, declared);
      return isThere ? [] : [`${file}: ${key}: ${JSON.stringify(value)}`];
    });
  });
}

/** Returns a value with its merge keys resolved, as YAML 1.1 says: earlier mappings take precedence over later ones. */
function withMerges(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMerges);
  if (Object.prototype.toString.call(value) !== '[object Object]' || isExactInteger(value)) return value;
  const { '<<': merged, ...own } = Object.fromEntries(
    Object.entries(value as object).map(([key, each]) => [key, withMerges(each)]),
  );
  const bases = merged === undefined ? [] : Array.isArray(merged) ? merged.toReversed() : [merged];
  return Object.fromEntries([...bases, own].flatMap((each: object) => Object.entries(each)));
}

function isAccounted(
  format: Format,
  root: unknown,
  leaf: Leaf,
  given: { readonly file: string; readonly repository: string | undefined },
  declared: (repository: string | undefined) => readonly Leaf[],
): boolean {
  const isEmpty = leaf.value === null || (typeof leaf.value === 'object' && Object.keys(leaf.value).length === 0);
  const subject = isEmpty ? undefined : subjects[format.name]?.(root, leaf.path, given.file, given.repository);
  if (!subject) return isEmpty;
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
