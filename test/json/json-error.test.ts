import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonErrorAt, jsonErrorLine } from '../../src/json/json-error.ts';

describe('an error in JSON', () => {
  it.each([
    ['', 1, 1],
    ['{"a": 1,}', 1, 9],
    ['{\n  "a": tru\n}', 2, 8],
    ['[1, 2\n', 2, 1],
    ['{"a" 1}', 1, 6],
    ['{"a": 1 "b": 2}', 1, 9],
    ['[01]', 1, 3],
    ['["a\nb"]', 1, 4],
    ['["\\x"]', 1, 3],
    ['["a', 1, 4],
    ['[1]]', 1, 4],
    ['[}', 1, 2],
    ['{1: 2}', 1, 2],
    ['\ufeff{}', 1, 1],
  ])('is found in %j', (text, line, column) => {
    expect(jsonErrorAt(text)).toEqual({ line, column });
    expect(jsonErrorLine(text)).toBe(line);
  });

  it('is found in every text that is not JSON, and in no other', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u00e9',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'null',
      ' ',
      '\n',
    ];
    const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (text) => {
        expect(jsonErrorAt(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('is found in deeply nested and in very long text', () => {
    expect(jsonErrorAt('['.repeat(500_000))).toEqual({ line: 1, column: 500_001 });
    expect(jsonErrorAt(`["${'x\\n'.repeat(500_000)}`)).toEqual({ line: 1, column: 1_500_003 });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
