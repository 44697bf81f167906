import { describe, expect, it } from 'vitest';
import { asText, integerOf, isExactInteger, ownMember, parseJson } from '../../src/json/exact-json.ts';

const written = (text: string) => JSON.stringify(parseJson(text));

describe('parseJson', () => {
  it.each([
    '{"id":12345678901234567890}',
    '[9007199254740993,-9007199254740993]',
    '[ 1,\n9007199254740993]',
    '9007199254740993',
    '{"a":{"b":[{"c":100000000000000000000000000000001}]}}',
  ])('keeps the digits of %s', (text) => {
    expect(written(text)).toBe(text.replace(/\s/g, ''));
  });

  it.each([
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
    ['1234567890123456', 1234567890123456],
    ['0.1234567890123456', 0.1234567890123456],
    ['1e300', 1e300],
    ['"9007199254740993"', '9007199254740993'],
    ['": 9007199254740993"', ': 9007199254740993'],
  ])('reads %s as the value that it is anyway', (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  it('rejects invalid JSON like JSON.parse', () => {
    expect(() => parseJson('{"id":12345678901234567890')).toThrow(SyntaxError);
  });

  it('distinguishes large numbers from records', () => {
    expect([parseJson('9007199254740993'), parseJson('{"rawJSON":"7"}'), 7].map(isExactInteger)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it.each<[value: unknown, text: string]>([
  ['acme', 'acme'],
  [parseJson('9007199254740993'), '9007199254740993'],
  [parseJson('{"toString":1,"valueOf":2}'), '{"toString":1,"valueOf":2}'],
  [[['a'], null], '[["a"],null]'],
  [undefined, 'undefined'],
])('the text of %j is %s', (value, text) => {
  expect(asText(value)).toBe(text);
});

it('ownMember ignores inherited members', () => {
  expect(['a', 'constructor', '__proto__', 'b'].map((name) => ownMember({ a: 1 }, name))).toEqual([
    1,
    undefined,
    undefined,
    undefined,
  ]);
  expect(ownMember(parseJson('{"__proto__":7}') as Record<string, unknown>, '__proto__')).toBe(7);
});

it('an integer of YAML is a number where a number can hold it', () => {
  expect(integerOf(9007199254740991n)).toBe(9007199254740991);
  expect(JSON.stringify(integerOf(-9007199254740993n))).toBe('-9007199254740993');
});
