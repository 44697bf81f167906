/** Nothing that a server sends acts on the terminal, wherever it is shown. */
import { describe, expect, it } from 'vitest';
import { promptText } from '../../src/cli/input/prompts/prompts.ts';
import { FakeTerminal } from '../support/fake-terminal.ts';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';
import { startServer } from '../support/server.ts';

/** A window title, a clipboard write, C1, an overwritten line, reversed text, a bell, DEL and an invisible character. */
const hostile =
  'a\x1b]0;evil\x07b\x1b]52;c;ZXZpbA==\x1b\\c\x9b2Jd\rforgectl: fine\u202ee\u2066f\x7fg\u200bh\u0085i\u2028j\x00k';

/** All that a terminal could obey, but for the newlines and tabs of the output itself. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const obeyed = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const record = { login: hostile, description: hostile, [hostile]: hostile, deep: [{ [hostile]: hostile }] };

const answering = (status: number): ScriptedAnswer => ({
  status,
  headers: {
    'x-github-request-id': 'a\x9b2Jb\tc',
    deprecation: '@1',
    link: '<https://x.example/\x9b2J>; rel="sunset"',
  },
  body: { ...record, message: hostile, errors: [{ field: hostile, message: hostile }, hostile] },
});

describe('on a terminal', () => {
  const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'];

  it.each([200, 400, 401, 403, 404, 422, 500])('a response of %i is harmless in every format', async (status) => {
    const platform = await scriptedPlatform(() => answering(status));
    const lines: string[][] = [
      ...formats.map((format) => ['orgs', 'get', 'acme', '-o', format]),
      ...formats.map((format) => ['api', 'GET', '/x', '-o', format]),
      ['orgs', 'get', 'acme', '--jq', '.description, .'],
      ['orgs', 'get', 'acme', '--jq', '.description | error'],
      ['orgs', 'get', 'acme', '--jq', '.description | debug'],
      ['orgs', 'get', 'acme', '--debug'],
      ['api', 'GET', '/x', '--include'],
      ['api', 'GET', '/x', '--paginate'],
    ];
    for (const words of lines) {
      const { stdout, stderr } = await run([...words, '--max-wait', '0'], { env: platform.env, tty: true });
      expect({ words, found: obeyed.exec(stdout + stderr)?.[0] }).toEqual({ words, found: undefined });
    }
  });

  it('text that is not JSON is harmless', async () => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(hostile),
    );
    const words = ['api', 'GET', '/zen', '--no-cache'];
    const env = { FORGECTL_BASE_URL: server.origin };
    expect((await run(words, { env, tty: true })).stdout).not.toMatch(obeyed);
    // In a pipe it is data, and exact.
    expect((await run(words, { env })).stdout).toBe(`${hostile}\n`);
  });

  it('echoed arguments are harmless', async () => {
    for (const words of [[hostile], ['orgs', 'get', 'a', hostile], ['orgs', 'get', 'acme', `--${hostile}`]])
      for (const json of [[], ['--json']]) {
        const { stderr } = await run([...words, ...json], { tty: true, env: { FORGECTL_TOKEN: classicToken } });
        expect(stderr).not.toMatch(obeyed);
      }
  });

  it('a prompt is harmless', async () => {
    const terminal = new FakeTerminal();
    const asked = promptText(`Delete ${hostile}?`, terminal.asking);
    await terminal.type('Delete', 'y\r');
    await asked;
    // What the question itself does to the screen are other sequences.
    for (const character of ['\x1b]', '\x07', '\u009b', '\u202e', '\u2066'])
      expect(terminal.shown).not.toContain(character);
  });
});

describe('in a pipe', () => {
  it.each(['table', 'tsv'])('%s is harmless too, because it may end on a terminal', async (format) => {
    const platform = await scriptedPlatform(() => ({ body: [record, record] }));
    const { stdout } = await run(['api', 'GET', '/x', '-o', format], { env: platform.env });
    expect(stdout).not.toMatch(obeyed);
  });

  it('--csv-safe prevents formulas in every cell and every column name', async () => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', 'fine'];
    const platform = await scriptedPlatform(() => ({ body: cells.map((cell) => ({ '=HYPERLINK("x")': cell })) }));
    const { stdout } = await run(['api', 'GET', '/x', '-o', 'csv', '--csv-safe'], { env: platform.env });
    expect(stdout).toBe(`"'=HYPERLINK(""x"")"\n'=1+1\n'+1\n'-1\n'@SUM(A1)\n'\t'=1\n"'\r'=1"\nfine\n`);
  });
});
