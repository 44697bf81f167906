/** The facts of a push, and what rules say about it. */
import type { Given } from '../platform/validate.ts';

/** A push to one ref. What is undefined is not known. */
export interface Push {
  /** The name of the repository, without its owner. */
  readonly repository: string | undefined;
  /** The whole ref, such as `refs/heads/main`. */
  readonly ref: string;
  readonly update: 'create' | 'update' | 'delete';
  /** Whether the old commit is no ancestor of the new one. */
  readonly isForced: boolean | undefined;
  readonly isDefaultBranch: boolean | undefined;
  /** True for the merge of a pull request. */
  readonly isMerge: boolean;
  /** How a pull request was merged, if it has been: the commits are then those that the branch got. */
  readonly mergedBy?: 'button' | 'queue' | undefined;
  /** The commit that the ref has afterwards. */
  readonly head: string;
  /** The commits that the platform does not have yet. */
  readonly commits: readonly Commit[] | undefined;
  /** The files that they add or change, each time that they do. */
  readonly files: readonly PushedFile[] | undefined;
  /** The checks and statuses that the commit has passed. */
  readonly passedChecks: readonly ReportedCheck[] | undefined;
  /** Those that are pending or have failed. */
  readonly failedChecks?: readonly ReportedCheck[] | undefined;
  /** The environments to which the commit was deployed. */
  readonly deployedTo: readonly string[] | undefined;
}

export interface Commit {
  readonly id: string;
  /** The number of parents. */
  readonly parents: number;
  readonly message: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
  /** Whether the platform has verified the signature; undefined for one that it was not asked about. */
  readonly isVerified: boolean | undefined;
}

export interface PushedFile {
  readonly commit: string;
  readonly path: string;
  /** In bytes; undefined if the clone does not have the file. */
  readonly size: number | undefined;
}

export interface ReportedCheck {
  readonly context: string;
  /** The ID of the app that reported it; statuses do not say which app that was. */
  readonly app?: number | undefined;
}

/** A ruleset that the repository has, or would have. */
export interface JudgedRuleset {
  readonly id: number | undefined;
  readonly name: string;
  /** `acme/site`, or the organization or enterprise that it comes from. */
  readonly source: string;
  readonly target: string;
  /** Proposed rulesets are `active`, whatever they say. */
  readonly enforcement: string;
  /** Without those on repositories if the platform says that the ruleset applies to the repository. */
  readonly conditions: Given;
  readonly rules: readonly JudgedRule[];
  /** Whether the pusher may bypass it, in the words of `current_user_can_bypass`; undefined if that is not known. */
  readonly bypass: string | undefined;
}

export interface JudgedRule {
  readonly type: string;
  readonly parameters: Given;
}

export type Verdict = 'allowed' | 'refused' | 'bypassed' | 'unknown';

/** A reason for a verdict. */
export interface Evidence {
  readonly commit?: string;
  readonly path?: string;
  /** The message, address or name that a pattern refuses. */
  readonly value?: string;
}

/** What one rule says. */
export interface Judgement {
  readonly verdict: Exclude<Verdict, 'bypassed'>;
  readonly evidence: readonly Evidence[];
  /** The fact that is not known. */
  readonly missing?: string;
}

export const allowed: Judgement = { verdict: 'allowed', evidence: [] };
export const refused = (evidence: readonly Evidence[] = []): Judgement => ({ verdict: 'refused', evidence });
export const unknown = (missing: string, evidence: readonly Evidence[] = []): Judgement => ({
  verdict: 'unknown',
  evidence,
  missing,
});

/** Joins judgements of the parts of a push: one that refuses decides, then one that is unknown. */
export function joined(parts: Iterable<Judgement>): Judgement {
  const all = [...parts];
  const refusals = all.filter(({ verdict }) => verdict === 'refused');
  if (refusals.length > 0) return refused(refusals.flatMap(({ evidence }) => evidence));
  const open = all.filter(({ verdict }) => verdict === 'unknown');
  return open[0]?.missing === undefined
    ? allowed
    : unknown(
        open[0].missing,
        open.flatMap(({ evidence }) => evidence),
      );
}

export const shortOf = (commit: string): string => commit.slice(0, 7);
