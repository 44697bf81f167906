/** Words for the switches and headings of details. Fields that the platform omits stay blank. */
import type { Column } from '../output/table/columns.ts';

type Switch = boolean | null | undefined;

/** Returns the names of the enabled switches, such as `issues, wiki`; `none` if all are off. */
export function namesOn(switches: Readonly<Record<string, Switch>>): string | undefined {
  const known = Object.entries(switches).filter(([, value]) => typeof value === 'boolean');
  if (known.length === 0) return undefined;
  return known.flatMap(([name, value]) => (value ? [name] : [])).join(', ') || 'none';
}

/** Returns one of two words; undefined if the platform omits the value. */
export function booleanLabel(value: Switch, yes: string, no: string): string | undefined {
  return typeof value === 'boolean' ? (value ? yes : no) : undefined;
}

export const enabled = (value: Switch): string | undefined => booleanLabel(value, 'enabled', 'disabled');
export const allowed = (value: Switch): string | undefined => booleanLabel(value, 'allowed', 'not allowed');

/** Returns the columns with a heading. */
export const grouped = <T>(group: string, columns: readonly Column<T>[]): readonly Column<T>[] =>
  columns.map((column) => ({ ...column, group }));
