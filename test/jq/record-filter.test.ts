import { describe, expect, it } from 'vitest';
import { JqError } from '../../src/jq/jq.ts';
import { RecordFilter } from '../../src/jq/record-filter.ts';
import { parseJson } from '../../src/json/exact-json.ts';

const nameOf = (index: number) => `record ${index}`;

const matching = (expression: string, records: readonly unknown[]) =>
  new RecordFilter(expression).matching(records, nameOf);

describe('a record filter', () => {
  it('selects what jq considers true', async () => {
    expect(await matching('.a', [{ a: true }, { a: false }, { a: null }, {}, { a: 0 }, { a: '' }])).toEqual([0, 4, 5]);
  });

  it('selects a record once, however many results are true', async () => {
    expect(await matching('.a[]', [{ a: [true, true] }, { a: [false, true] }, { a: [] }])).toEqual([0, 1]);
    expect(await matching('range(infinite)', [{}])).toEqual([0]);
  });

  it('gives expressions that need it the whole record', async () => {
    expect(await matching('length > 1', [{ a: 1 }, { a: 1, b: 2 }])).toEqual([1]);
    expect(await matching('.', [false, 'text', 3])).toEqual([1, 2]);
  });

  it('accepts a comment at the end', async () => {
    expect(await matching('.a # all of them', [{ a: 1 }])).toEqual([0]);
  });

  it('runs no jq for a page without records', async () => {
    expect(await matching('error', [])).toEqual([]);
  });

  it('names the record that the expression fails for', async () => {
    const failed = matching('.a > 1 and .a.b', [{ a: 1 }, { a: 2 }]);
    await expect(failed).rejects.toThrow(JqError);
    await expect(failed).rejects.toThrow(
      'The jq filter “.a > 1 and .a.b” failed for record 1: Cannot index number with string ("b")',
    );
    await expect(matching('error(.)', [{ a: 1 }])).rejects.toThrow('failed for record 0: {"a":1}');
  });

  it('reports a filter that ends jq itself', async () => {
    await expect(matching('halt_error', [{ a: 1 }])).rejects.toThrow(JqError);
  });

  it('masks what jq sees, and passes on the output of debug', async () => {
    const said: string[] = [];
    const filter = new RecordFilter('debug | .token == "hidden"', {
      mask: (records) => records.map(() => ({ token: 'hidden' })),
      debug: (text) => said.push(text),
    });
    expect(await filter.matching([{ token: 'secret' }], nameOf)).toEqual([0]);
    expect(said).toEqual(['["DEBUG:",{"token":"hidden"}]']);
  });

  it('leaves large integers and their neighbours as they are', async () => {
    const records = parseJson('[{"id":9007199254740993},9007199254740993]') as unknown[];
    expect(await matching('type == "object"', records)).toEqual([0]);
    expect(await matching('.id? // false', records)).toEqual([0]);
    expect(JSON.stringify(records)).toBe('[{"id":9007199254740993},9007199254740993]');
  });
});
