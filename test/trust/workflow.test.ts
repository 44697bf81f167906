/** In a workflow's job the runner obeys lines of the log, whoever wrote them: text from elsewhere must not be such a line. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';
import { startServer } from '../support/server.ts';

/** What a runner takes for a command: `::` first in a line after spaces, with another `::`; or `##[` anywhere, with a `]`. */
const obeyed = (output: string): string[] =>
  output.split(/\r\n|\n|\r/).filter((line) => /^::.*::/.test(line.trimStart()) || /##\[.*\]/.test(line));

const attacks = [
  '::set-output name=tag::evil',
  ' \t::add-mask::e',
  '\u00a0::stop-commands::x',
  'first\n::error file=a.ts::second\n  ::warning::third',
  'see ##[set-output name=tag]evil',
  '###[add-mask]e',
  '::::',
];
const record = (text: string) => ({ login: text, [text]: text, description: text, id: 1 });
const CI = { CI: 'true', GITHUB_ACTIONS: 'true' };
const get = ['orgs', 'get', 'acme'];

it('the runner of this test executes each of these if it is printed unchanged', () => {
  for (const attack of attacks) expect(obeyed(attack), attack).not.toEqual([]);
});

describe.each(attacks)('%j', (attack) => {
  it.each(['table', 'tsv', 'json', 'ndjson', 'yaml'])('is not executed in a record or a list as %s', async (format) => {
    const { env } = await scriptedPlatform({
      'GET /orgs/acme': { body: record(attack) },
      'GET /organizations': { body: [record(attack), record(attack)] },
    });
    const fields = ['--fields', 'description,login'];
    for (const words of [get, ['orgs', 'list'], [...get, ...fields], ['orgs', 'list', ...fields]]) {
      const { stdout, stderr, code } = await run([...words, '-o', format], { env: { ...env, ...CI } });
      expect({ words, stderr, code }).toEqual({ words, stderr: '', code: 0 });
      expect(obeyed(stdout), words.join(' ')).toEqual([]);
    }
  });

  it('is the same data in JSON and YAML', async () => {
    const { env } = await scriptedPlatform({ 'GET /orgs/acme': { body: record(attack) } });
    const [json, yaml] = [
      await run([...get, '-o', 'json'], { env: { ...env, ...CI } }),
      await run([...get, '-o', 'yaml'], { env: { ...env, ...CI } }),
    ];
    expect(JSON.parse(json.stdout)).toEqual(record(attack));
    expect(parse(yaml.stdout)).toEqual(record(attack));
  });

  it.each([[], ['--json'], ['--debug']])('is not executed in an error: %j', async (...more) => {
    const errors = [{ field: attack, message: attack }];
    const { env } = await scriptedPlatform({
      'GET /orgs/acme': { status: 422, headers: { 'x-note': '##[add-mask]e' }, body: { message: attack, errors } },
    });
    const { stderr, code } = await run([...get, ...more], { env: { ...env, ...CI } });
    expect(code).toBe(6);
    expect(obeyed(stderr)).toEqual([]);
  });

  it('is not executed in what a filter writes to standard error', async () => {
    const { env } = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: attack } } });
    for (const filter of ['.login | stderr | empty', '.login | debug | empty']) {
      const { stderr, code } = await run([...get, '--jq', filter], { env: { ...env, ...CI } });
      expect({ found: obeyed(stderr), code }).toEqual({ found: [], code: 0 });
    }
  });

  it('is exact in CSV and in the output of --jq', async () => {
    const { env } = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: attack } } });
    const { stdout } = await run([...get, '--jq', '.login'], { env: { ...env, ...CI } });
    expect(stdout).toBe(`${attack}\n`);
    const csv = await run([...get, '-o', 'csv', '--fields', 'login'], { env: { ...env, ...CI } });
    expect(csv.stdout).toContain(attack);
  });
});

it('is escaped like in JSON in a workflow, and unchanged elsewhere', async () => {
  const { env } = await scriptedPlatform({ 'GET /orgs/acme': { body: { login: '::debug::a ##[b]' } } });
  const tsv = [...get, '-o', 'tsv', '--fields', 'login'];
  expect((await run(tsv, { env: { ...env, ...CI } })).stdout).toBe('\\u003a:debug::a #\\u0023[b]\n');
  expect((await run(tsv, { env: { ...env, CI: 'true' } })).stdout).toBe('::debug::a ##[b]\n');
});

it('headers of a response and the body of a dry run are not executed either', async () => {
  const { env } = await scriptedPlatform({
    'GET /orgs/acme': { headers: { 'x-note': '##[add-mask]e' }, body: {} },
  });
  const shown = await run(['api', 'GET', '/orgs/acme', '--include'], { env: { ...env, ...CI } });
  expect(shown.stdout).toContain('x-note: #\\u0023[add-mask]e');
  const words = ['orgs', 'update', 'acme', '--description', '##[add-mask]e', '--dry-run'];
  const previewed = await run(words, { env: { ...env, ...CI } });
  expect(previewed.stdout).toContain('"description": "#\\u0023[add-mask]e"');
});

it('a rejected command line is not executed either', async () => {
  const { stderr, code } = await run(['::error::', '##[error]x'], { env: CI });
  expect(code).toBe(2);
  expect(obeyed(stderr)).toEqual([]);
});

it.each(['ndjson', 'json'])('a character that the platform escaped is not executed in a list as %s', async (format) => {
  const server = await startServer((response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('[{"login":"\\u0023\\u0023[error]x"},{"login":"#\\u0023[add-mask]e","\\u0023#[a]":1}]');
  });
  const { stdout } = await run(['orgs', 'list', '-o', format], { env: { FORGECTL_BASE_URL: server.origin, ...CI } });
  expect(obeyed(stdout)).toEqual([]);
  expect(stdout).toContain('#\\u0023[add-mask]e');
});
