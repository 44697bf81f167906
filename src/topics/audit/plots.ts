/** Plots of the findings of an audit: by check, organization, age and change. */
import { type Severity, severities } from '../../foresight/audit/check.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Tone } from '../../output/report/page-data.ts';
import type { Plot } from '../../output/report/plots.ts';
import type { AuditFinding } from './report.ts';

/** Most severe first. */
export const tones: readonly (readonly [Severity, Tone])[] = [
  ['high', 'bad'],
  ['medium', 'warn'],
  ['low', 'info'],
  ['info', 'calm'],
];

type BySeverity = Record<Severity, number>;

/** In days: when the state of a finding began. */
const ages: readonly (readonly [name: string, most: number])[] = [
  ['up to 30 days', 30],
  ['up to 90 days', 90],
  ['up to a year', 365],
  ['longer', Number.POSITIVE_INFINITY],
];

const unknownAge = 'not known';

/** Bars of a plot; the table has all names. */
const mostBars = 12;

/** Counts findings for the plots. */
export class FindingCounts {
  readonly #now: number;
  readonly #byCheck = new Map<string, BySeverity>();
  readonly #byOwner = new Map<string, BySeverity>();
  readonly #byAge = new Map<string, BySeverity>(
    [...ages.map(([name]) => name), unknownAge].map((name) => [name, none()]),
  );
  readonly #byChange = new Map<string, BySeverity>(['new', 'same', 'gone'].map((name) => [name, none()]));

  constructor(now: number) {
    this.#now = now;
  }

  add({ check, severity, target, status, since, baseline }: AuditFinding): void {
    if (baseline !== undefined && (status === 'fail' || baseline === 'gone')) count(this.#byChange, baseline, severity);
    if (status !== 'fail') return;
    count(this.#byCheck, check, severity);
    count(this.#byOwner, target.split('/')[0] ?? target, severity);
    const days = since === null ? Number.NaN : (this.#now - Date.parse(since.time)) / (24 * 60 * 60 * 1000);
    count(this.#byAge, ages.find(([, most]) => days <= most)?.[0] ?? unknownAge, severity);
  }

  plots(isCompared: boolean): readonly Plot[] {
    if (this.#byCheck.size === 0 && !isCompared) return [];
    const ofAges = [...this.#byAge].filter(([, counts]) => totalOf(counts) > 0);
    return [
      barsOf('By check', 'Check', sorted(this.#byCheck)),
      ...(this.#byOwner.size > 1 ? [barsOf('By organization', 'Organization', sorted(this.#byOwner))] : []),
      barsOf('By age', 'Age', ofAges),
      ...(isCompared ? [barsOf('Change since the baseline', 'Change', [...this.#byChange])] : []),
    ].filter(({ names }) => names.length > 0);
  }
}

const none = (): BySeverity => ({ high: 0, medium: 0, low: 0, info: 0 });

function count(counts: Map<string, BySeverity>, name: string, severity: Severity): void {
  const found = counts.get(name) ?? none();
  found[severity]++;
  counts.set(name, found);
}

const totalOf = (counts: BySeverity): number => severities.reduce((sum, severity) => sum + counts[severity], 0);

/** The most severe first: one finding of high severity precedes any number of others. */
const sorted = (counts: ReadonlyMap<string, BySeverity>): readonly (readonly [string, BySeverity])[] =>
  [...counts].sort(([nameA, a], [nameB, b]) => {
    const decisive = severities.find((severity) => a[severity] !== b[severity]);
    return decisive ? b[decisive] - a[decisive] : nameA < nameB ? -1 : 1;
  });

function barsOf(title: string, header: string, named: readonly (readonly [string, BySeverity])[]): Plot {
  const shown = named.slice(0, mostBars);
  const more = named.length - shown.length;
  return {
    title,
    kind: 'bars',
    header,
    names: shown.map(([name]) => name),
    series: tones.map(([name, tone]) => ({ name, tone, values: shown.map(([, counts]) => counts[name]) })),
    note: more > 0 ? `${formatCount(more)} more, less severe.` : undefined,
  };
}
