/**
 * Where the sandbox keeps everything that can change: keyed collections of plain JSON records. What the seed determines is
 * computed when asked for and enters the store only when it is changed.
 */

/** Records by key, in the order in which they were first set. A record is replaced as a whole, never changed in place. */
export interface Collection<T> {
  get(key: string | number): Readonly<T> | undefined;
  set(key: string | number, record: T): void;
  /** Whether there was such a record. */
  delete(key: string | number): boolean;
  values(): Readonly<T>[];
}

/** What a collection holds before anything in it is changed. */
export type Seed<T> = () => Iterable<readonly [key: string | number, record: T]>;

export interface Store {
  /**
   * The collection of that name within a scope: an account, a repository, or the whole platform.
   * @param seed computed on each reading until the first change, and kept from then on.
   */
  collection<T>(name: string, scope?: string | number, seed?: Seed<T>): Collection<T>;
  /** The next number of a sequence that starts at `first`. */
  next(sequence: string, first: number): number;
  /**
   * Does what changes several records, and returns once all of it is kept for good. What throws changes nothing where
   * the store outlives the process; handlers throw before they change anything.
   */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** Why state cannot be used, in one line for a person. */
export class StateError extends Error {}
