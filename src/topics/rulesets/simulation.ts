/** The result of `rulesets simulate`: its JSON, and the rows of its table. */
import type { PushVerdict, RuleVerdict } from '../../foresight/evaluate.ts';
import { type Evidence, type Push, shortOf, type Verdict } from '../../foresight/facts.ts';
import { ownMember } from '../../json/exact-json.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import type { RefUpdate } from './pushed-refs.ts';

export interface SimulatedRule {
  ruleset: { id: number | null; name: string; source: string };
  type: string;
  verdict: Verdict;
  /** What a ruleset in `evaluate` would say if it were active. */
  would: Verdict | null;
  /** At most 100. */
  evidence: { commit: string | null; path: string | null; value: string | null }[];
  evidence_total: number;
  /** The fact that is not known. */
  missing: string | null;
}

export interface SimulatedPush {
  /** Null offline. */
  repository: string | null;
  ref: string;
  update: 'create' | 'update' | 'delete';
  forced: boolean | null;
  from: string | null;
  to: string | null;
  verdict: Verdict;
  /** The number of new commits; null if it is not known. */
  commits: number | null;
  rules: SimulatedRule[];
}

const mostEvidence = 100;

/** Returns the record of a judged push. */
export const simulatedPush = (
  repository: string | undefined,
  { from, to }: RefUpdate,
  { ref, update, isForced, commits }: Push,
  { verdict, rules }: PushVerdict,
): SimulatedPush => ({
  repository: repository ?? null,
  ref,
  update,
  forced: isForced ?? null,
  from: from ?? null,
  to: to ?? null,
  verdict,
  commits: commits?.length ?? null,
  rules: rules.map(simulatedRule),
});

const simulatedRule = ({ ruleset, type, verdict, would, evidence, missing }: RuleVerdict): SimulatedRule => ({
  ruleset: { id: ruleset.id ?? null, name: ruleset.name, source: ruleset.source },
  type,
  verdict,
  would: would ?? null,
  evidence: evidence.slice(0, mostEvidence).map(evidenceOf),
  evidence_total: evidence.length,
  missing: missing ?? null,
});

const evidenceOf = ({ commit, path, value }: Evidence) => ({
  commit: commit ?? null,
  path: path ?? null,
  value: value ?? null,
});

export interface SimulatedRow extends SimulatedRule {
  readonly ref: string;
}

/** Returns the rows of a table: the rules that refuse, are bypassed or unknown, or would refuse, unless all are shown. */
export const rowsOfPush = ({ ref, rules }: SimulatedPush, all: boolean): SimulatedRow[] =>
  rules
    .filter(({ verdict, would }) => all || verdict !== 'allowed' || (would ?? 'allowed') !== 'allowed')
    .map((rule) => ({ ref, ...rule }));

export const simulationColumns: readonly Column<SimulatedRow>[] = [
  { header: 'Ref', get: 'ref', as: 'name', priority: 2 },
  { header: 'Ruleset', get: 'ruleset.name', as: 'name', priority: 1 },
  { header: 'Rule', get: 'type', priority: 1 },
  { header: 'Verdict', get: ({ verdict, would }) => (would === null ? verdict : `would be ${would}`), priority: 1 },
  { header: 'Evidence', get: (rule) => rule.missing ?? evidenceText(rule), as: 'message', priority: 1 },
  { header: 'Mend', get: ({ type, verdict, would }) => mendOf(type, would ?? verdict), as: 'message', priority: 1 },
];

function evidenceText({ evidence: [first], evidence_total: total }: SimulatedRule): string {
  if (first === undefined) return '';
  const { commit, path, value } = first;
  const parts = [commit && shortOf(commit), path, value?.split('\n', 1)[0]].filter(Boolean).join(' ');
  return total > 1 ? `${parts} and ${total - 1} more` : parts;
}

const rewrite = 'git commit --amend, or git rebase -i for older commits';
const throughPullRequest = 'open a pull request';
const rename = 'choose another name';

const mends: Readonly<Record<string, string>> = {
  non_fast_forward: 'git pull --rebase',
  required_linear_history: 'git rebase instead of git merge',
  required_signatures: 'git rebase --exec "git commit --amend --no-edit -S"',
  pull_request: throughPullRequest,
  merge_queue: throughPullRequest,
  workflows: throughPullRequest,
  required_status_checks: 'push to another branch until the checks have passed',
  required_deployments: 'deploy from another branch first',
  lock_branch: 'ask an administrator to unlock the branch',
  restrictions: 'ask someone who may push to the branch',
  commit_message_pattern: rewrite,
  commit_author_email_pattern: rewrite,
  committer_email_pattern: rewrite,
  branch_name_pattern: rename,
  tag_name_pattern: rename,
  file_path_restriction: rewrite,
  max_file_path_length: rewrite,
  file_extension_restriction: rewrite,
  max_file_size: rewrite,
};

const mendOf = (type: string, verdict: Verdict): string =>
  verdict === 'refused' ? (ownMember(mends, type) ?? 'ask someone who may bypass the ruleset') : '';

/** Returns the refusals in one sentence each; none if nothing is refused. */
export const refusalsIn = (pushes: readonly SimulatedPush[]): string[] =>
  pushes.flatMap(({ ref, verdict, rules }) => {
    const refusing = rules.filter((rule) => rule.verdict === 'refused').length;
    return verdict === 'refused' ? [`The push to ${ref} would be refused by ${counted(refusing, 'rule')}.`] : [];
  });

/** Returns the rules whose verdict is not known, in one sentence each. */
export const unknownsIn = (pushes: readonly SimulatedPush[]): string[] =>
  pushes.flatMap(({ ref, rules }) =>
    rules.flatMap(({ ruleset, type, verdict, missing }) =>
      verdict === 'unknown' ? [`Unknown for ${ref}: rule ${type} of ${ruleset.name} (${missing}).`] : [],
    ),
  );
