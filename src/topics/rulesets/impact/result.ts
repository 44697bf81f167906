/** The result of `rulesets impact`: its JSON, and the rows of its tables. */

import type { Verdict } from '../../../foresight/facts.ts';
import { type Counts, count, isNoCommit, noCounts, Tally, worstOf } from '../../../foresight/impact.ts';
import { asText, parseJson } from '../../../json/exact-json.ts';
import { LazyList } from '../../../json/lazy-list.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import type { Column } from '../../../output/table/columns.ts';
import type { SelectedRepository } from './repositories.ts';
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
  /** By repository, newest first. */
  pushes: LazyList<ImpactPush>;
}

interface ImpactInput {
  readonly subject: Subject;
  readonly judged: Judged | undefined;
  readonly pushes: ImpactPushes;
  readonly period: string;
  readonly repositories: number;
  readonly isCompared: boolean;
}

const notFromActivity = 'not known from activity, which has branches only';

/** Returns the result; `judged` is absent if activity does not show what the ruleset is about. */
export function impactOf({ subject, judged, pushes, period, repositories, isCompared }: ImpactInput): Impact {
  const { id, name, source, target, enforcement } = subject.ruleset;
  return {
    ruleset: { id: id ?? null, name, source, target, enforcement },
    summary: {
      ...(judged ? pushes.counts : { pushes: null, allowed: null, refused: null, bypassed: null, unknown: null }),
      by_rule: namedCounts(pushes.byRule),
      by_actor: namedCounts(pushes.byActor),
      by_repository: namedCounts(pushes.byRepository),
      missing: judged ? null : notFromActivity,
      compared: isCompared && judged ? judged.compared : null,
      time_period: period,
      repositories,
      unreadable: [...(judged?.unreadable ?? [])],
      rule_suites: judged ? suitesOf(judged.suites) : null,
    },
    pushes: pushes.list(),
  };
}

const suitesOf = ({ period, count: suites, unread, unreadable }: SuitesRead) => ({
  time_period: period,
  suites: suites ?? null,
  unread,
  missing: unreadable ?? null,
});

const namedCounts = (tally: Tally): NamedCounts[] =>
  tally.sorted().map(([name, counts]) => ({ name: name || null, ...counts }));

/** A push in memory, without what it shares with others. */
type KeptPush = Omit<ImpactPush, 'repository' | 'html_url' | 'rules'> & { readonly rules: number };

/** Counts judged pushes, and keeps their records as text: there may be very many. */
export class ImpactPushes {
  readonly counts = noCounts();
  readonly byRule = new Tally();
  readonly byActor = new Tally();
  readonly byRepository = new Tally();
  /** The number of pushes that active rulesets had refused, and this one refuses too. */
  refusedAgain = 0;
  readonly #ofRepositories: { readonly repository: SelectedRepository; readonly pushes: Buffer }[] = [];
  /** The number of each list of rules, as JSON. There are few. */
  readonly #rules = new Map<string, number>();

  add(repository: SelectedRepository, pushes: readonly JudgedPush[]): void {
    if (pushes.length === 0) return;
    for (const push of pushes) this.#count(push);
    const kept = pushes.map((push) => this.#kept(push)).sort(newestFirst);
    this.#ofRepositories.push({ repository, pushes: Buffer.from(JSON.stringify(kept)) });
  }

  #count({ rules, push: { pusher }, repository, verdict, suite }: JudgedPush): void {
    count(this.counts, verdict);
    for (const [type, all] of Map.groupBy(rules, (rule) => rule.type)) this.byRule.add(type, worstOf(all));
    this.byActor.add(pusher?.login ?? '', verdict);
    this.byRepository.add(repository.full_name, verdict);
    if (verdict === 'refused' && suite?.result === 'fail') this.refusedAgain++;
  }

  #kept({ push: { ref, before, after, pusher, time, activity }, suite, verdict, rules, live }: JudgedPush): KeptPush {
    const text = JSON.stringify(rules.map((rule): ImpactRule => ({ ...rule, missing: rule.missing ?? null })));
    const number = this.#rules.get(text) ?? this.#rules.size;
    this.#rules.set(text, number);
    return {
      ...{ ref, before, after, actor: pusher?.login ?? null, time, activity: activity ?? null, verdict, rules: number },
      ...{ live: live ?? null, rule_suite: suite?.id ?? null, result: suite?.result ?? null },
    };
  }

  /** Returns the pushes by repository, newest first. */
  list(): LazyList<ImpactPush> {
    const sorted = this.#ofRepositories.toSorted((a, b) => compareText(a.repository.full_name, b.repository.full_name));
    const rulesOf = [...this.#rules.keys()].map((text) => JSON.parse(text) as ImpactRule[]);
    return new LazyList(this.counts.pushes, function* () {
      for (const { repository, pushes } of sorted)
        for (const push of parseJson(pushes.toString()) as KeptPush[])
          yield {
            ...{ repository: repository.full_name, ...push, rules: rulesOf[push.rules] ?? [] },
            html_url: pageOf(repository, push),
          };
    });
  }
}

function pageOf({ page }: SelectedRepository, { before, after, result }: KeptPush): string | null {
  if (page === undefined || result === 'fail') return null;
  const [isNew, isGone] = [isNoCommit(before), isNoCommit(after)];
  return isNew || isGone ? `${page}/commit/${isGone ? before : after}` : `${page}/compare/${before}...${after}`;
}

type Dated = Pick<ImpactPush, 'time' | 'ref' | 'after'> & Partial<Pick<ImpactPush, 'repository'>>;

export const newestFirst = (a: Dated, b: Dated): number =>
  compareText(b.time, a.time) ||
  compareText(a.repository ?? '', b.repository ?? '') ||
  compareText(a.ref, b.ref) ||
  compareText(a.after, b.after);

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** Returns the pushes that a table shows, newest first: with --compare all that differ, otherwise those that are refused. */
export function shownPushes({ pushes, summary }: Pick<Impact, 'pushes' | 'summary'>): ImpactPush[] {
  const shown: ImpactPush[] = [];
  for (const push of pushes) if (summary.compared !== null || push.verdict === 'refused') shown.push(push);
  return shown.sort(newestFirst);
}

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
  { subject, mostDetails, refusedAgain }: { subject: Subject; mostDetails: number; refusedAgain: number },
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
      `The platform has evaluated no push since ${asText(subject.live?.updated_at)}, when the ruleset was changed last. To judge earlier pushes, run impact with a file.`,
    );
  else if (subject.isEvaluated)
    notes.push(`Judged by the platform: its evaluations of the last ${period}, since the ruleset was last changed.`);
  else if (suites?.missing) notes.push(`Refused pushes are not included: ${suites.missing}.`);
  else if (suites && suites.time_period !== period)
    notes.push(`Refused pushes are those of the last ${suites.time_period}; the platform keeps no older rule suites.`);
  if (refusedAgain > 0 && !subject.isEvaluated && compared === null)
    notes.push(
      `${formatCount(refusedAgain)} of the refused pushes ${refusedAgain === 1 ? 'was' : 'were'} refused already, by active rulesets.`,
    );
  if (suites && suites.unread > 0)
    notes.push(
      `The rules of ${counted(suites.unread, 'rule suite')} were not read; --suite-details allows ${formatCount(mostDetails)}.`,
    );
  return notes;
}
