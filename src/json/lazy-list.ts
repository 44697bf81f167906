/** Lists that are too long to be in memory at once. */
import { isObject } from './exact-json.ts';

/** A list whose records are made each time they are read. In JSON it is an array. */
export class LazyList<T> implements Iterable<T> {
  readonly length: number;
  readonly #records: () => Iterable<T>;

  constructor(length: number, records: () => Iterable<T>) {
    this.length = length;
    this.#records = records;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#records()[Symbol.iterator]();
  }

  map<U>(convert: (record: T) => U): LazyList<U> {
    const records = this.#records;
    return new LazyList(this.length, function* () {
      for (const record of records()) yield convert(record);
    });
  }

  toJSON(): T[] {
    return [...this];
  }
}

/** Returns a record with arrays in place of its lazy lists. */
export function withArrays(record: unknown): unknown {
  if (!isObject(record) || !Object.values(record).some((value) => value instanceof LazyList)) return record;
  const fields = Object.entries(record).map(([name, value]) => [name, value instanceof LazyList ? [...value] : value]);
  return Object.fromEntries(fields);
}
