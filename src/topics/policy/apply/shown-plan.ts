/** The plan that `policy apply` shows before the confirmation. */
import { type PrintedLine, printedLine } from '../../../cli/input/printed-line.ts';
import type { Screen } from '../../../cli/report/messages.ts';
import { plannedKinds } from '../../../fleet/policy/kinds/names.ts';
import { actions, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import { maskSecrets } from '../../../output/secrets.ts';
import { planTotals } from '../rendering/counts.ts';
import { type PlanRow, planRows } from '../rendering/rows.ts';
import { mostLines, planLines } from '../rendering/text.ts';
import { applyFlags } from './flags.ts';

/** Rows of a long plan. */
const mostRows = 40;

export interface Showing {
  readonly prunes: boolean;
  readonly typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>;
  /** The saved plan, or the journal. */
  readonly file: string | undefined;
  readonly counts: string;
  readonly draw: (layOut: (screen: Screen) => Promise<string | undefined>) => Promise<void>;
  readonly table: (rows: readonly PlanRow[]) => Promise<void>;
  readonly notice: (text: string) => void;
}

/** Shows a plan, and below it its totals: as a table if it is long. */
export async function showPlan(changes: readonly PlannedChange[], showing: Showing): Promise<void> {
  const { prunes, file, counts, draw, table, notice } = showing;
  let count = 0;
  await draw(async (screen) => {
    const lines = await planLines(changes, { prunes }, screen);
    count = lines.length;
    return count > mostLines || count === 0 ? undefined : `${lines.join('\n')}\n`;
  });
  if (count > mostLines) {
    const shown = changes.filter(({ action }) => action !== 'unverified');
    const rows = planRows({ changes: shown }, { prunes, inFull: file !== undefined });
    const kept = rows.filter(isAlwaysShown);
    await table(kept);
    if (kept.length < rows.length) notice(`… and ${counted(rows.length - kept.length, 'more row')}.`);
    notice(printedLine(`Show all ${formatCount(count)} lines with`, lineShowingAll(showing)));
  }
  for (const text of planTotals(changes, counts, prunes)) notice(text);
}

/** Rows that send a secret, delete, loosen or require confirmation are always shown. */
const isAlwaysShown = ({ sign, effect, detail }: PlanRow, at: number): boolean =>
  at < mostRows || sign === '-' || /loosens|asks/.test(effect) || detail.includes('secret from ');

/** The flags of policy apply that policy plan has. */
const ofPlan = ['organization', 'concurrency', 'allow-unknown', 'deny'];

function lineShowingAll({ typed, file }: Showing): PrintedLine {
  const [program = ''] = typed.command;
  const flags = ['--expand'];
  if (file !== undefined) return { command: [program, 'policy', 'show'], given: [], declared: {}, args: [file], flags };
  const without = [...Object.keys(applyFlags).filter((name) => !ofPlan.includes(name)), 'output', 'debug'];
  return { ...typed, command: [program, 'policy', 'plan'], without, flags };
}

/** Returns changes with their secrets masked, but for words of plans, which a short secret may be. */
export function maskedChanges(
  changes: readonly PlannedChange[],
  masked: (text: string) => string,
): readonly PlannedChange[] {
  const fields = changes.flatMap(({ before = {}, body = {}, between = {} }) =>
    [before, body, between].flatMap((given) => Object.keys(given)),
  );
  const words = new Set([...wordsOfPlans, ...changes.flatMap((change) => Object.keys(change)), ...fields]);
  return maskSecrets(changes, (text) => (words.has(text) ? text : masked(text)));
}

/** The values of changes that are no data, and the names within them. */
const wordsOfPlans: readonly string[] = [
  ...actions,
  ...plannedKinds,
  ...['tightens', 'loosens', 'neutral'],
  ...['path', 'from', 'to', 'omitted', 'env', 'file', 'source', 'selected_repository_ids'],
];
