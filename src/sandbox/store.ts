/**
 * Stores all changeable data of the sandbox: keyed collections of plain JSON records. Seeded data is computed on
 * demand, and stored only when it is changed.
 */

/** Records by key, in insertion order. Records are replaced as a whole, never modified in place. */
export interface Collection<T> {
  get(key: string | number): Readonly<T> | undefined;
  set(key: string | number, record: T): void;
  /** Returns whether the record existed. */
  delete(key: string | number): boolean;
  values(): Readonly<T>[];
}

/** Initial records of a collection. */
export type Seed<T> = () => Iterable<readonly [key: string | number, record: T]>;

export interface Store {
  /**
   * Returns the collection of that name within a scope: an account, a repository, or the platform.
   * @param seed computed on each read until the first change, and stored from then on.
   */
  collection<T>(name: string, scope?: string | number, seed?: Seed<T>): Collection<T>;
  /** Returns the next number of a sequence that starts at `first`. */
  next(sequence: string, first: number): number;
  /**
   * Runs changes of several records, and returns once they are committed. An error rolls them back in a persistent
   * store; handlers throw before they change anything.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** The state cannot be used; the message is one line. */
export class StateError extends Error {}

/** The state cannot be stored: the disk is full or failing. */
export class StateDiskError extends StateError {}
