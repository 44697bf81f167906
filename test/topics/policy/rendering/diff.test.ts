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
  ['abcabba', 'cbabac', '-a-b c+b a b-b a+c'],
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

it('shows long lists that differ too much as removed and added', () => {
  const signsOf = (count: number) =>
    lineDiff(
      ['same', ...Array.from({ length: count }, (_, at) => `a${at}`)],
      ['same', ...Array.from({ length: count }, (_, at) => `b${at}`)],
    )
      .map(({ sign }) => sign)
      .join('');
  expect(signsOf(500)).toBe(` ${'-'.repeat(500)}${'+'.repeat(500)}`);
  expect(signsOf(501)).toBe(`${'-'.repeat(502)}${'+'.repeat(502)}`);
});
