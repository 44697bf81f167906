import { expect, it } from 'vitest';
import { dependsOnLines, finderOf, regexProblem } from '../../src/foresight/regex.ts';

it('finds expressions of RE2 anywhere in a text', () => {
  expect(finderOf('\\A.{1,50}$')('a'.repeat(50))).toBe(true);
  expect(finderOf('\\A.{1,50}$')('a'.repeat(51))).toBe(false);
  expect(finderOf('b')('abc')).toBe(true);
  expect(finderOf('^b')('a\nb')).toBe(false);
  expect(finderOf('^b', true)('a\nb')).toBe(true);
  expect(finderOf('(a+)+$')(`${'a'.repeat(10_000)}b`)).toBe(false);
});

it.each([
  ['a(?=b)', 'invalid or unsupported Perl syntax'],
  ['(a)\\1', 'invalid escape sequence'],
  ['[', 'missing closing ]'],
])('rejects what RE2 does not have: %s', (pattern, problem) => {
  expect(regexProblem(pattern)).toBe(problem);
});

it.each([
  ['^a', true],
  ['a$', true],
  ['\\Aa\\z', false],
  ['(?m)^a', false],
  ['\\$x|[$^]', false],
])('knows whether lines matter: %s: %s', (pattern, expected) => {
  expect(regexProblem(pattern)).toBeUndefined();
  expect(dependsOnLines(pattern)).toBe(expected);
});
