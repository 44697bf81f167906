/** Columns of tables, TSV and CSV. */
import { isObject } from '../../json/exact-json.ts';
import { type FieldPath, parsePath, valueAt } from '../fields.ts';
import { TooLargeError } from '../too-large.ts';

/**
 * How a table formats a value; all other formats show it exactly. Default: timestamps as ages, booleans as yes or no.
 *
 * - `age` also takes seconds since 1970, `date` shows the day instead of the age
 * - `yes-no` shows whether there is a value at all (`archived_at`)
 * - `name` identifies the record and is truncated last; a `text` may be truncated; a `message` wraps
 * - `state` is shown in the color of its meaning
 * - `count`, `bytes`, `kilobytes`, `usd` are amounts; `percent` is a fraction of one
 * - `bar` is relative to the largest value of the column, `meter` is full at one; both are drawn only on a terminal
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

/** A field of `T`, or of one of its nested objects: `login`, `owner.login`. Deeper fields need a function. */
export type FieldOf<T> = T extends unknown
  ?
      | Name<T>
      | { [K in Name<T>]-?: Below<NonNullable<T[K]>> extends infer N extends string ? `${K}.${N}` : never }[Name<T>]
  : never;

/** Order in which columns are dropped on a narrow terminal: 1 never, 3 first; the last one first among equals. */
export type Priority = 1 | 2 | 3;

export interface Column<T> {
  /** Tables show it in capitals. The header line of CSV has the field, or this in snake_case. */
  readonly header: string;
  readonly get: FieldOf<T> | ((record: T) => unknown);
  readonly as?: Appearance | ((record: T) => Appearance);
  /** Default: 2. */
  readonly priority?: Priority;
  /** Links the cell to the record's page, if it has one and the terminal supports links. */
  readonly link?: true;
  /** Omitted from TSV and CSV. */
  readonly only?: 'table';
  /** Omitted from tables in which no record has a value. */
  readonly optional?: true;
  /** Heading above the field in details. Groups omit fields that the record lacks. */
  readonly group?: string;
  /** In details, shows the names of nested fields unchanged, because they are data. */
  readonly exactNames?: true;
}

/** A column without the type of its records. */
export interface ShownColumn {
  readonly header: string;
  /** Name in CSV. */
  readonly name: string;
  readonly as?: Appearance | ((record: unknown) => Appearance | undefined) | undefined;
  readonly priority: Priority;
  readonly only?: 'table' | undefined;
  readonly optional?: true | undefined;
  readonly group?: string | undefined;
  readonly value: (record: unknown) => unknown;
  readonly link?: true | undefined;
  readonly exactNames?: true | undefined;
}

/** Receives errors of columns whose value cannot be computed for a record; with valid records, the column has a bug. */
export type ColumnErrorHandler = (column: string, error: TypeError) => void;

/** Returns the command's columns, or those that `--fields` selects. */
export function shownColumns<T>(
  columns: readonly Column<T>[],
  fields?: readonly FieldPath[],
  onColumnError?: ColumnErrorHandler,
): readonly ShownColumn[] {
  const shown = (column: Column<T>) => commandColumn(column, (error) => onColumnError?.(column.header, error));
  if (!fields) return columns.map(shown);
  return fields.map((path) => {
    const computed = columns.find((column) => path.length === 1 && computedName(column) === path[0]);
    const field = fieldColumn(path, columns);
    return computed ? unlessInRecord(field, { ...shown(computed), priority: 1, only: undefined }) : field;
  });
}

function commandColumn<T>(column: Column<T>, onColumnError: (error: TypeError) => void): ShownColumn {
  const { get, as, priority = 2 } = column;
  const path = typeof get === 'function' ? undefined : parsePath(get);
  return {
    ...column,
    as: typeof as === 'function' ? (record) => derived(as, record as T, onColumnError) : as,
    name: typeof get === 'function' ? snakeCase(column.header) : get,
    priority,
    value:
      path === undefined
        ? (record) => derived(get as (record: T) => unknown, record as T, onColumnError)
        : (record) => valueAt(record, path),
  };
}

/** Returns a computed column that shows a record's own field of the same name, if it has one. */
function unlessInRecord(field: ShownColumn, computed: ShownColumn): ShownColumn {
  const isIn = (record: unknown) => isObject(record) && Object.hasOwn(record, field.name);
  return {
    ...computed,
    as: (record) => appearanceOf(isIn(record) ? field : computed, record),
    value: (record) => (isIn(record) ? field : computed).value(record),
  };
}

/** Returns the name of a column that no field of the record has; `--fields` and the header line of CSV have it too. */
export const computedName = ({
  get,
  header,
}: {
  readonly get: unknown;
  readonly header: string;
}): string | undefined => (typeof get === 'function' ? snakeCase(header) : undefined);

/** Converts a header to a field name: `Secret type` to `secret_type`. */
const snakeCase = (header: string) => header.toLowerCase().replaceAll(' ', '_');

/** A record that lacks a field needed for the value is treated as lacking the value. */
function derived<T, V>(get: (record: T) => V, record: T, onColumnError: (error: TypeError) => void): V | undefined {
  try {
    return get(record);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    onColumnError(error);
    return undefined;
  }
}

/** Columns selected by name are never dropped. */
function fieldColumn<T>(path: FieldPath, columns: readonly Column<T>[]): ShownColumn {
  const header = path.join('.');
  const as = columns.find((column) => column.get === header && !isDrawn(column))?.as;
  return {
    header,
    name: header,
    as: as as ShownColumn['as'],
    priority: 1,
    value: (record) => valueAt(record, path),
    exactNames: true,
  };
}

/** Returns how the value of a record is formatted. */
export const appearanceOf = ({ as }: Pick<ShownColumn, 'as'>, record: unknown): Appearance | undefined =>
  typeof as === 'function' ? as(record) : as;

/** Whether a column only draws the value of another one. */
export const isDrawn = ({ as }: { readonly as?: unknown }): boolean => as === 'bar' || as === 'meter';

/** No record has that many; each column costs a kilobyte. */
const maxColumns = 10_000;

/** Thousands of records with different fields would yield millions of empty cells. */
const maxCells = 10_000_000;

/**
 * Returns one column for each field of any record, in order of appearance, with labels unless the names are to stay
 * exact. Throws TooLargeError for too many.
 */
export function memberColumns(records: readonly unknown[], exactNames?: true): readonly ShownColumn[] {
  const names = new Set<string>();
  for (const record of records) {
    if (isObject(record)) for (const name of Object.keys(record)) names.add(name);
    if (names.size > maxColumns || names.size * records.length > maxCells)
      throw new TooLargeError('The response has too many different fields');
  }
  const column = (name: string, priority: Priority, value: ShownColumn['value']): ShownColumn => ({
    header: exactNames ? name : labelOf(name),
    name,
    priority,
    value,
    exactNames,
  });
  if (names.size === 0 && records.length > 0) return [column('value', 1, (record) => record)];
  return [...names].map((name, index) =>
    column(name, index === 0 ? 1 : decidingMembers.has(name) ? 2 : 3, (record) => valueAt(record, [name])),
  );
}

/** Fields that identify a record and show its state; dropped after all others. */
const decidingMembers: ReadonlySet<string> = new Set(
  'number name full_name login slug title visibility private archived disabled state status enforcement'.split(' '),
);

/** Returns the label of a field: `html_url` becomes `HTML URL`. Other names, such as `Content-Type`, stay unchanged. */
function labelOf(name: string): string {
  if (!/^[a-z][a-z\d]*(?:_[a-z\d]+)*$/.test(name)) return name;
  const words = name.replaceAll('_', ' ').replace(/\b(?:api|html|id|ids|sha|ssh|url)\b/g, initialism);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const initialism = (word: string) => (word === 'ids' ? 'IDs' : word.toUpperCase());
