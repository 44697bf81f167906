import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fnmatch } from '../../src/sandbox/state/fnmatch.ts';

test.each<[pattern: string, matching: string[], other: string[]]>([
  ['*.ts', ['a.ts', '.ts'], ['a.tsx', 'src/a.ts']],
  ['src/**/*.ts', ['src/a.ts', 'src/b/c/a.ts'], ['a.ts']],
  ['v[0-9]', ['v7'], ['va', 'v']],
  ['v[!0-9]', ['va'], ['v7', 'v/']],
  ['[]a]', [']', 'a'], ['b']],
  ['[a\\-z]', ['a', '-', 'z'], ['m']],
  ['[\\-*]', ['-', '*'], ['a', '\\']],
  ['[\\d]', ['d'], ['7']],
  ['[z-a]', [], ['a', 'z', 'm']],
  ['a\\*b', ['a*b'], ['axb']],
  ['(a|b)', ['(a|b)'], ['a']],
  ['[', ['['], ['a']],
])('%s', (pattern, matching, other) => {
  for (const name of matching) expect(fnmatch(pattern, name), name).toBe(true);
  for (const name of other) expect(fnmatch(pattern, name), name).toBe(false);
});

test('no pattern is an error', () => {
  const pattern = fc.string({
    unit: fc.constantFrom('*', '?', '[', ']', '!', '^', 'a', 'z', '-', '/', '\\', '(', '$'),
  });
  fc.assert(
    fc.property(pattern, (text) => typeof fnmatch(text, 'a/z') === 'boolean'),
    { numRuns: 2000 },
  );
});
