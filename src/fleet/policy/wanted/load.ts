/** Reads policy files as one policy. */
import { fieldPaths } from '../../../jq/field-paths.ts';
import { type JqLimits, jqProblem, selectionTimeoutMs } from '../../../jq/jq.ts';
import { type UnknownField, unknownFields, unknownFieldText } from '../../../platform/unknown-field.ts';
import { checkDocument } from './check.ts';
import { mergeDocuments } from './merge.ts';
import { type Policy, type SecretSource, type Wanted, wantedOf } from './model.ts';
import { Pieces } from './pieces.ts';
import { mostValuesTogether, type Placed, PolicyError, type PolicyProblem } from './placed.ts';
import { type SecretLocation, sourceName, whyNoSource } from './secret-sources.ts';

/** A file with its text. */
export interface PolicyFile {
  /** The path as given on the command line, or below the folder given there. */
  readonly file: string;
  readonly text: string;
}

export interface CheckOptions extends JqLimits {
  /** Sends unknown values of enumerations, instead of rejecting them. */
  readonly allowsUnknown?: boolean;
  /** Returns the fields of listed repositories, down to a depth; without it, selectors may use any. */
  readonly repositoryFields?: (deepest: number) => readonly string[];
  /** Returns why a secret may not come from a source on this machine, which may know more than `whyNoSource`. */
  readonly whyNoSecret?: (location: SecretLocation) => string | undefined;
}

export interface CheckedPolicy {
  /** The readable part of the policy; incomplete if there are problems. */
  readonly policy: Policy;
  /** In the order of files and positions. */
  readonly problems: readonly PolicyProblem[];
  /**
   * Unknown fields and rule types, which a newer platform may support, empty files, pieces that nothing uses, and patterns
   * that match no name.
   */
  readonly warnings: readonly PolicyProblem[];
}

/** Checks files together, offline, and reports every problem at once. The order of files does not matter. */
export async function checkPolicy(
  files: readonly PolicyFile[],
  {
    allowsUnknown = false,
    timeoutMs = selectionTimeoutMs,
    repositoryFields,
    whyNoSecret = whyNoSource,
  }: CheckOptions = {},
): Promise<CheckedPolicy> {
  const { parsePolicyFile } = await import('./parse.ts');
  const syntax: PolicyProblem[] = [];
  const empty: PolicyProblem[] = [];
  const roots: Placed[] = [];
  const pieces = new Pieces();
  let values = 0;
  for (const { file, text } of [...files].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    const { root, problems: wrong, values: added } = parsePolicyFile(file, text);
    for (const problem of wrong) syntax.push(problem);
    values += added;
    if (values > mostValuesTogether) {
      const message = `has, together with the files before it, more than ${mostValuesTogether.toLocaleString('en')} values`;
      syntax.push({ place: { file, line: 1, column: 1 }, message });
      break;
    }
    if (!root && wrong.length === 0)
      empty.push({ place: { file, line: 1, column: 1 }, message: 'is empty and declares nothing' });
    if (!root) continue;
    roots.push(root);
    pieces.add(root);
  }
  const checked = roots.map((root) => checkDocument(root, { allowsUnknown, pieces }));
  const merged = mergeDocuments(checked.flatMap(({ document }) => document ?? []));
  const expressions = { allowsUnknown, timeoutMs, repositoryFields };
  const problems = [
    ...syntax,
    ...pieces.problems,
    ...checked.flatMap((each) => each.problems),
    ...merged.problems,
    ...(await expressionProblems(merged.policy, expressions)),
    ...secretProblems(merged.policy, whyNoSecret),
  ];
  const warnings = [...empty, ...pieces.unused, ...checked.flatMap((each) => each.warnings)];
  return { policy: merged.policy, problems: inOrder(problems), warnings: inOrder(warnings) };
}

/** Returns the policy of files. Throws PolicyError with every problem. */
export async function loadPolicy(files: readonly PolicyFile[], options: CheckOptions = {}): Promise<Policy> {
  const { policy, problems } = await checkPolicy(files, options);
  if (problems.length > 0) throw new PolicyError(problems);
  return policy;
}

/** Secrets that this machine must not send. The check of each file has found forbidden variables. */
function secretProblems({ owners }: Policy, whyNot: (location: SecretLocation) => string | undefined): PolicyProblem[] {
  const secrets = owners.flatMap((owner) =>
    wantedOf<Wanted & { readonly secret?: SecretSource }>(owner, 'registries').flatMap(({ secret }) => secret ?? []),
  );
  const files = new Map<string, string | undefined>();
  return secrets.flatMap((secret) => {
    if ('env' in secret) return [];
    const { file, place } = secret;
    if (!files.has(file)) files.set(file, whyNot(secret));
    const why = files.get(file);
    const message = `registries cannot take a secret from ${sourceName(secret)}, which ${why}`;
    return why === undefined ? [] : { place, message };
  });
}

/** All expressions together have so many times the limit on one. Each of an ordinary policy takes some milliseconds. */
const limitsTogether = 6;

/** jq expressions that do not compile, or that use fields that repositories do not have. */
async function expressionProblems(
  { owners }: Policy,
  { allowsUnknown, repositoryFields, timeoutMs }: CheckOptions & { readonly timeoutMs: number },
): Promise<PolicyProblem[]> {
  const checked = new Set<string>();
  const problems: PolicyProblem[] = [];
  const togetherMs = limitsTogether * timeoutMs;
  const end = performance.now() + togetherMs;
  for (const { repositories } of owners)
    for (const { select } of repositories) {
      if (!select.where || checked.has(select.where.value)) continue;
      const { value, place } = select.where;
      checked.add(value);
      if (performance.now() > end) {
        const message = `where was not checked: the expressions before it took more than ${togetherMs / 1000} s. Simplify them, or allow more time with --timeout`;
        return [...problems, { place, message }];
      }
      const problem = await jqProblem(`(${value}\n)`, { timeoutMs });
      const unknown = repositoryFields && unknownFieldOf(value, repositoryFields, allowsUnknown);
      if (problem !== undefined) problems.push({ place, message: `where is not a valid jq expression: ${problem}` });
      else if (unknown) problems.push({ place, message: unknownFieldText('where', unknown, 'repositories') });
    }
  return problems;
}

function unknownFieldOf(
  expression: string,
  fields: (deepest: number) => readonly string[],
  allowsUnknown = false,
): UnknownField | undefined {
  const paths = fieldPaths(expression);
  if (paths.length === 0) return undefined;
  // Plans add the property values.
  const known = [...fields(Math.max(...paths.map(({ length }) => length))), 'custom_properties'];
  return unknownFields(paths, known).find(({ isMisspelled }) => isMisspelled || !allowsUnknown);
}

const inOrder = (problems: readonly PolicyProblem[]): PolicyProblem[] =>
  [...problems].sort(
    ({ place: a }, { place: b }) =>
      (a.file < b.file ? -1 : Number(a.file > b.file)) || a.line - b.line || a.column - b.column,
  );
