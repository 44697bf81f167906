/** Shows what is about to go, and has the person type its name. It is loaded when somebody is asked. */
import { type Column, shownColumns } from '../output/columns.ts';
import { maskSecrets } from '../output/secrets.ts';
import { sheet } from '../output/sheet.ts';
import { UsageError } from './errors.ts';
import { type Asking, typeName } from './prompts.ts';

/** The record of what is about to go. */
export interface Going {
  readonly record: object;
  // biome-ignore lint/suspicious/noExplicitAny: columns of any record; each command narrows it to its own
  readonly columns?: readonly Column<any>[];
  /** How people call it, where that is not how the command line does; both confirm. */
  readonly name?: string | undefined;
}

/** A record in full, as people read it on stderr, without what is secret in it. It is safe for a terminal. */
export async function shownRecord({ record, columns = [] }: Going, { terminal }: Asking): Promise<string> {
  const { color, plain, now, stderrColumns } = terminal;
  const screen = { color, plain, now, columns: stderrColumns, links: false };
  return (await sheet(maskSecrets(record), shownColumns(columns), screen)).trimEnd();
}

/** Throws UsageError for another name, and InterruptedError where the person ends the question. */
export async function confirmByName(given: string, effect: string, going: Going | undefined, asking: Asking) {
  const name = going?.name || given;
  if (!(await typeName(`This ${effect}. Type “${name}” to confirm:`, [name, given], asking)))
    throw new UsageError(`Nothing was sent: what was typed is not ${name}.`);
}
