/** Switches and headings, as the sheets of records say them. Nothing is said of what the platform does not tell. */
import type { Column } from '../output/table/columns.ts';

type Switch = boolean | null | undefined;

/** The names of those that are on: `issues, wiki`; `none` where all are off. */
export function namesOn(switches: Readonly<Record<string, Switch>>): string | undefined {
  const told = Object.entries(switches).filter(([, value]) => typeof value === 'boolean');
  if (told.length === 0) return undefined;
  return told.flatMap(([name, value]) => (value ? [name] : [])).join(', ') || 'none';
}

/** One of two words; nothing where the platform does not tell. */
export function whether(value: Switch, yes: string, no: string): string | undefined {
  return typeof value === 'boolean' ? (value ? yes : no) : undefined;
}

export const enabled = (value: Switch): string | undefined => whether(value, 'enabled', 'disabled');
export const allowed = (value: Switch): string | undefined => whether(value, 'allowed', 'not allowed');

/** Columns under a heading of a sheet. */
export const grouped = <T>(group: string, columns: readonly Column<T>[]): readonly Column<T>[] =>
  columns.map((column) => ({ ...column, group }));
