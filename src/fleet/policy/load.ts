/** Reads policy files as one policy. */
import { type JqLimits, jqProblem, selectionTimeoutMs } from '../../jq/jq.ts';
import { checkDocument } from './check.ts';
import { mergeDocuments } from './merge.ts';
import type { Policy } from './model.ts';
import { type Placed, PolicyError, type PolicyProblem } from './placed.ts';

/** A file with its text. */
export interface PolicyFile {
  /** The path as given on the command line, or below the folder given there. */
  readonly file: string;
  readonly text: string;
}

export interface CheckOptions extends JqLimits {
  /** Sends unknown values of enumerations, instead of rejecting them. */
  readonly allowsUnknown?: boolean;
}

export interface CheckedPolicy {
  /** The readable part of the policy; incomplete if there are problems. */
  readonly policy: Policy;
  /** In the order of files and positions. */
  readonly problems: readonly PolicyProblem[];
  /** Unknown fields and rule types, which a newer platform may support. */
  readonly warnings: readonly PolicyProblem[];
}

/** Checks files together, offline, and reports every problem at once. The order of files does not matter. */
export async function checkPolicy(
  files: readonly PolicyFile[],
  { allowsUnknown = false, timeoutMs = selectionTimeoutMs }: CheckOptions = {},
): Promise<CheckedPolicy> {
  const { parsePolicyFile } = await import('./parse.ts');
  const problems: PolicyProblem[] = [];
  const warnings: PolicyProblem[] = [];
  const documents: Placed[] = [];
  for (const { file, text } of [...files].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    const { root, problems: wrong } = parsePolicyFile(file, text);
    problems.push(...wrong);
    if (!root) continue;
    const checked = checkDocument(root, { allowsUnknown });
    problems.push(...checked.problems);
    warnings.push(...checked.warnings);
    documents.push(checked.document);
  }
  const merged = mergeDocuments(documents);
  problems.push(...merged.problems, ...(await expressionProblems(merged.policy, { timeoutMs })));
  return { policy: merged.policy, problems: inOrder(problems), warnings: inOrder(warnings) };
}

/** Returns the policy of files. Throws PolicyError with every problem. */
export async function loadPolicy(files: readonly PolicyFile[], options: CheckOptions = {}): Promise<Policy> {
  const { policy, problems } = await checkPolicy(files, options);
  if (problems.length > 0) throw new PolicyError(problems);
  return policy;
}

/** jq expressions that do not compile. */
async function expressionProblems({ owners }: Policy, limits: JqLimits): Promise<PolicyProblem[]> {
  const expressions = new Map<string, PolicyProblem>();
  for (const { repositories } of owners)
    for (const { select } of repositories) {
      if (!select.where || expressions.has(select.where.value)) continue;
      const { value, place } = select.where;
      const problem = await jqProblem(`(${value}\n)`, limits);
      if (problem !== undefined)
        expressions.set(value, { place, message: `where is not a valid jq expression: ${problem}` });
    }
  return [...expressions.values()];
}

const inOrder = (problems: readonly PolicyProblem[]): PolicyProblem[] =>
  [...problems].sort(
    ({ place: a }, { place: b }) =>
      (a.file < b.file ? -1 : Number(a.file > b.file)) || a.line - b.line || a.column - b.column,
  );
