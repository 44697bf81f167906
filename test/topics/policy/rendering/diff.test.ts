import { array, assert, constantFrom, property } from 'fast-check';
import { expect, it } from 'vitest';
import { lineDiff } from '../../../../src/topics/policy/rendering/diff.ts';

const signed = (from: string, to: string) =>
  lineDiff([...from], [...to])
    .map(({ sign, text }) => sign + text)
    .join('');

it.each([
  ['abc', 'abc', ' a b c'],
  ['abc', 'axc', ' a-b+x c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abcabba', 'cbabac', '-a-b c-a b+a b a+c'],
])('shows what %s loses and gains to become %s', (from, to, lines) => {
  expect(signed(from, to)).toBe(lines);
});

it('leads from one list to the other', () => {
  const lines = array(constantFrom('a', 'b', 'c'), { maxLength: 8 });
  assert(
    property(lines, lines, (from, to) => {
      const diff = lineDiff(from, to);
      expect(diff.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]))).toEqual(from);
      expect(diff.flatMap(({ sign, text }) => (sign === '-' ? [] : [text]))).toEqual(to);
    }),
    { numRuns: 300 },
  );
});

it('shows long lists that share nothing as removed and added', () => {
  const from = Array.from({ length: 3000 }, (_, at) => `a${at}`);
  const to = Array.from({ length: 3000 }, (_, at) => `b${at}`);
  expect(
    lineDiff(['same', ...from], ['same', ...to])
      .map(({ sign }) => sign)
      .join(''),
  ).toBe(` ${'-'.repeat(3000)}${'+'.repeat(3000)}`);
});
