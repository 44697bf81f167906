import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/sandbox/store.ts';
import { memoryStore } from '../../src/sandbox/stores/memory.ts';
import { sqliteStore } from '../../src/sandbox/stores/sqlite.ts';

const kinds = [
  ['memory', () => memoryStore()],
  ['SQLite', (directory: string) => sqliteStore(join(directory, 'state.db'))],
] as const;

describe.each(kinds)('a store in %s', (_, open) => {
  let directory: string;
  let store: Store;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
    store = open(directory);
  });
  afterEach(() => {
    store.close();
    rmSync(directory, { recursive: true });
  });

  test('returns its records in insertion order', () => {
    const letters = store.collection<string>('letters');
    for (const [key, record] of [
      ['b', 'B'],
      ['a', 'A'],
      ['c', 'C'],
    ] as const)
      letters.set(key, record);
    letters.set('b', 'β');
    expect(letters.values()).toEqual(['β', 'A', 'C']);
    expect(letters.delete('b')).toBe(true);
    letters.set('b', 'B');
    expect(letters.values()).toEqual(['A', 'C', 'B']);
  });

  test('returns whether a record was deleted', () => {
    const letters = store.collection<string>('letters', 1, () => [['a', 'A']]);
    expect(letters.delete('z')).toBe(false);
    expect(letters.delete('a')).toBe(true);
    expect(letters.delete('a')).toBe(false);
    expect(letters.get('a')).toBeUndefined();
  });

  test('treats numbers and text as the same key', () => {
    const letters = store.collection<string>('letters');
    letters.set(1, 'A');
    expect(letters.get('1')).toBe('A');
  });

  test('separates scopes', () => {
    store.collection<string>('letters', 1).set('a', 'A');
    expect(store.collection<string>('letters', 2).get('a')).toBeUndefined();
    expect(store.collection<string>('letters', 1).get('a')).toBe('A');
  });

  test('reads the seed until the first change, and never afterwards', () => {
    let seed: [string, string][] = [['a', 'A']];
    const letters = () => store.collection<string>('letters', '', () => seed);
    expect(letters().values()).toEqual(['A']);
    seed = [['a', 'α']];
    expect(letters().get('a')).toBe('α');
    letters().set('b', 'B');
    seed = [['a', 'other']];
    expect(letters().values()).toEqual(['α', 'B']);
    letters().delete('a');
    letters().delete('b');
    expect(letters().values()).toEqual([]);
  });

  test('returns records as they were set', () => {
    const record = { text: '東京 — "quoted"\n', list: [1, [2, null]], yes: true, nothing: null };
    const records = store.collection<typeof record>('records');
    records.set('it', record);
    expect(records.get('it')).toEqual(record);
  });

  test('counts each sequence separately, from its first number', () => {
    expect([store.next('ids', 77), store.next('ids', 77), store.next('others', 1)]).toEqual([77, 78, 1]);
  });

  test('passes on the results and errors of a transaction', () => {
    expect(store.transaction(() => 'done')).toBe('done');
    expect(() =>
      store.transaction(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(store.transaction(() => 'again')).toBe('again');
  });
});

describe('a store in a file', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sandbox-store-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('contains the changes of a transaction after reopening, and nothing of a failed one', () => {
    const file = join(directory, 'state.db');
    const first = sqliteStore(file);
    first.transaction(() => first.collection<string>('letters').set('a', 'A'));
    expect(() =>
      first.transaction(() => {
        first.collection<string>('letters').set('a', 'changed');
        first.collection<string>('letters').set('b', 'B');
        first.next('ids', 1);
        throw new Error('no');
      }),
    ).toThrow('no');
    first.close();
    const second = sqliteStore(file);
    expect(second.collection<string>('letters').values()).toEqual(['A']);
    expect(second.next('ids', 1)).toBe(1);
    second.close();
  });
});
