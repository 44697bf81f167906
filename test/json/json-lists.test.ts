import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonList, parseWithLists } from '../../src/json/json-lists.ts';

/** The value with its lists read. */
function read(value: unknown): unknown {
  if (value instanceof JsonList) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each instanceof JsonList ? [...each] : each]),
  );
}

const parsed = (text: string) => read(parseWithLists(Buffer.from(text)));

it('reads the lists of an object item by item, as often as it is asked to', () => {
  const document = parseWithLists(
    Buffer.from('\uFEFF {"a": [{"b": [1]}, "]\\"", -1.5e3], "c": {"d": []}, "é": [ ]}\n'),
  );
  expect(read(document)).toEqual({ a: [{ b: [1] }, ']"', -1500], c: { d: [] }, é: [] });
  expect(read(document)).toEqual({ a: [{ b: [1] }, ']"', -1500], c: { d: [] }, é: [] });
  expect(Object.getPrototypeOf(parseWithLists(Buffer.from('{"__proto__": []}')))).toBe(Object.prototype);
});

describe('agrees with JSON.parse', () => {
  const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

  it('about values', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 },
    );
  });

  it('about what is not JSON', () => {
    const isJson = (parse: (text: string) => unknown, text: string) => {
      try {
        parse(text);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError);
        return false;
      }
    };
    const mutated = fc.tuple(json, fc.nat(), fc.constantFrom('', ',', ']', '}', '"', '\\', ' ', '1', '[', '{', ':'));
    fc.assert(
      fc.property(mutated, ([value, place, inserted]) => {
        const text = JSON.stringify(value);
        const at = place % (text.length + 1);
        const changed = text.slice(0, at) + inserted + text.slice(inserted === '' ? at + 1 : at);
        expect(isJson(parsed, changed)).toBe(isJson(JSON.parse, changed));
      }),
      { numRuns: 300 },
    );
  });
});
