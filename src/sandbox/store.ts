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
}

/** A store that lasts as long as the process. */
export function memoryStore(): Store {
  const kept = new Map<string, Map<string, unknown>>();
  const sequences = new Map<string, number>();
  return {
    collection<T>(name: string, scope: string | number = '', seed: Seed<T> = () => []) {
      return collectionIn<T>(kept as Map<string, Map<string, T>>, `${name}\n${scope}`, seed);
    },
    next(sequence, first) {
      const number = sequences.get(sequence) ?? first;
      sequences.set(sequence, number + 1);
      return number;
    },
  };
}

function collectionIn<T>(kept: Map<string, Map<string, T>>, id: string, seed: Seed<T>): Collection<T> {
  const computed = () => new Map([...seed()].map(([key, record]) => [String(key), record]));
  const read = () => kept.get(id) ?? computed();
  const write = () => {
    const records = read();
    kept.set(id, records);
    return records;
  };
  return {
    get: (key) => read().get(String(key)),
    set: (key, record) => void write().set(String(key), record),
    delete: (key) => read().has(String(key)) && write().delete(String(key)),
    values: () => [...read().values()],
  };
}
