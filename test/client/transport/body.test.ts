import { expect, test } from 'vitest';
import { Body, release } from '../../../src/client/transport/body.ts';

/** Returns a chunk in memory of its own, as sockets deliver it. */
const chunk = (length: number, fill: string) => Buffer.from(Buffer.alloc(length, fill));

test.each([
  ['without an announced length', undefined],
  ['that ends before its announced length', 200_000],
  ['that is longer than announced', 10],
  ['of the announced length', 150_000],
])('the body of a response %s arrives as a whole, and its memory can be freed', (_, announced) => {
  const body = new Body();
  if (announced !== undefined) body.expect(announced);
  for (const fill of ['a', 'b', 'c']) body.add(chunk(50_000, fill));
  const bytes = body.bytes();
  expect(bytes.toString()).toBe('a'.repeat(50_000) + 'b'.repeat(50_000) + 'c'.repeat(50_000));
  release(bytes);
  expect(bytes).toHaveLength(0);
});

test('an outgrown buffer is freed when the body moves to a larger one', () => {
  const body = new Body();
  body.expect(100_000);
  body.add(chunk(100_000, 'a'));
  const outgrown = body.bytes();
  body.add(chunk(1, 'b'));
  expect(outgrown).toHaveLength(0);
  expect(body.bytes().toString()).toBe(`${'a'.repeat(100_000)}b`);
});

test('a chunk that shares its memory is copied, and the memory stays', () => {
  const shared = Buffer.from('one two');
  const body = new Body();
  body.add(shared.subarray(0, 3));
  body.add(shared.subarray(3));
  expect(body.bytes().toString()).toBe('one two');
  expect(shared.toString()).toBe('one two');
});

test('a body without data is empty', () => {
  expect(new Body().bytes()).toHaveLength(0);
});
