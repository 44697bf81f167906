/** Columns: what a table, TSV or CSV shows of a record. */
import { isObject } from '../../json/exact-json.ts';
import { type FieldPath, parsePath, valueAt } from '../fields.ts';
import { TooLargeError } from '../too-large.ts';

/**
 * How people see a value in a table; every other format shows it exactly. Without it a timestamp is an age and a boolean
 * is yes or no.
 *
 * - `age` also takes seconds since 1970, `date` shows the day instead of the age
 * - `yes-no` says whether there is a value at all (`archived_at`)
 * - `name` is what the record is called by, and is cut last; the end of a `text` may be missing; a `message` goes on below
 * - `state` is a word with a meaning, and has its colour
 * - `count`, `bytes`, `kilobytes`, `usd` are amounts; `percent` is a part of one
 * - `bar` is drawn, as long as the largest of the column allows; `meter` is drawn, full at one. Both only on a terminal
 */
export type Appearance =
  | 'age'
  | 'date'
  | 'yes-no'
  | 'name'
  | 'text'
  | 'message'
  | 'state'
  | 'count'
  | 'bytes'
  | 'kilobytes'
  | 'usd'
  | 'percent'
  | 'bar'
  | 'meter';

type Name<T> = keyof T & string;
type Member<T> = T extends readonly unknown[] ? never : T extends object ? Name<T> : never;
type Below<T> = T extends readonly (infer E)[] ? Member<E> : Member<T>;

/** A field of `T`, or a field of one of its members: `login`, `owner.login`. What lies deeper takes a function. */
export type FieldOf<T> = T extends unknown
  ?
      | Name<T>
      | { [K in Name<T>]-?: Below<NonNullable<T[K]>> extends infer N extends string ? `${K}.${N}` : never }[Name<T>]
  : never;

/** Where on a narrow terminal a column stands: 1 stays, 3 leaves first; of equals the last one leaves first. */
export type Priority = 1 | 2 | 3;

export interface Column<T> {
  /** For people: a table shows it in capitals. In the first line of CSV stands the field, or this in snake_case. */
  readonly header: string;
  readonly get: FieldOf<T> | ((record: T) => unknown);
  readonly as?: Appearance | ((record: T) => Appearance);
  /** 2 unless given. */
  readonly priority?: Priority;
  /** On a terminal that can, the cell leads to the page of the record, if it has one. */
  readonly link?: true;
  /** Made for people alone: TSV and CSV do without it. */
  readonly only?: 'table';
  /** The heading that it stands under in a sheet. What the record does not have is left out there. */
  readonly group?: string;
}

/** A column of records whose type no longer matters. */
export interface ShownColumn {
  readonly header: string;
  /** As programs know it. */
  readonly name: string;
  readonly as?: Appearance | ((record: unknown) => Appearance | undefined) | undefined;
  readonly priority: Priority;
  readonly only?: 'table' | undefined;
  readonly group?: string | undefined;
  readonly value: (record: unknown) => unknown;
  readonly link?: true | undefined;
}

/** Told of a record that lacks what a column's value is made of: with records as they should be, the column is wrong. */
export type ColumnErrorHandler = (column: string, error: TypeError) => void;

/** The command's columns, or in their stead those that `--fields` names. */
export function shownColumns<T>(
  columns: readonly Column<T>[],
  fields?: readonly FieldPath[],
  misfit?: ColumnErrorHandler,
): readonly ShownColumn[] {
  if (fields) return fields.map((path) => fieldColumn(path, columns));
  return columns.map((column) => commandColumn(column, (error) => misfit?.(column.header, error)));
}

function commandColumn<T>(column: Column<T>, misfit: (error: TypeError) => void): ShownColumn {
  const { get, as, priority = 2 } = column;
  const path = typeof get === 'function' ? undefined : parsePath(get);
  return {
    ...column,
    as: typeof as === 'function' ? (record) => derived(as, record as T, misfit) : as,
    name: typeof get === 'function' ? snakeCase(column.header) : get,
    priority,
    value:
      path === undefined
        ? (record) => derived(get as (record: T) => unknown, record as T, misfit)
        : (record) => valueAt(record, path),
  };
}

/** `Secret type` as a name of a field: `secret_type`. */
const snakeCase = (header: string) => header.toLowerCase().replaceAll(' ', '_');

/** A record that lacks what the value is made of has no such value, as it has no field that it lacks. */
function derived<T, V>(get: (record: T) => V, record: T, misfit: (error: TypeError) => void): V | undefined {
  try {
    return get(record);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    misfit(error);
    return undefined;
  }
}

/** What was asked for by name stays: nobody is to look for it in vain. */
function fieldColumn<T>(path: FieldPath, columns: readonly Column<T>[]): ShownColumn {
  const header = path.join('.');
  const as = columns.find((column) => column.get === header && !isDrawn(column))?.as;
  return { header, name: header, as: as as ShownColumn['as'], priority: 1, value: (record) => valueAt(record, path) };
}

/** How the value of one record appears. */
export const appearanceOf = ({ as }: Pick<ShownColumn, 'as'>, record: unknown): Appearance | undefined =>
  typeof as === 'function' ? as(record) : as;

/** Whether a column is a picture of what another one says. */
export const isDrawn = ({ as }: { readonly as?: unknown }): boolean => as === 'bar' || as === 'meter';

/** No record has as many; each costs a kilobyte. */
const mostColumns = 10_000;

/** Records that differ in their members have, of thousands, a table of millions of empty cells. */
const mostCells = 10_000_000;

/**
 * One column for each member that any of `records` has, in order of appearance. Throws TooLargeError where a table of them
 * would be beyond use.
 */
export function memberColumns(records: readonly unknown[]): readonly ShownColumn[] {
  const names = new Set<string>();
  for (const record of records) {
    if (isObject(record)) for (const name of Object.keys(record)) names.add(name);
    if (names.size > mostColumns || names.size * records.length > mostCells)
      throw new TooLargeError('The response has too many different fields');
  }
  if (names.size === 0 && records.length > 0) return [memberColumn('value', 1, (record) => record)];
  return [...names].map((name, index) => memberColumn(name, index === 0 ? 1 : 2, (record) => valueAt(record, [name])));
}

const memberColumn = (name: string, priority: Priority, value: ShownColumn['value']): ShownColumn => ({
  header: name,
  name,
  priority,
  value,
});
