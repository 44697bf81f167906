import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fnmatch } from '../../../src/sandbox/state/fnmatch.ts';

test.each<[pattern: string, matching: string[], other: string[]]>([
  ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts']],
  ['v[0-9]', ['v7'], ['va', 'v']],
  ['v[!0-9]', ['va'], ['v7', 'v/']],
  ['[]a]', [], [']', 'a', '[]a]']],
  ['[!]', ['!', 'a'], ['[!]', '/']],
  ['[a\\-z]', ['a', '-', 'z'], ['m']],
  ['[\\-*]', ['-', '*'], ['a', '\\']],
  ['[\\d]', ['d'], ['7']],
  ['[z-a]', ['a', 'z'], ['m']],
  ['a\\*b', ['a*b'], ['axb']],
  ['(a|b)', ['(a|b)'], ['a']],
  ['[', [], ['[', 'a']],
  ['a[b', [], ['a[b', 'ab']],
  ['[a/b]', ['a', 'b'], ['[a/b]', '/']],
  ['a\\', ['a'], ['a\\']],
  ['**\\/b', ['a/b'], ['b', 'a/a/b']],
  ['a\\/b', ['a/b'], ['a\\/b']],
  ['release/**', ['release/1'], ['release/1/2', 'release']],
  ['**/a/**/z', ['a/z', 'x/a/y/a/y/z'], ['a', 'x/z']],
  ['*a*b?', ['aab-', 'xaxbxb.'], ['ab', 'xaxbx/b.']],
  ['?[é東]*', ['é東京', '👍é'], ['東']],
])('%s', (pattern, matching, other) => {
  for (const name of matching) expect(fnmatch(pattern, name), name).toBe(true);
  for (const name of other) expect(fnmatch(pattern, name), name).toBe(false);
});

test('names match as in a table of Ruby 3.1', () => {
  const table = readFileSync(new URL('fnmatch-of-ruby.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  expect(table).toHaveLength(2000);
  const differing = table.filter((line) => {
    // The last column is 0, or the sum of 1 (matches with FNM_DOTMATCH) and 2 (matches without it).
    const [pattern = '', name = '', flags] = line.split('\t');
    return fnmatch(pattern, name) !== (flags !== '0');
  });
  expect(differing).toEqual([]);
});

test('nested wildcards take no longer than one', () => {
  const folders = 'a/'.repeat(30);
  expect(fnmatch(`${'**/'.repeat(25)}z`, `${folders}b`)).toBe(false);
  expect(fnmatch(`${'**/a/'.repeat(25)}b`, `${folders}b`)).toBe(true);
  expect(fnmatch(`${'*a'.repeat(1000)}z`, 'a'.repeat(1000))).toBe(false);
  expect(fnmatch('['.repeat(200_000), 'a')).toBe(false);
});

test('wildcards match like their regular expression', () => {
  const parts = fc.array(fc.constantFrom('*', '?', 'a', 'b', '/', '**/'), { maxLength: 8 });
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
  const sources: Readonly<Record<string, string>> = { '*': '[^/]*', '?': '[^/]' };
  fc.assert(
    fc.property(parts, name, (pattern, text) => {
      const source = pattern.join('').replace(/(?<=^|\/)\*\*\/|[*?]/g, (part) => sources[part] ?? '(?:[^/]*/)*');
      expect(fnmatch(pattern.join(''), text)).toBe(new RegExp(`^${source}$`).test(text));
    }),
    { numRuns: 2000 },
  );
});

test('no pattern is invalid', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('*', '?', '[', ']', '!', '^', 'a', 'z', '-', '/', '\\', '(', '$'),
  });
  fc.assert(
    fc.property(pattern, (text) => typeof fnmatch(text, 'a/z') === 'boolean'),
    { numRuns: 2000 },
  );
});
