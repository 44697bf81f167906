/** The tables of an impact on a terminal: counts by rule, actor and repository, then pushes. */

import { formatCount } from '../../../output/amounts.ts';
import { type Column, shownColumns } from '../../../output/table/columns.ts';
import { tableFormat } from '../../../output/table/table.ts';
import type { Terminal } from '../../../output/terminal.ts';
import { countColumns, type Impact, type NamedCounts, pushColumns, shownPushes } from './result.ts';

/** The number of actors and repositories with the most refusals, and of pushes; -o json has all. */
const [mostNames, mostPushes] = [10, 50];

/** Returns the tables; undefined if there is nothing to show. */
export async function drawnImpact(impact: Impact, terminal: Terminal): Promise<string | undefined> {
  const { by_rule, by_actor, by_repository } = impact.summary;
  if (impact.pushes.length === 0) return '';
  const pushes = shownPushes(impact);
  const parts = [
    await counts('Rule', by_rule, terminal),
    await counts('Actor', by_actor, terminal),
    await counts('Repository', by_repository, terminal),
    await table(pushes, pushColumns, mostPushes, terminal),
  ];
  return `${parts.filter(Boolean).join('\n')}${terminal.stdoutIsTTY ? '\n' : ''}`;
}

/** Only names with pushes that are not simply allowed. */
const counts = (what: string, named: readonly NamedCounts[], terminal: Terminal): Promise<string> =>
  table(
    named.filter(({ allowed, pushes }) => allowed < pushes),
    countColumns(what),
    mostNames,
    terminal,
  );

async function table<T>(records: readonly T[], columns: readonly Column<T>[], most: number, terminal: Terminal) {
  if (records.length === 0) return '';
  const format = tableFormat(shownColumns(columns), terminal);
  await format.page(records.slice(0, most));
  const more = records.length - most;
  return (await format.end()) + (more > 0 ? `… and ${formatCount(more)} more; -o json has all\n` : '');
}
