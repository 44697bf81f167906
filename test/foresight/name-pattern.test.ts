import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { matches, matchesBelow, matchesName } from '../../src/foresight/name-pattern.ts';

describe('a pattern of names', () => {
  it('matches as in a table of Ruby 3.1, with and without FNM_DOTMATCH', () => {
    const table = readFileSync(new URL('../sandbox/state/fnmatch-of-ruby.tsv', import.meta.url), 'utf8');
    const differing = table
      .trimEnd()
      .split('\n')
      .filter((line) => {
        const [pattern = '', name = '', flags] = line.split('\t');
        const withDots = matches(pattern, name, { dots: true, quotes: true });
        const withoutDots = matches(pattern, name, { dots: false, quotes: true });
        return Number(withDots) + 2 * Number(withoutDots) !== Number(flags);
      });
    expect(differing).toEqual([]);
  });

  it.each<[pattern: string, name: string, expected: boolean | undefined]>([
    // “You can use fnmatch syntax, with File::FNM_PATHNAME”: a star stops at slashes, and so do two at the end.
    ['refs/heads/feature/*', 'refs/heads/feature/a', true],
    ['refs/heads/feature/**', 'refs/heads/feature/a', true],
    ['refs/heads/feature/**', 'refs/heads/feature/a/b', false],
    ['refs/heads/feature/**/*', 'refs/heads/feature/a/b', true],
    ['refs/heads/{a,b}', 'refs/heads/a', false],
    // Whether wildcards match a leading dot is not documented.
    ['*', '.github', undefined],
    ['.*', '.github', true],
    ['**/a', '.x/a', undefined],
    ['*', 'docs', true],
    // “Unsupported fnmatch syntax” says that these do not quote or complement, as they do in Ruby.
    ['v\\*', 'v*', undefined],
    ['v\\*', 'va', false],
    ['[^a]', 'b', undefined],
    ['[^a]', 'a', undefined],
    ['[!a]', 'b', true],
  ])('%s, of %s: %s', (pattern, name, expected) => {
    expect(matchesName(pattern, name)).toBe(expected);
  });

  it('takes time in proportion to pattern and name', () => {
    expect(matchesName(`${'*a'.repeat(500)}z`, 'a'.repeat(500))).toBe(false);
    expect(matchesName(`${'**/'.repeat(200)}z`, 'a/'.repeat(200))).toBe(false);
  });

  it.each([
    ['refs/heads/main', true],
    ['refs/*/main', true],
    ['**/main', true],
    ['refs/**/*', true],
    ['main', false],
    ['refs/*', false],
    ['*', false],
    ['refs/heads', false],
    ['refs/heads/', false],
    ['refs/tags/v1', false],
    ['refs/heads/[a', false],
  ])('can match branches: %s: %s', (pattern, expected) => {
    expect(matchesBelow(pattern, 'refs/heads/')).toBe(expected);
  });
});
