import { describe, expect, it, onTestFinished, vi } from 'vitest';
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

  it('reports the record that the expression fails for', async () => {
    const failed = matching('.a > 1 and .a.b', [{ a: 1 }, { a: 2 }]);
    await expect(failed).rejects.toThrow(JqError);
    await expect(failed).rejects.toThrow(
      'The jq filter “.a > 1 and .a.b” failed for record 1: Cannot index number with string ("b")',
    );
    await expect(matching('error(.)', [{ a: 1 }])).rejects.toThrow('failed for record 0: {"a":1}');
  });

  it('stops after its time, and the next one runs', async () => {
    const endless = new RecordFilter('def f: f; f', { timeoutMs: 100 });
    await expect(endless.matching([{ a: 1 }], nameOf)).rejects.toThrow(
      'The jq filter “def f: f; f” failed: it did not end within 0.1 s. Simplify it, or allow more time with --timeout.',
    );
    expect(await Promise.all([matching('.a', [{ a: 1 }]), matching('.a', [{}, { a: 1 }])])).toEqual([[0], [1]]);
  });

  it('is stopped while others wait, which run with another jq', async () => {
    const endless = new RecordFilter('[range(infinite)] | length', { timeoutMs: 100 }).matching([{ a: 1 }], nameOf);
    const other = matching('.a', [{ a: 1 }]);
    await expect(endless).rejects.toThrow('did not end within 0.1 s');
    expect(await other).toEqual([0]);
  });

  it('has 10 seconds for each page by default', async () => {
    const run = vi.spyOn(process.getBuiltinModule('node:vm'), 'runInNewContext');
    onTestFinished(() => run.mockRestore());
    await matching('.a', [{ a: 1 }]);
    expect(run.mock.calls.map(([, , options]) => options)).toEqual([{ timeout: 10_000 }]);
  });

  it.each(['input', 'inputs', 'first(inputs)', '[inputs] | length == 0'])(
    'explains that there is no %s',
    async (text) => {
      await expect(matching(text, [{ a: 1 }])).rejects.toThrow(
        `The jq filter “${text}” failed for record 0: input and inputs are not available, as the expression is applied to one record at a time`,
      );
    },
  );

  it.each([
    ['error', 'its message is not shown, as it may quote the record'],
    ['error(.a)', 'its message is not shown, as it may quote the record'],
    ['error("Cannot index \\(.a)")', 'its message is not shown, as it may quote the record'],
    ['.a | tonumber', 'its message is not shown, as it may quote the record'],
    ['.a | fromjson', 'its message is not shown, as it may quote the record'],
    ['.b[.a]', 'Cannot index number with string'],
    ['.a[]', 'Cannot iterate over string'],
    ['.a | keys', 'string has no keys'],
    ['.b | test("x")', 'number cannot be matched, as it is not a string'],
    ['input', 'input and inputs are not available, as the expression is applied to one record at a time'],
  ])('does not quote a record that must not be shown: %s', async (expression, reason) => {
    const filter = new RecordFilter(expression, { quotesRecords: false });
    await expect(filter.matching([{ a: 'confidential (x) text', b: 5 }], nameOf)).rejects.toThrow(
      new JqError(expression, reason, 'record 0'),
    );
  });

  it.each(['halt_error', 'halt_error(0)'])('does not quote a record that %s prints', async (expression) => {
    const filter = new RecordFilter(expression, { quotesRecords: false });
    const failed = filter.matching([{ a: 'confidential' }], nameOf);
    await expect(failed).rejects.toThrow(JqError);
    await expect(failed).rejects.not.toThrow(/confidential/);
  });

  it('reports a filter that ends jq itself without an error', async () => {
    await expect(matching('halt', [{ a: 1 }])).rejects.toThrow(
      'The jq filter “halt” failed: it ended without a result',
    );
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

  it.each(['stderr', 'debug', 'debug(.)', 'debug(., stderr)'])(
    'keeps nothing that nobody reads: %s',
    async (output) => {
      const failed = matching(`(.a | ${output} | empty), ("the end" | halt_error)`, [{ a: 'gigabytes' }]);
      await expect(failed).rejects.toThrow(/failed: the end$/);
      expect(await matching(`[${output}] == [.]`, [{ a: 1 }])).toEqual([0]);
    },
  );

  it('leaves large integers and their neighbours unchanged', async () => {
    const records = parseJson('[{"id":9007199254740993},9007199254740993]') as unknown[];
    expect(await matching('type == "object"', records)).toEqual([0]);
    expect(await matching('.id? // false', records)).toEqual([0]);
    expect(JSON.stringify(records)).toBe('[{"id":9007199254740993},9007199254740993]');
  });
});
