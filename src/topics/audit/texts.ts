/** What an audit says about itself: counts, and what was not checked. */

import { severities } from '../../foresight/audit/check.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import type { AuditReport, AuditSummary } from './report.ts';

const plural = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const repositoriesText = (count: number): string => plural(count, 'repository', 'repositories');

/** Returns the lines at the head of each output. */
export function headLines({
  organizations,
  checks,
  summary,
}: Pick<AuditReport, 'organizations' | 'checks' | 'summary'>): string[] {
  const audited = organizations.reduce((sum, { repositories }) => sum + (repositories?.audited ?? 0), 0);
  const read = organizations.filter(({ unreadable }) => !unreadable);
  const names = read.length > 3 ? [counted(read.length, 'target')] : read.map(({ name }) => name);
  const targets = `${names.join(', ')}${audited ? ` with ${repositoriesText(audited)}` : ''}`;
  const notChecked = notCheckedText(summary);
  return [
    // “No findings” would sound like a result of what was not seen.
    read.length === 0
      ? 'Nothing was audited.'
      : `${targets}, ${counted(checks.length, 'check')}: ${openText(summary)}${othersText(summary)}.`,
    ...(notChecked ? [`Not checked: ${notChecked}.`] : []),
    ...unreadableLines({ organizations }),
  ];
}

export const unreadableLines = ({ organizations }: Pick<AuditReport, 'organizations'>): string[] =>
  organizations.flatMap(({ name, unreadable }) => (unreadable ? [`${name} cannot be read: ${unreadable}.`] : []));

const openCount = ({ open }: AuditSummary): number => severities.reduce((sum, severity) => sum + open[severity], 0);

function openText(summary: AuditSummary): string {
  const total = openCount(summary);
  if (total === 0) return 'no findings';
  const parts = severities.filter((severity) => summary.open[severity] > 0);
  const counts = parts.map((severity) => `${formatCount(summary.open[severity])} ${severity}`);
  return `${counted(total, 'finding')} (${counts.join(', ')})`;
}

function othersText({ suppressed, baseline }: AuditSummary): string {
  const parts = [
    ...(suppressed ? [`${formatCount(suppressed)} suppressed`] : []),
    ...(baseline ? [`${formatCount(baseline.new)} new and ${formatCount(baseline.gone)} gone since the baseline`] : []),
  ];
  return parts.map((part) => `, ${part}`).join('');
}

function notCheckedText({ not_checked: not, unreadable }: AuditSummary): string {
  const parts = [
    [not.organizations, counted(not.organizations, 'organization')],
    [not.archived_repositories, plural(not.archived_repositories, 'archived repository', 'archived repositories')],
    [not.other_repositories, plural(not.other_repositories, 'other repository', 'other repositories')],
    [unreadable, `${counted(unreadable, 'judgement')} whose facts cannot be read`],
    [
      not.deep.length,
      `${counted(not.deep.length, 'check')} that ${not.deep.length === 1 ? 'requires' : 'require'} --deep`,
    ],
    [not.disabled.length, `${counted(not.disabled.length, 'disabled check')}`],
    [not.skipped.length, `${counted(not.skipped.length, 'other check')}`],
  ] as const;
  return parts.flatMap(([count, text]) => (count ? [text] : [])).join(', ');
}
