import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldPaths } from '../../src/jq/field-paths.ts';

const pathsIn = (expression: string) => fieldPaths(expression).map((path) => path.join('.'));

describe('fieldPaths', () => {
  it.each<[expression: string, paths: readonly string[]]>([
    ['.archivd', ['archivd']],
    ['.archivd | not', ['archivd']],
    ['(.archivd | not) and .owner.logn == "acme"', ['archivd', 'owner.logn']],
    ['.size>1.5 or .fork, .private', ['size', 'fork', 'private']],
    ['."archivd" # comment', ['archivd']],
    ['.["archivd"]', ['archivd']],
    ['.["owner"].logn', ['owner']],
    ['select(.archivd)', ['archivd']],
    ['.topics[] | select(.archivd)', ['topics']],
    ['select(.fork and .archivd)', ['fork', 'archivd']],
    ['.topics[0] == "a"', ['topics']],
    ['(.owner).login', ['owner']],
    ['.owner .login', ['owner']],
    ['.name | length > 3 and .size', ['name']],
    ['if .fork | not then .size else .archivd end | not', ['fork', 'size', 'archivd']],
    ['[.fork, .archivd] | any', ['fork', 'archivd']],
    ['{a: .fork} | .b', ['fork']],
    ['true and.archivd', ['archivd']],
    ['"\\"." == .name', ['name']],
    ['.a // .b', ['b']],
    ['.x and (.a // .b)', ['x', 'b']],
    ['if .a then .b // 1 else .c end', ['a', 'c']],
  ])('finds the paths in %s', (expression, paths) => {
    expect(pathsIn(expression)).toEqual(paths);
  });

  it.each([
    '.archivd?',
    '.a.b?',
    '.a[0]?',
    '(.a | not)?',
    '.archivd // false',
    '(.archivd | not) // true',
    '.a and .b // true',
    'has("archivd")',
    'has("archivd") and .archivd',
    'try .archivd catch false',
    'try .archivd',
    'map(select(.archivd))',
    'select(.archivd?)',
    'any(.topics[]; .archivd)',
    '. | .archivd',
    '.. | .archivd',
    'def f: .archivd; f',
    '.archivd as $x | $x',
    'reduce .archivd[] as $x (0; . + $x)',
    '.["archivd"]?',
    '.["archi-vd"]',
    'keys.archivd',
    '"\\(.archivd)" == "x"',
    '".archivd"',
    '@json "x" == .archivd',
    'true # .archivd',
    '$ENV.archivd',
    '.archivd |= 1',
  ])('leaves %s unchecked', (expression) => {
    expect(pathsIn(expression)).toEqual([]);
  });

  it('finds only paths that are written, whatever surrounds them', () => {
    const { expression } = fc.letrec<{ expression: string; path: string }>((tie) => ({
      path: fc.constantFrom('.fork', '.owner.login', '.size', '."name"', '.topics[0]', '.owner["login"]'),
      expression: fc.oneof(
        { maxDepth: 5 },
        tie('path'),
        fc
          .tuple(tie('expression'), fc.constantFrom('and', 'or', '==', '//', ',', '+'), tie('expression'))
          .map((all) => `(${all.join(' ')})`),
        fc
          .tuple(tie('expression'), tie('expression'), tie('expression'))
          .map(([a, b, c]) => `if ${a} then ${b} else ${c} end`),
        // What follows the pipe has another input, so none of its fields counts.
        tie('expression').map((inner) => `(${inner} | not | .unknown.field)`),
        tie('expression').map((inner) => `map(${inner} | .unknown)`),
        tie('expression').map((inner) => `[${inner}]`),
      ),
    }));
    const known = ['fork', 'owner.login', 'owner', 'size', 'name', 'topics'];
    fc.assert(fc.property(expression, (text) => pathsIn(text).every((path) => known.includes(path))));
  });
});
