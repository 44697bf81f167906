/** The plan that `policy apply` shows before the confirmation. */
import { type PrintedLine, printedLine } from '../../../cli/input/printed-line.ts';
import type { Screen } from '../../../cli/report/messages.ts';
import type { PlannedChange } from '../../../fleet/policy/live/change.ts';
import { ownMember } from '../../../json/exact-json.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import { secretMasker } from '../../../output/secrets.ts';
import type { Given } from '../../../platform/validate.ts';
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

/** Returns changes with their secrets masked. Our own words, which a short secret may be, are kept. */
export function maskedChanges(
  changes: readonly PlannedChange[],
  masked: (text: string) => string,
): readonly PlannedChange[] {
  const mask = secretMasker(masked);
  return changes.map((change) => {
    const { action, kind, effect, before, body, between, secret, writeOnly } = change;
    const whole = withNames(change, mask(change));
    const parts = Object.entries({ before, body, between, secret, writeOnly }).flatMap(([name, part]) =>
      part ? [[name, withNames(part, ownMember(whole as unknown as Given, name) as object)] as const] : [],
    );
    const fields = whole.changes.map((field, at) => withNames(change.changes[at] ?? field, field));
    const words = { action, kind, changes: fields, ...(effect && { effect }) };
    return { ...whole, ...Object.fromEntries(parts), ...words } as PlannedChange;
  });
}

/** Returns an object with the values of another one, whose names may be masked. */
function withNames<T extends object>(named: T, other: object): T {
  const values: readonly unknown[] = Object.values(other);
  return Object.fromEntries(Object.keys(named).map((name, at) => [name, values[at]])) as T;
}
