import { describe, expect, it, vi } from 'vitest';
import { JqError } from '../../src/jq/jq.ts';
import { type RenderOptions, renderList, renderRecord } from '../../src/output/render.ts';
import { run } from '../support/run.ts';
import { hostile, pagesOf, screen } from './screen.ts';

type Settings = Partial<RenderOptions> & { tty?: boolean };

const pages = [
  [
    { name: 'site', id: 1, temp_clone_token: 'ghs_1' },
    { name: '日本語', id: 2, temp_clone_token: 'ghs_2' },
  ],
  [{ name: 'tools', id: 3, temp_clone_token: 'ghs_3' }],
];

async function filtered(jq: string, { tty = false, ...options }: Settings = {}) {
  const shown = screen({ tty });
  const all: RenderOptions = { format: 'json', showSecrets: false, jq, ...options };
  await renderList(pagesOf(...pages), [], all, shown.terminal);
  return { out: shown.out(), err: shown.err() };
}

async function filteredRecord(record: unknown, jq: string, { tty = false, ...options }: Settings = {}) {
  const { terminal, out } = screen({ tty });
  await renderRecord(record, [], { format: 'json', showSecrets: false, jq, ...options }, terminal);
  return out();
}

describe('--jq', () => {
  it('receives a list as one array, and prints strings raw and everything else as compact JSON, one per line', async () => {
    expect((await filtered('length, .[].name, (.[0] | {id, ok: true}), null, [.[].id]')).out).toBe(
      '3\nsite\n日本語\ntools\n{"id":1,"ok":true}\nnull\n[1,2,3]\n',
    );
  });

  it('receives a record as one document', async () => {
    expect(await filteredRecord({ owner: { login: 'acme' } }, '.owner')).toBe('{"login":"acme"}\n');
    expect(await filteredRecord({}, '.')).toBe('{}\n');
  });

  it('keeps the white space of strings, and prints nothing without results', async () => {
    expect(await filteredRecord({ a: '  x \n\n', b: '' }, '.a, .b')).toBe('  x \n\n\n\n');
    expect(await filteredRecord({ a: 1 }, 'empty')).toBe('');
  });

  it('receives each record of NDJSON separately', async () => {
    expect((await filtered('[.id, .name] # a comment', { format: 'ndjson' })).out).toBe(
      '[1,"site"]\n[2,"日本語"]\n[3,"tools"]\n',
    );
  });

  it('applies after --fields', async () => {
    expect((await filtered('.[0]', { fields: ['id', 'missing'] })).out).toBe('{"id":1}\n');
  });

  it('sees secrets only with --show-secrets', async () => {
    expect((await filtered('.[0].temp_clone_token')).out).toBe('********\n');
    expect((await filtered('.[0].temp_clone_token', { showSecrets: true })).out).toBe('ghs_1\n');
  });

  it('has no access to the environment', async () => {
    process.env.FORGECTL_TOKEN = 'ghp_environment';
    try {
      expect(await filteredRecord({}, '[env, $ENV | has("FORGECTL_TOKEN")] | any')).toBe('false\n');
    } finally {
      delete process.env.FORGECTL_TOKEN;
    }
  });

  it('accepts a filter that begins with a dash', async () => {
    expect(await filteredRecord({ a: 1 }, '-.a')).toBe('-1\n');
  });

  it('keeps text exact in a pipe and neutralises it on a terminal', async () => {
    const record = { name: hostile.replace('\ud800', '') };
    expect(await filteredRecord(record, '.name')).toBe(`${record.name}\n`);
    expect(await filteredRecord(record, '.name, [.name]', { tty: true })).toBe(
      'a\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066gh\\u007fi\tj\nk\n' +
        '["a\\u001b]0;evil\\u0007b\\u009b2Jc\\rd\\u202ee\\u200bf\\u2066gh\\u007fi\\tj\\r\\nk"]\n',
    );
  });

  it('replaces lone surrogates, which jq would reject, and keeps text that only looks like one', async () => {
    expect(await filteredRecord({ a: 'x\ud800y', b: 'x\\ud800y' }, '.a, .b')).toBe('x\ufffdy\nx\\ud800y\n');
  });
});

describe('a failing jq filter', () => {
  it('is reported with jq’s reason if it does not compile, before the list is requested', async () => {
    const unasked = {
      [Symbol.asyncIterator]: () => {
        throw new Error('the list was asked for');
      },
    };
    const options: RenderOptions = { format: 'json', showSecrets: false, jq: 'map(' };
    const listing = renderList(unasked, [], options, screen().terminal);
    await expect(listing).rejects.toThrow(JqError);
    await expect(listing).rejects.toThrow(
      'The jq filter “map(” failed: syntax error, unexpected end of file at <top-level>, line 1, column 4',
    );
  });

  it('is reported with all reasons', async () => {
    await expect(filteredRecord({}, 'nope | neither')).rejects.toThrow(
      'The jq filter “nope | neither” failed: nope/0 is not defined at <top-level>, line 1, column 1; neither/0 is not defined at <top-level>, line 1, column 8',
    );
  });

  it('is reported if it fails on the data, without earlier results', async () => {
    const { terminal, out } = screen();
    const options: RenderOptions = { format: 'json', showSecrets: false, jq: '.[] | 1 / .' };
    const listing = renderList(pagesOf([1, 2, 'x']), [], options, terminal);
    await expect(listing).rejects.toThrow(JqError);
    await expect(listing).rejects.toThrow(
      'The jq filter “.[] | 1 / .” failed: number (1) and string ("x") cannot be divided',
    );
    expect(out()).toBe('');
  });

  it('is reported if it fails on one record of NDJSON, whatever follows', async () => {
    await expect(filtered('if .id == 1 then error("no") else .id end', { format: 'ndjson' })).rejects.toThrow(
      'The jq filter “if .id == 1 then error("no") else .id end” failed: no',
    );
  });

  it('explains that there is no other input', async () => {
    await expect(filtered('[., inputs] | input')).rejects.toThrow(
      'The jq filter “[., inputs] | input” failed: input and inputs are not available, as the JSON is the only input',
    );
  });

  it('shows the message of halt_error', async () => {
    await expect(filtered('"stop here" | halt_error')).rejects.toThrow('failed: stop here');
    await expect(filtered('"" | halt_error')).rejects.toThrow('failed: no reason given');
  });

  it('never quotes a secret, even with --show-secrets', async () => {
    const failing = filtered('.[0].temp_clone_token | tonumber', { showSecrets: true });
    await expect(failing).rejects.toThrow('string ("********") cannot be parsed as a number');
    await expect(failing).rejects.not.toThrow('ghs');
  });

  it('escapes quoted data', async () => {
    await expect(filteredRecord({ a: '\x1b[2J\u202e' }, '.a | error')).rejects.toThrow(
      'The jq filter “.a | error” failed: \\u001b[2J\\u202e',
    );
  });

  it('truncates errors and debug output of the filter', async () => {
    await expect(filtered('error("x" * 5000)')).rejects.toThrow(`failed: ${'x'.repeat(1000)}… (4,000 more characters)`);
    const { out, err } = await filtered('("x" * 100000 | stderr) | length');
    expect({ out, err }).toEqual({ out: '100000\n', err: `${'x'.repeat(65_536)}… (34,464 more characters)\n` });
  });

  it('writes debug output to standard error', async () => {
    const { out, err } = await filtered('.[0].name | debug | "\\(.)!"');
    expect(out).toBe('site!\n');
    expect(err).toBe('["DEBUG:","site"]\n');
  });

  it('ends at the limit of --timeout', async () => {
    const message =
      'The jq filter “def f: f; f” failed: it did not end within 0.05 s. Simplify it, or allow more time with --timeout.';
    for (const showSecrets of [true, false])
      await expect(filtered('def f: f; f', { jqTimeoutMs: 50, showSecrets })).rejects.toThrow(message);
    const words = ['config', 'list', '--jq', 'def f: f; f', '--timeout', '50ms'];
    expect(await run(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  // jq does not recover from this in the same process, so it comes last.
  it('is reported if it runs out of memory', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    await expect(filteredRecord({}, '[range(1e8)] | length')).rejects.toThrow(
      'The jq filter “[range(1e8)] | length” failed: jq ran out of memory. Select fewer fields or records, or filter one record at a time with -o ndjson.',
    );
    expect(said).not.toHaveBeenCalled();
    said.mockRestore();
  });
});
