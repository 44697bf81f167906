/** What a ruleset would have said to pushes that have happened, or were refused, according to the platform’s records. */
import type { RuleSuiteEvaluations } from '../platform/records.ts';
import { evaluatePush } from './evaluate.ts';
import type { Commit, JudgedRuleset, Push, Verdict } from './facts.ts';

/** A push in the activity of a repository, or in a rule suite. */
export interface PastPush {
  /** The whole ref. */
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly pusher: Pusher | undefined;
  readonly time: string;
  /** The type of the activity, such as `force_push`; undefined for a push that was refused. */
  readonly activity: string | undefined;
}

export interface Pusher {
  readonly id: number | undefined;
  readonly login: string;
  /** Whether it is an app; people have no brackets in their logins. */
  readonly isBot: boolean;
}

export interface PastRule {
  readonly type: string;
  readonly verdict: Verdict;
  /** The fact that is not known. */
  readonly missing?: string;
}

export interface PastVerdict {
  readonly verdict: Verdict;
  readonly rules: readonly PastRule[];
}

export interface PlaceOfPush {
  readonly repository: string;
  /** The name of the default branch. */
  readonly defaultBranch: string | undefined;
}

/** Whether the ref does not exist before or after a push. */
export const isNoCommit = (sha: string): boolean => /^0*$/.test(sha);

/** The types of activity that update a branch without force. A push that was refused has none. */
const unforced: readonly (string | undefined)[] = ['push', 'pr_merge', 'merge_queue_merge'];

/** Returns the facts of a push in the past, with its commits if they are known. */
export function pastFacts(
  { ref, before, after, activity }: PastPush,
  { repository, defaultBranch }: PlaceOfPush,
  commits?: readonly Commit[],
): Push {
  const isMerge = activity === 'pr_merge' || activity === 'merge_queue_merge';
  const update = isNoCommit(after) ? 'delete' : isNoCommit(before) ? 'create' : 'update';
  return {
    repository,
    ref,
    update,
    isForced: update !== 'update' || unforced.includes(activity) ? false : activity === 'force_push' || undefined,
    isDefaultBranch: defaultBranch === undefined ? undefined : ref === `refs/heads/${defaultBranch}`,
    isMerge,
    mergedBy: isMerge ? (activity === 'pr_merge' ? 'button' : 'queue') : undefined,
    head: after,
    commits,
    files: undefined,
    passedChecks: undefined,
    deployedTo: undefined,
  };
}

/** What may be looked up about a push that is not simply allowed. */
export interface PastFacts {
  /** Returns whether the pusher may bypass the ruleset, in the words of `current_user_can_bypass`. */
  readonly bypass: () => Promise<string | undefined>;
  /** Returns what the platform said about a rule of this version of the ruleset. */
  readonly said: (type: string) => Promise<PastRule | undefined>;
}

/** Judges a push by a ruleset as if it had been active. What the platform said decides where the facts do not. */
export async function judgePast(push: Push, ruleset: JudgedRuleset, { bypass, said }: PastFacts): Promise<PastVerdict> {
  const judgedWith = async (may: string | undefined) =>
    (await evaluatePush(push, [{ ...ruleset, enforcement: 'active', bypass: may }])).rules;
  const strict = await judgedWith('never');
  // The platform has taken the bypass list into account.
  const known = await Promise.all(strict.map(({ type, verdict }) => (verdict === 'unknown' ? said(type) : undefined)));
  const isOpen = strict.some(({ verdict }, at) => verdict !== 'allowed' && !known[at]);
  const judged = isOpen ? await judgedWith(await bypass()) : strict;
  const rules = await Promise.all(
    judged.map(async ({ type, verdict, missing }, at): Promise<PastRule> => {
      const byPlatform = known[at] ?? (verdict === 'unknown' ? await said(type) : undefined);
      return byPlatform ?? { type, verdict, ...(missing !== undefined && { missing }) };
    }),
  );
  return { verdict: worstOf(rules), rules };
}

/** Most serious first. */
const order: readonly Verdict[] = ['refused', 'unknown', 'bypassed', 'allowed'];

export const worstOf = (parts: readonly { readonly verdict: Verdict }[]): Verdict =>
  order.find((each) => parts.some(({ verdict }) => verdict === each)) ?? 'allowed';

/** Returns what a rule suite says about the rules of a ruleset; `overall` is its result for rulesets of that enforcement. */
export async function evaluationsOf(
  { rule_evaluations: evaluations }: RuleSuiteEvaluations,
  ruleset: number,
  overall: string | null | undefined,
  bypass: PastFacts['bypass'],
): Promise<PastRule[]> {
  const own = evaluations.filter(({ rule_source: source }) => source?.id === ruleset);
  const failed = evaluations.filter(
    ({ result, enforcement }) => result === 'fail' && enforcement === own[0]?.enforcement,
  );
  const failure = await failureOf(overall, failed.every((each) => own.includes(each)) ? async () => 'never' : bypass);
  return own.map(({ rule_type: type, result }) => {
    if (result === 'pass') return { type, verdict: 'allowed' };
    return result === 'fail' ? { type, ...failure } : { type, verdict: 'unknown', missing: `what ${result} means` };
  });
}

/** Returns what a failure of a rule means. A push that other rulesets refused, too, says nothing about who may bypass this one. */
async function failureOf(
  overall: string | null | undefined,
  bypass: PastFacts['bypass'],
): Promise<Omit<PastRule, 'type'>> {
  if (overall === 'bypass') return { verdict: 'bypassed' };
  const may = await bypass();
  if (may === 'never') return { verdict: 'refused' };
  if (may === 'always' || may === 'exempt') return { verdict: 'bypassed' };
  return { verdict: 'unknown', missing: 'whether the pusher may bypass the ruleset' };
}

/** The pushes of a rule, a person or a repository by verdict. */
export interface Counts {
  pushes: number;
  allowed: number;
  refused: number;
  bypassed: number;
  unknown: number;
}

export const noCounts = (): Counts => ({ pushes: 0, allowed: 0, refused: 0, bypassed: 0, unknown: 0 });

export function count(counts: Counts, verdict: Verdict): void {
  counts.pushes++;
  counts[verdict]++;
}

/** Counts by name. */
export class Tally {
  readonly #counts = new Map<string, Counts>();

  add(name: string, verdict: Verdict): void {
    const counts = this.#counts.get(name) ?? noCounts();
    this.#counts.set(name, counts);
    count(counts, verdict);
  }

  /** Returns the counts, those with the most refusals first. */
  sorted(): (readonly [name: string, counts: Counts])[] {
    return [...this.#counts].sort(
      ([a, one], [b, other]) =>
        other.refused - one.refused ||
        other.unknown - one.unknown ||
        other.bypassed - one.bypassed ||
        other.pushes - one.pushes ||
        (a < b ? -1 : 1),
    );
  }
}
