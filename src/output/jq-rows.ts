/** Results of a jq filter as rows of a table, TSV or CSV. */
import { isExactInteger, isObject } from '../json/exact-json.ts';
import { memberColumns, type ShownColumn } from './table/columns.ts';

export interface JqRows {
  readonly rows: readonly unknown[];
  readonly columns: readonly ShownColumn[];
  /** False for rows that are arrays, whose columns have no names. */
  readonly named: boolean;
}

/** Results that are not rows. */
export class NotFlatError extends Error {}

/**
 * Returns one row for each result, or for each element of a result that is a list of rows: an object, an array of values,
 * or a single value. Throws NotFlatError if a value is an object or array, or if rows differ in kind.
 */
export function jqRows(results: readonly unknown[]): JqRows {
  const rows = results.flatMap((result) => (Array.isArray(result) && result.every(isNested) ? result : [result]));
  if (rows.length > 0 && rows.every(isObject)) return { rows, columns: objectColumns(rows), named: true };
  const object = rows.find(isObject);
  if (object) throw new NotFlatError('some results are objects and others are not');
  const lists = rows.map((row): readonly unknown[] => (Array.isArray(row) ? row : [row]));
  return { rows: lists, columns: listColumns(lists), named: false };
}

const isNested = (value: unknown) => typeof value === 'object' && value !== null && !isExactInteger(value);

/** Columns of results are never dropped, because the filter has selected them. */
function objectColumns(rows: readonly Readonly<Record<string, unknown>>[]): readonly ShownColumn[] {
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) if (isNested(value)) throw nestedIn(`“${name}”`, value);
  return memberColumns(rows).map((column) => ({ ...column, priority: 1 }));
}

function listColumns(rows: readonly (readonly unknown[])[]): readonly ShownColumn[] {
  let length = 0;
  for (const row of rows) {
    const nested = row.findIndex(isNested);
    if (nested !== -1) throw nestedIn(`element ${nested}`, row[nested]);
    length = Math.max(length, row.length);
  }
  return Array.from({ length }, (_, index) => {
    const name = String(index + 1);
    return { header: name, name, priority: 1, value: (row) => (row as readonly unknown[])[index] };
  });
}

const nestedIn = (place: string, value: unknown) =>
  new NotFlatError(
    `${place} of a result is an ${Array.isArray(value) ? 'array' : 'object'}, but table, tsv and csv show flat objects and arrays`,
  );
