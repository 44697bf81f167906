/** Audits as reports in HTML. */

import { checks } from '../../foresight/audit/checks/index.ts';
import { suppressionExpired } from '../../foresight/audit/suppressions.ts';
import { asText } from '../../json/exact-json.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Tone } from '../../output/report/page-data.ts';
import type { Report } from '../../output/report/report.ts';
import { type Detail, type ReportColumn, reportTable } from '../../output/report/table.ts';
import { FindingCounts, tones } from './plots.ts';
import type { AuditEvidence, AuditFinding, AuditReport } from './report.ts';

const descriptions = new Map(
  checks.map(({ id, title, description, documents }) => [id, { title, description, documents }]),
);

/** What a report needs of an audit; the findings have policies, and secrets are masked. */
interface AuditInput extends Omit<AuditReport, 'findings'> {
  readonly findings: Iterable<AuditFinding> & { readonly length: number };
}

/** Returns the report of an audit. `notes` are the lines at its head. */
export function auditPage(audit: AuditInput, notes: readonly string[]): Report {
  const { platform, time, organizations, checks: ids, shard, summary, findings } = audit;
  const tally = new FindingCounts(Date.parse(time));
  const table = reportTable({
    title: 'Findings',
    names: ['finding', 'findings'],
    emptyText: 'No findings.',
    records: counting(findings, (finding) => tally.add(finding)),
    total: findings.length,
    columns: columnsOf(summary.baseline !== undefined),
    detailsOf,
  });
  const repositories = organizations.reduce((sum, { repositories: counts }) => sum + (counts?.audited ?? 0), 0);
  return {
    kind: 'Audit',
    title: titleOf(organizations.map(({ name }) => name)),
    lead: 'The most severe findings first. Open one for its evidence and the way to mend it.',
    facts: [
      ['Platform', platform],
      ['Time', `${time.slice(0, 16).replace('T', ' ')} UTC`],
      ['Checks', formatCount(ids.length)],
      ['Repositories', formatCount(repositories)],
      ...(shard === undefined ? [] : [['Shard', shard] as const]),
    ],
    numbers: numbersOf(summary),
    notes,
    plots: tally.plots(summary.baseline !== undefined),
    table,
  };
}

/** Names in the title. */
const mostNames = 5;

const titleOf = (names: readonly string[]): string =>
  names.length > mostNames
    ? `${names.slice(0, mostNames).join(', ')} and ${formatCount(names.length - mostNames)} more`
    : names.join(', ');

function* counting<T>(records: Iterable<T>, count: (record: T) => void): Iterable<T> {
  for (const record of records) {
    count(record);
    yield record;
  }
}

function numbersOf({ open, unreadable, suppressed, baseline }: AuditReport['summary']): Report['numbers'] {
  return [
    ...tones.map(([severity, tone]) => ({ label: capitalized(severity), value: open[severity], tone })),
    { label: 'Unreadable', value: unreadable, tone: 'warn' },
    { label: 'Suppressed', value: suppressed },
    ...(baseline
      ? [
          { label: 'New', value: baseline.new, note: 'since the baseline' },
          { label: 'Gone', value: baseline.gone, note: 'since the baseline' },
        ]
      : []),
  ];
}

const capitalized = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const statusTones: readonly (readonly [string, Tone])[] = [
  ['open', 'calm'],
  ['unreadable', 'warn'],
  ['suppressed', 'calm'],
  ['pass', 'calm'],
  ['gone', 'calm'],
];

function columnsOf(isCompared: boolean): readonly ReportColumn<AuditFinding>[] {
  const change = {
    ...({ label: 'Change', kind: 'text', narrow: 'none', width: 2, filters: true } as const),
    get: ({ baseline }: AuditFinding) => baseline ?? '',
  };
  return [
    {
      label: 'Severity',
      kind: 'word',
      narrow: 'tag',
      width: 2.4,
      filters: true,
      words: tones,
      get: ({ severity }) => severity,
    },
    { label: 'Target', kind: 'text', narrow: 'main', width: 4.6, filters: false, get: ({ target }) => target },
    { label: 'Check', kind: 'text', narrow: 'none', width: 5, filters: true, get: ({ check }) => check },
    { label: 'Finding', kind: 'text', narrow: 'sub', width: 9, filters: false, get: ({ message }) => message },
    { label: 'Status', kind: 'word', narrow: 'none', width: 2.6, filters: true, words: statusTones, get: statusOf },
    ...(isCompared ? [change] : []),
    { label: 'Since', kind: 'time', narrow: 'aside', width: 2, filters: false, get: ({ since }) => since?.time ?? '' },
  ];
}

const statusOf = ({ status, baseline }: AuditFinding): string =>
  baseline === 'gone' ? 'gone' : status === 'fail' ? 'open' : status;

function detailsOf(finding: AuditFinding): readonly Detail[] {
  const { check, object, message, evidence, evidence_total: total, since, fix, suppression } = finding;
  const { title = suppressionExpired.title, description, documents = [] } = descriptions.get(check) ?? {};
  const more = total - evidence.length;
  const lines = [...evidence.map(evidenceText), ...(more > 0 ? [`and ${formatCount(more)} more`] : [])];
  const texts: readonly (readonly [Detail['kind'], string, string | null | undefined])[] = [
    ['text', 'Finding', message],
    ['text', 'Object', object],
    ['code', `Evidence${total > 1 ? ` (${formatCount(total)})` : ''}`, lines.join('\n')],
    ['command', 'Mend with', fix?.command],
    ['command', 'Or with a policy', fix?.policy?.trimEnd()],
    ['text', 'How to mend', fix?.hint],
    ['text', 'Suppressed', suppression && `${suppression.reason} (until ${suppression.until})`],
    ['text', 'Source of the time', since?.source],
    ['text', 'Check', description === undefined ? title : `${title}. ${description}`],
    ...documents.map((url) => ['link', 'Documentation', url] as const),
  ];
  return texts.flatMap(([kind, label, text]) => (text ? [{ kind, label, text }] : []));
}

const evidenceText = ({ name, value, url }: AuditEvidence): string =>
  [value === undefined ? name : `${name}: ${[value].flat().map(asText).join(',')}`, ...(url === undefined ? [] : [url])]
    .map(asText)
    .join('  ');
