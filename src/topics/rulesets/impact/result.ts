/** The result of `rulesets impact`: its JSON, and the rows of its tables. */

import type { Verdict } from '../../../foresight/facts.ts';
import { type Counts, count, noCounts, type PastRule, Tally, worstOf } from '../../../foresight/impact.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import type { Column } from '../../../output/table/columns.ts';
import type { Judged, JudgedPush, SuitesRead } from './run.ts';
import type { Subject } from './subject.ts';

export interface ImpactRule {
  type: string;
  verdict: Verdict;
  /** The fact that is not known. */
  missing: string | null;
}

export interface ImpactPush {
  repository: string;
  ref: string;
  before: string;
  after: string;
  actor: string | null;
  time: string;
  /** The type of the activity, such as force_push; null for a push that was refused, and in the history of a ruleset in evaluate. */
  activity: string | null;
  verdict: Verdict;
  rules: ImpactRule[];
  /** The verdict of the live version, with --compare. */
  live: Verdict | null;
  /** The ID of the rule suite, and what the rulesets that were active then said: pass, fail or bypass. */
  rule_suite: number | null;
  result: string | null;
  /** The page with the change; null for a push that was refused. */
  html_url: string | null;
}

export interface NamedCounts extends Counts {
  /** The type of the rule, the login, or the repository; null for a person who is not known. */
  name: string | null;
}

export interface ImpactSummary {
  /** Null if activity does not show what the ruleset is about. */
  pushes: number | null;
  allowed: number | null;
  refused: number | null;
  bypassed: number | null;
  unknown: number | null;
  by_rule: NamedCounts[];
  by_actor: NamedCounts[];
  by_repository: NamedCounts[];
  /** Why the numbers are not known. */
  missing: string | null;
  /** The number of pushes that were compared, with --compare. */
  compared: number | null;
  time_period: string;
  repositories: number;
  /** Repositories whose activity cannot be read. */
  unreadable: { repository: string; reason: string }[];
  /** Null if they were not read. */
  rule_suites: { time_period: string; suites: number | null; unread: number; missing: string | null } | null;
}

export interface Impact {
  ruleset: { id: number | null; name: string; source: string; target: string; enforcement: string };
  summary: ImpactSummary;
  pushes: ImpactPush[];
}

interface ImpactInput {
  readonly subject: Subject;
  readonly judged: Judged<ImpactPush> | undefined;
  readonly period: string;
  readonly repositories: number;
  readonly isCompared: boolean;
}

const notFromActivity = 'not known from activity, which has branches only';

/** Returns the result; `judged` is absent if activity does not show what the ruleset is about. */
export function impactOf({ subject, judged, period, repositories, isCompared }: ImpactInput): Impact {
  const { id, name, source, target, enforcement } = subject.ruleset;
  const pushes = (judged?.pushes ?? []).toSorted(newestFirst);
  const counts = noCounts();
  for (const { verdict } of pushes) count(counts, verdict);
  return {
    ruleset: { id: id ?? null, name, source, target, enforcement },
    summary: {
      ...(judged ? counts : { pushes: null, allowed: null, refused: null, bypassed: null, unknown: null }),
      by_rule: tallied(pushes, ({ rules }) =>
        [...Map.groupBy(rules, ({ type }) => type)].map(([type, all]) => [type, worstOf(all)]),
      ),
      by_actor: tallied(pushes, ({ actor, verdict }) => [[actor, verdict]]),
      by_repository: tallied(pushes, ({ repository, verdict }) => [[repository, verdict]]),
      missing: judged ? null : notFromActivity,
      compared: isCompared && judged ? judged.compared : null,
      time_period: period,
      repositories,
      unreadable: [...(judged?.unreadable ?? [])],
      rule_suites: judged ? suitesOf(judged.suites) : null,
    },
    pushes,
  };
}

const suitesOf = ({ period, count: suites, unread, unreadable }: SuitesRead) => ({
  time_period: period,
  suites: suites ?? null,
  unread,
  missing: unreadable ?? null,
});

function tallied(
  pushes: readonly ImpactPush[],
  namesOf: (push: ImpactPush) => readonly (readonly [name: string | null, verdict: Verdict])[],
): NamedCounts[] {
  const tally = new Tally();
  for (const push of pushes) for (const [name, verdict] of namesOf(push)) tally.add(name ?? '', verdict);
  return tally.sorted().map(([name, counts]) => ({ name: name || null, ...counts }));
}

/** Returns a function that returns the record of a push; rules of equal verdicts are the same object. */
export function impactPushes(): (push: JudgedPush) => ImpactPush {
  const known = new WeakMap<readonly PastRule[], ImpactRule[]>();
  const shared = (rules: readonly PastRule[]) => {
    const shown = known.get(rules) ?? rules.map((rule) => ({ ...rule, missing: rule.missing ?? null }));
    known.set(rules, shown);
    return shown;
  };
  return ({ push: { ref, before, after, pusher, time, activity }, repository, suite, verdict, rules, live }) => ({
    repository: repository.full_name,
    ref,
    before,
    after,
    actor: pusher?.login ?? null,
    time,
    activity: activity ?? null,
    verdict,
    rules: shared(rules),
    live: live ?? null,
    rule_suite: suite?.id ?? null,
    result: suite?.result ?? null,
    html_url:
      suite?.result === 'fail' || repository.page === undefined ? null : repository.page + pathOf({ before, after }),
  });
}

const newestFirst = (a: ImpactPush, b: ImpactPush): number =>
  compareText(b.time, a.time) ||
  compareText(a.repository, b.repository) ||
  compareText(a.ref, b.ref) ||
  compareText(a.after, b.after);

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function pathOf({ before, after }: Pick<ImpactPush, 'before' | 'after'>): string {
  const [isNew, isGone] = [/^0*$/.test(before), /^0*$/.test(after)];
  if (isNew || isGone) return `/commit/${isGone ? before : after}`;
  return `/compare/${before}...${after}`;
}

/** Returns the pushes that a table shows: with --compare all that differ, otherwise those that are refused. */
export const shownPushes = ({ pushes, summary }: Pick<Impact, 'pushes' | 'summary'>): ImpactPush[] =>
  summary.compared === null ? pushes.filter(({ verdict }) => verdict === 'refused') : pushes;

export const pushColumns: readonly Column<ImpactPush>[] = [
  { header: 'When', get: 'time', as: 'age', priority: 1 },
  { header: 'Repository', get: 'repository', as: 'name', priority: 1 },
  { header: 'Ref', get: 'ref', as: 'name', priority: 1, link: true },
  { header: 'Actor', get: 'actor', as: 'name', priority: 1 },
  { header: 'What', get: ({ activity, result }) => activity ?? (result === 'fail' ? 'refused' : ''), priority: 2 },
  { header: 'Verdict', get: 'verdict', priority: 2 },
  { header: 'Live', get: ({ live }) => live ?? undefined, priority: 2, optional: true },
  { header: 'Rules', get: ({ rules, verdict }) => typesOf(rules, verdict), as: 'text', priority: 1 },
  { header: 'Page', get: 'html_url', priority: 3 },
];

const typesOf = (rules: readonly ImpactRule[], verdict: Verdict): string =>
  [...new Set(rules.filter((rule) => rule.verdict === verdict && verdict !== 'allowed').map(({ type }) => type))].join(
    ', ',
  );

/** Returns the columns of counts; `what` is the header of their names. */
export const countColumns = (what: string): readonly Column<NamedCounts>[] => [
  { header: what, get: ({ name }) => name ?? 'unknown', as: 'name', priority: 1 },
  { header: 'Refused', get: 'refused', as: 'count', priority: 1 },
  { header: 'Unknown', get: 'unknown', as: 'count', priority: 1 },
  { header: 'Bypassed', get: 'bypassed', as: 'count', priority: 1 },
  { header: 'Allowed', get: 'allowed', as: 'count', priority: 1 },
];

/** `pushes 412: 371 allowed, 18 refused, 3 bypassed, 20 unknown` */
export const summaryText = ({ pushes, allowed, refused, bypassed, unknown, missing }: ImpactSummary): string =>
  pushes === null
    ? `pushes: ${missing}`
    : `pushes ${formatCount(pushes)}: ${['allowed', 'refused', 'bypassed', 'unknown']
        .map((word, at) => `${formatCount([allowed, refused, bypassed, unknown][at] ?? 0)} ${word}`)
        .join(', ')}`;

/** Returns what a reader of the summary must know about its facts. */
export function summaryNotes(
  { summary, pushes }: Impact,
  { subject, mostDetails }: { subject: Subject; mostDetails: number },
): string[] {
  const { rule_suites: suites, time_period: period, repositories, compared, missing } = summary;
  if (missing !== null) {
    const { target, name } = subject.ruleset;
    return [
      `Ruleset ${name} is a ${target} ruleset: ${missing}. Create it with enforcement evaluate, and run impact with its ID later.`,
    ];
  }
  if (repositories === 0) return [`Ruleset ${subject.ruleset.name} selects none of the repositories.`];
  const notes: string[] = [];
  if (compared !== null)
    notes.push(`${formatCount(pushes.length)} of ${formatCount(compared)} pushes differ from the live version.`);
  if (subject.isEvaluated && summary.pushes === 0)
    notes.push(
      `The platform has evaluated no push since ${subject.live?.updated_at}, when the ruleset was changed last. To judge earlier pushes, run impact with a file.`,
    );
  else if (subject.isEvaluated)
    notes.push(`Judged by the platform: its evaluations of the last ${period}, since the ruleset was last changed.`);
  else if (suites?.missing) notes.push(`Refused pushes are not included: ${suites.missing}.`);
  else if (suites && suites.time_period !== period)
    notes.push(`Refused pushes are those of the last ${suites.time_period}; the platform keeps no older rule suites.`);
  const again = pushes.filter(({ verdict, result }) => verdict === 'refused' && result === 'fail').length;
  if (again > 0 && !subject.isEvaluated && compared === null)
    notes.push(
      `${formatCount(again)} of the refused pushes ${again === 1 ? 'was' : 'were'} refused already, by active rulesets.`,
    );
  if (suites && suites.unread > 0)
    notes.push(
      `The rules of ${counted(suites.unread, 'rule suite')} were not read; --suite-details allows ${formatCount(mostDetails)}.`,
    );
  return notes;
}
