/** Columns: what a table, TSV or CSV shows of a record. */
import { type FieldPath, parsePath, valueAt } from './fields.ts';

/**
 * How people see a value in a table; every other format shows it exactly. Without it a timestamp is an age and a boolean
 * is yes or no. `age` also takes seconds since 1970, `date` shows the day instead of the age, and `yes-no` says whether
 * there is a value at all (`archived_at`).
 */
export type Appearance = 'age' | 'date' | 'yes-no';

type Name<T> = keyof T & string;
type Member<T> = T extends readonly unknown[] ? never : T extends object ? Name<T> : never;
type Below<T> = T extends readonly (infer E)[] ? Member<E> : Member<T>;

/** A field of `T`, or a field of one of its members: `login`, `owner.login`. What lies deeper takes a function. */
export type FieldOf<T> = T extends unknown
  ?
      | Name<T>
      | { [K in Name<T>]-?: Below<NonNullable<T[K]>> extends infer N extends string ? `${K}.${N}` : never }[Name<T>]
  : never;

export interface Column<T> {
  /** As in the first line of CSV; a table shows it in capitals. */
  readonly header: string;
  readonly get: FieldOf<T> | ((record: T) => unknown);
  readonly as?: Appearance;
}

/** A column of records whose type no longer matters. */
export interface ShownColumn {
  readonly header: string;
  readonly as?: Appearance | undefined;
  readonly value: (record: unknown) => unknown;
}

/** The command's columns, or in their stead those that `--fields` names. */
export function shownColumns<T>(columns: readonly Column<T>[], fields?: readonly FieldPath[]): readonly ShownColumn[] {
  return fields ? fields.map((path) => fieldColumn(path, columns)) : columns.map(commandColumn);
}

function commandColumn<T>({ header, get, as }: Column<T>): ShownColumn {
  if (typeof get === 'function') return { header, as, value: (record) => derived(get, record as T) };
  const path = parsePath(get);
  return { header, as, value: (record) => valueAt(record, path) };
}

/** A record that lacks what the value is made of has no such value, as it has no field that it lacks. */
function derived<T>(get: (record: T) => unknown, record: T): unknown {
  try {
    return get(record);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function fieldColumn<T>(path: FieldPath, columns: readonly Column<T>[]): ShownColumn {
  const header = path.join('.');
  const as = columns.find((column) => column.get === header)?.as;
  return { header, as, value: (record) => valueAt(record, path) };
}

/** One column for each member that any of `records` has, in order of appearance. */
export function memberColumns(records: readonly unknown[]): readonly ShownColumn[] {
  const names = new Set(records.flatMap((record) => (isObject(record) ? Object.keys(record) : [])));
  if (names.size === 0 && records.length > 0) return [{ header: 'value', value: (record) => record }];
  return [...names].map((name) => ({ header: name, value: (record) => valueAt(record, [name]) }));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
