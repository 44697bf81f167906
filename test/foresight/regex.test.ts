import { expect, it } from 'vitest';
import { compiled, dependsOnLines, regexProblem } from '../../src/foresight/regex.ts';

it('finds expressions of RE2 anywhere in a text', () => {
  expect(compiled('\\A.{1,50}$').finds('a'.repeat(50))).toBe(true);
  expect(compiled('\\A.{1,50}$').finds('a'.repeat(51))).toBe(false);
  expect(compiled('b').finds('abc')).toBe(true);
  expect(compiled('^b').finds('a\nb')).toBe(false);
  expect(compiled('^b', true).finds('a\nb')).toBe(true);
  expect(compiled('(a+)+$').finds(`${'a'.repeat(10_000)}b`)).toBe(false);
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
  ['^\\pL{1000}', true],
])('knows whether lines matter: %s: %s', (pattern, expected) => {
  expect(regexProblem(pattern)).toBeUndefined();
  expect(dependsOnLines(pattern)).toBe(expected);
});
