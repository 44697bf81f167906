/** The impact of a ruleset as a report in HTML. */
import type { Verdict } from '../../../foresight/facts.ts';
import { formatCount, percent } from '../../../output/amounts.ts';
import type { Tone } from '../../../output/report/page-data.ts';
import type { Plot, PlotSeries } from '../../../output/report/plots.ts';
import type { Report } from '../../../output/report/report.ts';
import { type Detail, mostRows, type ReportTable, reportTable } from '../../../output/report/table.ts';
import { type Impact, type ImpactPush, type NamedCounts, newestFirst } from './result.ts';

/** Most serious first, which is also the order of the stacks. */
const verdicts: readonly (readonly [Verdict, Tone])[] = [
  ['refused', 'bad'],
  ['unknown', 'warn'],
  ['bypassed', 'info'],
  ['allowed', 'calm'],
];

/** What the report says of the run. */
interface ReportFacts {
  readonly notes: readonly string[];
  readonly platform: string;
  /** When the report was written. */
  readonly now: Date;
}

/** Returns the report of an impact. */
export function impactReport(impact: Impact, { notes, platform, now }: ReportFacts): Report {
  const { ruleset, summary, pushes } = impact;
  const { time_period: period, repositories, compared } = summary;
  const { days, sample } = readOnce(pushes);
  const facts: [string, string][] = [
    ['Source', ruleset.source],
    ['Target', ruleset.target],
    ['Enforcement', ruleset.enforcement],
    ['Period', `last ${period}`],
    ['Repositories', formatCount(repositories)],
    ['Platform', platform],
    ['Created', `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
  ];
  const difference = compared === null ? '' : ' Only pushes for which it differs from the live version are listed.';
  return {
    kind: 'Ruleset impact',
    title: ruleset.name,
    lead: `What this ruleset would have done to the pushes of the last ${period}.${difference}`,
    facts: ruleset.source === '' ? facts.slice(1) : facts,
    numbers: numbersOf(impact),
    notes,
    plots: pushes.length ? plotsOf(summary, days) : [],
    table: pushTable(sample, { total: pushes.length, isCompared: compared !== null }),
  };
}

function numbersOf({ summary }: Impact): Report['numbers'] {
  const { pushes } = summary;
  if (pushes === null) return [];
  const share = (count: number) => (pushes > 0 && count > 0 ? percent(count / pushes) : undefined);
  return [
    { label: 'Pushes', value: pushes },
    ...verdicts.map(([verdict, tone]) => {
      const value = summary[verdict] ?? 0;
      const note = share(value);
      const label = `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}`;
      return { label, value, tone, ...(note !== undefined && { note }) };
    }),
  ];
}

/** The number of pushes by verdict, for each day since 1970. */
type Days = ReadonlyMap<number, Readonly<Partial<Record<Verdict, number>>>>;

/** Counts the pushes of each day, and returns those that the table can have: of too many, the most serious. */
function readOnce(pushes: Iterable<ImpactPush>): { readonly days: Days; readonly sample: readonly ImpactPush[] } {
  const days = new Map<number, Partial<Record<Verdict, number>>>();
  const byVerdict = new Map<Verdict, ImpactPush[]>(verdicts.map(([verdict]) => [verdict, []]));
  for (const push of pushes) {
    const { verdict, time } = push;
    const date = Math.floor(Date.parse(time) / day);
    const counts = days.get(date) ?? {};
    days.set(date, counts);
    counts[verdict] = (counts[verdict] ?? 0) + 1;
    const kept = byVerdict.get(verdict);
    if (kept && kept.length < mostRows) kept.push(push);
  }
  return { days, sample: [...byVerdict.values()].flatMap((kept) => kept.sort(newestFirst)) };
}

function plotsOf(summary: Impact['summary'], days: Days): readonly Plot[] {
  return [
    pushesByDay(days),
    ...[
      barsOf('By repository', 'Repository', summary.by_repository),
      barsOf('By actor', 'Actor', summary.by_actor),
      barsOf('By rule', 'Rule', summary.by_rule),
    ].flatMap((plot) => plot ?? []),
  ];
}

/** In milliseconds. */
const day = 24 * 60 * 60 * 1000;

/** More columns would be too thin. */
const mostDays = 92;

function pushesByDay(days: Days): Plot {
  const dates = [...days.keys()].filter(Number.isFinite).sort((a, b) => a - b);
  const [first = 0, last = 0] = [dates[0], dates.at(-1)];
  const step = last - first < mostDays ? 1 : 7;
  const count = dates.length ? Math.floor((last - first) / step) + 1 : 0;
  const names = Array.from({ length: count }, (_, at) =>
    new Date((first + at * step) * day).toISOString().slice(0, 10),
  );
  const series = verdicts.map(([verdict, tone]) => {
    const values = names.map(() => 0);
    for (const date of dates) {
      const column = Math.floor((date - first) / step);
      values[column] = (values[column] ?? 0) + (days.get(date)?.[verdict] ?? 0);
    }
    return { name: verdict, tone, values };
  });
  const [title, header] = step === 1 ? ['Pushes by day', 'Day (UTC)'] : ['Pushes by week', 'Week from'];
  return { title, kind: 'columns', header, names, series: series.toReversed() };
}

/** Bars of a plot; the table has all names. */
const mostBars = 10;

/** Returns a plot of the names with pushes that are not simply allowed; of all, if every push is. */
function barsOf(title: string, header: string, named: readonly NamedCounts[]): Plot | undefined {
  const open = named.filter(({ pushes, allowed }) => pushes > allowed);
  if (named.length === 0) return undefined;
  const shown = (open.length ? open : named).slice(0, mostBars);
  const series = verdicts
    .filter(([verdict]) => open.length === 0 || verdict !== 'allowed')
    .map(([name, tone]): PlotSeries => ({ name, tone, values: shown.map((counts) => counts[name]) }));
  const more = (open.length ? open : named).length - shown.length;
  return {
    title,
    kind: 'bars',
    header,
    names: shown.map(({ name }) => name ?? 'unknown'),
    series,
    note: [
      ...(open.length ? ['Without allowed pushes.'] : []),
      ...(more > 0 ? [`${formatCount(more)} more with fewer.`] : []),
    ].join(' '),
  };
}

function pushTable(
  records: readonly ImpactPush[],
  { total, isCompared }: { readonly total: number; readonly isCompared: boolean },
): ReportTable {
  const words = verdicts;
  return reportTable({
    title: 'Pushes',
    names: ['push', 'pushes'],
    emptyText: 'No pushes.',
    ...{ records, total },
    columns: [
      {
        label: 'Verdict',
        kind: 'word',
        narrow: 'tag',
        width: 2.2,
        filters: true,
        words,
        get: ({ verdict }) => verdict,
      },
      {
        label: 'Repository',
        kind: 'text',
        narrow: 'main',
        width: 5,
        filters: true,
        get: ({ repository }) => repository,
      },
      { label: 'Ref', kind: 'code', narrow: 'sub', width: 5, filters: false, get: ({ ref }) => branchOf(ref) },
      { label: 'Actor', kind: 'text', narrow: 'none', width: 3, filters: true, get: ({ actor }) => actor ?? '' },
      { label: 'When', kind: 'time', narrow: 'aside', width: 3, filters: false, get: ({ time }) => time },
      { label: 'What', kind: 'text', narrow: 'none', width: 2.6, filters: true, get: whatOf },
      ...(isCompared
        ? [
            {
              ...({ label: 'Live', kind: 'word', narrow: 'none', width: 2.2, filters: true, words } as const),
              get: ({ live }: ImpactPush) => live ?? '',
            },
          ]
        : []),
      { label: 'Rules', kind: 'text', narrow: 'none', width: 4, filters: false, get: rulesOf },
    ],
    detailsOf,
  });
}

const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '');

const whatOf = ({ activity, result }: ImpactPush): string =>
  (activity ?? (result === 'fail' ? 'refused' : '')).replaceAll('_', ' ');

const rulesOf = ({ rules, verdict }: ImpactPush): string =>
  verdict === 'allowed'
    ? ''
    : [...new Set(rules.filter((rule) => rule.verdict === verdict).map(({ type }) => type))].join(', ');

function detailsOf({ rules, ref, before, after, rule_suite: suite, html_url: page }: ImpactPush): readonly Detail[] {
  const judged = rules.map(
    ({ type, verdict, missing }) => `${type}: ${verdict}${missing === null ? '' : ` (not known: ${missing})`}`,
  );
  return [
    ...(judged.length ? [{ kind: 'text', label: 'Rules of the ruleset', text: judged.join('\n') } as const] : []),
    { kind: 'code', label: 'Ref', text: ref },
    { kind: 'code', label: 'Commits, before and after', text: `${before}\n${after}` },
    ...(suite === null ? [] : [{ kind: 'text', label: 'Rule suite', text: String(suite) } as const]),
    ...(page === null ? [] : [{ kind: 'link', label: 'Change', text: page } as const]),
  ];
}
