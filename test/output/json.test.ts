import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LazyList } from '../../src/json/lazy-list.ts';
import { jsonPieces } from '../../src/output/json.ts';

it('writes JSON in pieces as JSON.stringify writes it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(4), (value, levels) => {
      expect([...jsonPieces(value, levels)].join('')).toBe(JSON.stringify(value, null, 2));
    }),
    { numRuns: 100 },
  );
  expect([...jsonPieces({ a: { b: undefined, c: 1 } }, 3)].join('')).toBe('{\n  "a": {\n    "c": 1\n  }\n}');
});

it('keeps pieces short', () => {
  const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, place) => [`name ${place}`, 'value']));
  const pieces = [...jsonPieces({ names }, 2)];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  expect(pieces.join('')).toBe(JSON.stringify({ names }, null, 2));
});

it('writes a lazy list as an array', () => {
  const list = new LazyList(2, () => [{ a: 1 }, { b: [2] }]);
  expect([...jsonPieces({ list }, 2)].join('')).toBe(JSON.stringify({ list: [{ a: 1 }, { b: [2] }] }, null, 2));
  expect([...jsonPieces({ list: new LazyList(0, () => []) }, 2)].join('')).toBe('{\n  "list": []\n}');
});
