import { assert, integer, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { inShard, parseShard } from '../../src/fleet/shard.ts';

it.each([
  ['1/1', { index: 1, count: 1 }],
  ['3/8', { index: 3, count: 8 }],
  ['0/8', undefined],
  ['9/8', undefined],
  ['1', undefined],
  ['1/8/2', undefined],
  [' 1/8', undefined],
])('reads %j as %o', (text, shard) => {
  expect(parseShard(text)).toEqual(shard);
});

it('puts every target into exactly one shard', () => {
  assert(
    property(string(), integer({ min: 1, max: 64 }), (target, count) => {
      const indices = Array.from({ length: count }, (_, at) => at + 1);
      return indices.filter((index) => inShard(target, { index, count })).length === 1;
    }),
  );
});

it('puts a target into the same shard in whatever case it is written, and in every version', () => {
  const shardOf = (target: string) => [1, 2, 3, 4].find((index) => inShard(target, { index, count: 4 }));
  // Computed with another program: the first six bytes of the SHA-256, modulo four, plus one.
  const known = { 'acme/site': 2, 'ACME/Site': 2, 'acme/api': 2, 'acme/docs': 1, acme: 2 };
  expect(Object.fromEntries(Object.keys(known).map((target) => [target, shardOf(target)]))).toEqual(known);
});

it('makes shards of about the same size', () => {
  const targets = Array.from({ length: 10_000 }, (_, at) => `acme/service-${at}`);
  const sizes = [1, 2, 3, 4, 5, 6, 7, 8].map(
    (index) => targets.filter((target) => inShard(target, { index, count: 8 })).length,
  );
  expect(Math.min(...sizes)).toBeGreaterThan(1125);
  expect(Math.max(...sizes)).toBeLessThan(1375);
});
