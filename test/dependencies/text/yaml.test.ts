import { describe, expect, it } from 'vitest';
import { parseYaml, parseYamlDocuments } from '../../../src/dependencies/text/yaml.ts';

describe('YAML of lockfiles', () => {
  it('has only texts, lists and maps, with any text as a key', () => {
    expect(parseYaml("version: 5.10\ndev: true\n__proto__: ~\nnone:\nlist: [a, {b: 'c''d'}]\n")).toEqual(
      new Map<string, unknown>([
        ['version', '5.10'],
        ['dev', 'true'],
        ['__proto__', '~'],
        ['none', ''],
        ['list', ['a', new Map([['b', "c'd"]])]],
      ]),
    );
  });

  it('can have several documents', () => {
    expect(parseYamlDocuments('---\na: 1\n---\nb: 2\n')).toEqual([new Map([['a', '1']]), new Map([['b', '2']])]);
    expect(() => parseYaml('a: 1\n---\nb: 2\n')).toThrow('more than one document');
  });

  it.each<[what: string, text: string, message: string, line?: number, column?: number]>([
    ['an unclosed quote', 'a:\n  b: "c\n', 'not valid YAML: deficient indentation', 3, 1],
    ['a duplicate key', 'a: 1\nb:\n  c: 1\n  c: 2\n', 'not valid YAML: duplicated mapping key', 4, 3],
    ['a key that is a list', 'a: 1\n? [b]\n: c\n', 'a key that is not text'],
    ['an unknown tag', 'a: !secret b\n', 'not valid YAML: unknown scalar tag', 1, 4],
    ['an undeclared tag', 'a: !secret!b c\n', 'not valid YAML: undeclared tag handle', 1, 13],
    ['an alias', 'a: &secret [x]\nb: [*secret, *secret]\n', 'aliases are not supported', 2, 6],
    ['an alias of itself', '&secret a: [*secret]\n', 'aliases are not supported', 1, 14],
    ['deep brackets', `a: ${'['.repeat(200_000)}`, 'nested more than 100 levels deep', 1, 103],
    ['deep lists', '- '.repeat(200_000), 'nested more than 100 levels deep', 1, 201],
    ['too much text', `a: ${'b'.repeat(10 * 1024 * 1024)}`, 'more than 10 MiB of YAML'],
  ])('is rejected without its text: %s', (_, text, message, line, column) => {
    expect(() => parseYaml(text)).toThrow(expect.objectContaining({ message, line, column }));
  });
});
