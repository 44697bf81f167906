/** State in memory. */
import type { Collection, Seed, Store } from '../store.ts';

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
    transaction: (work) => work(),
    close: () => {},
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
