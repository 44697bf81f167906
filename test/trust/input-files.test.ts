/** Files, standard input and flags: their bytes stay what they are, JSON is not YAML, and no input keeps a run busy. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nacl from 'tweetnacl';
import { describe, expect, it } from 'vitest';
import { openSealedBox } from '../support/open-sealed-box.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const folder = await temporaryDirectory();
const file = (content: string | Buffer) => {
  const path = join(mkdtempSync(join(folder, 'input-')), 'file');
  writeFileSync(path, content);
  return path;
};

async function sent(line: readonly string[], stdin?: string | Buffer) {
  const platform = await scriptedPlatform(() => ({ body: { id: 7 } }));
  const { code, stderr } = await run(line, { env: platform.env, ...(stdin === undefined ? {} : { stdin }) });
  const body = platform.requests.at(-1)?.body;
  return { code, stderr, body: body ? (JSON.parse(body) as unknown) : undefined };
}

const byteOrderMark = '\ufeff';
const latin1 = Buffer.from([0x70, 0xe9, 0x73, 0xff]);
const comment = ['comments', 'create', 'acme/site', 'ce58745'];
const create = ['rulesets', 'create', 'acme', '--name', 'Guard', '--enforcement', 'active'];

describe('text', () => {
  it.each<[what: string, words: readonly string[], said: string]>([
    ['a long text', [...comment, '--body-file', file(latin1)], '--body-file '],
    ['a body', [...create, '--input', file(Buffer.concat([Buffer.from('{"name":"'), latin1]))], '--input '],
    ['a nested value', [...create, '--rules', `@${file(latin1)}`], '--rules must be JSON, but '],
  ])('that is not UTF-8 is rejected in %s', async (_, words, said) => {
    const { code, stderr, body } = await sent(words);
    expect({ code, body }).toEqual({ code: 2, body: undefined });
    expect(stderr).toContain(`forgectl: ${said}`);
    expect(stderr).toContain(' is not UTF-8 text.');
  });

  it('that is not UTF-8 is rejected on standard input', async () => {
    expect(await sent([...comment, '--body-file', '-'], latin1)).toEqual({
      code: 2,
      stderr: 'forgectl: Standard input is not UTF-8 text.\n',
      body: undefined,
    });
  });

  it('loses one byte order mark', async () => {
    const words = [...comment, '--body-file', '-'];
    expect((await sent(words, `${byteOrderMark}Hello`)).body).toEqual({ body: 'Hello' });
    expect((await sent(words, `${byteOrderMark}${byteOrderMark}Hello`)).body).toEqual({ body: '\ufeffHello' });
    expect((await sent([...create, '--input', '-'], `${byteOrderMark}{"target":"tag"}`)).body).toMatchObject({
      target: 'tag',
    });
    const rules = file(`${byteOrderMark}[{"type":"deletion"}]`);
    expect((await sent([...create, '--rules', `@${rules}`])).body).toMatchObject({ rules: [{ type: 'deletion' }] });
  });
});

describe('text of the command line', () => {
  /** `TEXT` is replaced by these bytes, as printf writes them. Only a shell can pass what is not UTF-8. */
  async function typed(words: readonly string[], bytes: string) {
    const platform = await scriptedPlatform(() => ({ status: 201, body: { id: 7 } }));
    const line = words.map((word) =>
      word
        .split('TEXT')
        .map((part) => `'${part}'`)
        .join('"$text"'),
    );
    const script = `text=$(printf '${bytes}') && exec "$@" ${line.join(' ')}`;
    const { code, stderr } = await start([], { env: platform.env, through: ['sh', '-c', script, 'sh'] }).ended;
    return { code, stderr, bodies: platform.requests.map(({ body }) => body) };
  }

  const notUtf8 = 'p\\351s\\377';

  it.each<[line: readonly string[], names: string]>([
    [[...comment, '--body', 'TEXT'], '--body'],
    [[...comment, '--body=Hello TEXT'], '--body'],
    [['orgs', 'update', 'acme', '--location', 'TEXT', '--company', 'Größe', '--name', 'TEXT'], '--location and --name'],
    [['api', '/orgs/acme', '-X', 'PATCH', '-f', 'location=TEXT'], '--raw-field'],
    [['orgs', 'get', 'TEXT'], 'ORG'],
    [['each', 'repos', 'acme', '--', 'comments', 'create', '{}', 'ce58745', '--body', 'TEXT'], '--body'],
  ])('that is not UTF-8 is rejected: %j', async (words, names) => {
    const { code, stderr, bodies } = await typed(words, notUtf8);
    expect({ code, bodies }).toEqual({ code: 2, bodies: [] });
    for (const name of names.split(' and ')) expect(stderr).toContain(`${name} is not UTF-8 text`);
    expect(stderr).not.toContain('--company');
  });

  it.runIf(process.platform === 'linux')('may contain U+FFFD itself', async () => {
    expect(await typed([...comment, '--body', 'TEXT'], '\\357\\277\\275')).toMatchObject({
      code: 0,
      bodies: [JSON.stringify({ body: '\uFFFD' })],
    });
  });
});

describe('a secret', () => {
  const keyPair = nacl.box.keyPair();
  const seal = ['registries', 'seal', 'acme', '--json'];

  async function sealed(words: readonly string[], stdin?: Buffer) {
    const { env } = await scriptedPlatform({
      'GET /orgs/acme/private-registries/public-key': {
        body: { key_id: '7', key: Buffer.from(keyPair.publicKey).toString('base64') },
      },
    });
    const { code, stdout, stderr } = await run([...seal, ...words], { env, ...(stdin ? { stdin } : {}) });
    if (code !== 0) return { code, message: JSON.parse(stderr).error.message as string };
    const box = Buffer.from(JSON.parse(stdout).encrypted_value, 'base64');
    return { code, bytes: Buffer.from(openSealedBox(box, keyPair) ?? []) };
  }

  it.each<[what: string, bytes: Buffer, message: string]>([
    ['that is not UTF-8', latin1, 'The secret is not UTF-8 text. Nothing was sent.'],
    [
      'with a byte order mark',
      Buffer.from(`${byteOrderMark}s3cret`),
      'The secret starts with a byte order mark. Nothing was sent.',
    ],
  ])('%s is rejected, unless its encoding is binary', async (_, bytes, message) => {
    expect(await sealed(['--secret-stdin'], bytes)).toEqual({ code: 2, message });
    expect(await sealed(['--secret-file', file(bytes)])).toEqual({ code: 2, message });
    expect(await sealed(['--secret-stdin', '--secret-encoding', 'binary'], bytes)).toEqual({ code: 0, bytes });
    const words = ['--secret-file', file(bytes), '--secret-encoding', 'binary'];
    expect(await sealed(words)).toEqual({ code: 0, bytes });
  });

  it('keeps its trailing newline if its encoding is binary', async () => {
    const bytes = Buffer.from('s3cret\n');
    expect(await sealed(['--secret-stdin', '--secret-encoding', 'binary'], bytes)).toEqual({ code: 0, bytes });
    expect(await sealed(['--secret-stdin'], bytes)).toEqual({ code: 0, bytes: Buffer.from('s3cret') });
  });

  it('has no encoding if it is not read', async () => {
    const words = ['registries', 'update', 'acme', 'NPM', '--username', 'ada', '--secret-encoding', 'binary'];
    expect((await sent(words)).stderr).toBe(
      'forgectl: --secret-encoding requires --secret-file or --secret-stdin. Nothing was sent.\n',
    );
  });
});

describe('input that begins like JSON', () => {
  it.each([
    '{"name": "none", // comment\n"target": "tag"}',
    '{name: none}',
    '[1, 2',
    ' \n{"name": "none",}',
    '{"a": 1} {"b": 2}',
  ])('is not parsed as YAML: %j', async (text) => {
    const { code, stderr, body } = await sent([...create, '--input', '-'], text);
    expect({ code, body }).toEqual({ code: 2, body: undefined });
    expect(stderr).toMatch(
      /^forgectl: Standard input is not valid JSON \(line \d\)\.\nInput that starts with \{ or \[ is parsed as JSON, not as YAML\.\n$/,
    );
  });
});

describe('YAML', () => {
  const refusal = async (text: string) => {
    const { code, stderr, body } = await sent([...create, '--input', '-'], text);
    expect({ code, body }).toEqual({ code: 2, body: undefined });
    return stderr;
  };

  it('is rejected if a key is repeated, even in two spellings', async () => {
    expect(await refusal('target: tag\ntarget: branch\n')).toBe(
      'forgectl: Standard input is not valid YAML (line 2, column 1): Map keys must be unique.\n',
    );
    expect(await refusal('a:\n  1: x\n  "1": y\n')).toContain('(line 3, column 3): Map keys must be unique.');
  });

  it('is rejected if it contains a second document', async () => {
    expect(await refusal('target: tag\n---\ntarget: branch\n')).toContain(
      '(line 2, column 1): Only one document is allowed.',
    );
  });

  it('keeps aliases, integers and strings as defined by YAML 1.2', async () => {
    const text = 'x: &a [no, 0o17, 12345678901234567890]\ny: *a\n? z\n: ~\n';
    const platform = await scriptedPlatform(() => ({ body: {} }));
    await run(['api', 'POST', '/x', '--input', '-'], { env: platform.env, stdin: text });
    expect(platform.requests[0]?.body).toBe(
      '{"x":["no",15,12345678901234567890],"y":["no",15,12345678901234567890],"z":null}',
    );
  });

  it.each<[what: string, text: string, said: string]>([
    ['aliases without number', `a: &a 1\nb: [${'*a,'.repeat(1001)}]`, ' has more than 1000 aliases.'],
    [
      'aliases that multiply',
      `a: &a [${'x,'.repeat(30_000)}]\nb: [${'*a,'.repeat(90)}]`,
      ' has more than 1,000,000 values.',
    ],
    ['itself', 'a: &a\n  b: *a\n', ' is nested more than 250 levels deep.'],
  ])('that contains %s is rejected', async (_, text, said) => {
    expect(await refusal(text)).toBe(`forgectl: Standard input${said}\n`);
  });

  it('is rejected at its first error', async () => {
    expect(await refusal(`a: ${'"'.repeat(200_000)}`)).toContain('is not valid YAML (line 1, column 6)');
    expect(await refusal(`a: 1\n${']'.repeat(200_000)}`)).toContain('is not valid YAML (line 2, column 1)');
  });
});

describe('nesting', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  it.each<[what: string, text: string, deepest: number]>([
    ['JSON lists', `{"a":${lists(1000)}}`, 1000],
    ['JSON objects', `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, 1000],
    ['JSON that never closes', '['.repeat(2_000_000), 1000],
    ['YAML lists', `a: ${lists(250)}`, 250],
    ['YAML dashes', '- '.repeat(200_000), 250],
    ['YAML question marks', '? '.repeat(200_000), 250],
  ])('that is too deep is rejected in %s', async (_, text, deepest) => {
    const { code, stderr } = await sent(['api', 'POST', '/x', '--input', '-'], text);
    expect(stderr).toBe(`forgectl: Standard input is nested more than ${deepest} levels deep.\n`);
    expect(code).toBe(2);
  });

  it('of more than 1000 levels is rejected in a flag that takes JSON', async () => {
    const words = ['rulesets', 'create', 'acme/site', '--name', 'x', '--enforcement', 'active', '--rules', lists(1001)];
    expect((await sent(words)).stderr).toBe(
      'forgectl: --rules is nested more than 1000 levels deep. Nothing was sent.\n',
    );
  });

  it('below the limit is sent, and shown in a dry run', async () => {
    const words = ['orgs', 'update', 'acme', '--input', '-'];
    const block = Array.from({ length: 240 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('');
    for (const text of [`{"new_field":${lists(999)}}`, `new_field: ${lists(240)}`, block]) {
      expect((await sent(words, text)).code).toBe(0);
      for (const format of ['json', 'yaml', 'table'])
        expect(await sent([...words, '--dry-run', '-o', format], text)).toMatchObject({ code: 0 });
    }
  });

  it('ignores brackets in strings', async () => {
    const text = JSON.stringify({ a: '['.repeat(5000), b: '\\"[['.repeat(5000) });
    expect((await sent(['api', 'POST', '/x', '--input', '-'], text)).code).toBe(0);
  });
});

describe('size', () => {
  const mebibyte = 1024 * 1024;

  it.each<[what: string, line: readonly string[], text: string, said: string]>([
    ['JSON', ['orgs', 'update', 'acme', '--input', '-'], `{"a":"${'x'.repeat(8 * mebibyte)}"}`, 'is larger than 8 MiB'],
    [
      'YAML',
      ['orgs', 'update', 'acme', '--input', '-'],
      `a: ${'x'.repeat(mebibyte)}`,
      'is YAML and is larger than 1 MiB',
    ],
    ['a text', [...comment, '--body-file', '-'], 'x'.repeat(8 * mebibyte + 1), 'is larger than 8 MiB'],
    [
      'YAML of a snapshot',
      ['snapshots', 'submit', 'acme/site', '--input', '-'],
      `a: ${'x'.repeat(mebibyte)}`,
      'is YAML and is larger than 1 MiB',
    ],
  ])('beyond the limit is rejected in %s', async (_, line, text, said) => {
    expect(await sent(line, text)).toEqual({
      code: 2,
      stderr: `forgectl: Standard input ${said}.\n`,
      body: undefined,
    });
  });

  it('of a snapshot may be larger', async () => {
    const text = JSON.stringify({ metadata: { note: 'x'.repeat(9 * mebibyte) } });
    const { stdout } = await run(['snapshots', 'lint', '-', '--json'], { stdin: text });
    expect(JSON.parse(stdout)[0]).toEqual({
      file: 'standard input',
      severity: 'error',
      code: 'missing-field',
      path: 'version',
      message: 'is required',
    });
  });
});
