/** Standard input: everywhere for a file, and once. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../contracts/commands.ts';
import { scriptedPlatform } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const folder = await temporaryDirectory();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

async function sent(line: readonly string[], stdin?: string) {
  const platform = await scriptedPlatform(() => ({ body: { id: 7 } }));
  const { code, stderr } = await run(line, { env: platform.env, ...(stdin === undefined ? {} : { stdin }) });
  const body = platform.requests.at(-1)?.body;
  return { code, stderr, body: body ? (JSON.parse(body) as unknown) : undefined };
}

const review = ['dismissals', 'review', 'acme/site', '7', '--status', 'deny'];
const create = ['rulesets', 'create', 'acme', '--name', 'Guard', '--enforcement', 'active'];

describe('a text', () => {
  it.each<[words: readonly string[], body: object]>([
    [[...review, '--message-file', '-'], { status: 'deny', message: 'Not yet.\n\n@octocat\n' }],
    [
      ['bypass', 'review', 'acme/site', '7', '--status', 'reject', '--message-file', '-'],
      { status: 'reject', message: 'Not yet.\n\n@octocat\n' },
    ],
    [
      ['dismissals', 'create', 'acme/site', '7', '--dismissed-reason', 'not_used', '--dismissed-comment-file', '-'],
      { dismissed_reason: 'not_used', dismissed_comment: 'Not yet.\n\n@octocat\n' },
    ],
    [['comments', 'create', 'acme/site', 'ce58745', '--body-file', '-'], { body: 'Not yet.\n\n@octocat\n' }],
    [['comments', 'update', 'acme/site', '7', '--body-file', '-'], { body: 'Not yet.\n\n@octocat\n' }],
  ])('comes from standard input with %j', async (words, body) => {
    expect(await sent(words, 'Not yet.\n\n@octocat\n')).toEqual({ code: 0, stderr: '', body });
  });

  it('comes from a file', async () => {
    const note = file('note.md', 'From a file.\n');
    expect(await sent([...review, '--message-file', note])).toMatchObject({
      body: { status: 'deny', message: 'From a file.\n' },
    });
  });

  it('is sent as typed, even if it starts with @', async () => {
    expect(await sent([...review, '--message', '@note.md'])).toMatchObject({ body: { message: '@note.md' } });
    expect(await sent(['comments', 'create', 'acme/site', 'ce58745', '--body', '@-'])).toMatchObject({
      body: { body: '@-' },
    });
    expect(await sent(['api', 'POST', '/x', '-f', 'body=@octocat please look'])).toMatchObject({
      body: { body: '@octocat please look' },
    });
  });

  it('that is given twice is rejected, and its limits apply to every source', async () => {
    const twice = await sent([...review, '--message', 'No', '--message-file', '-'], 'x');
    expect(twice).toEqual({
      code: 2,
      stderr: 'forgectl: --message-file cannot be used with --message. Nothing was sent.\n',
      body: undefined,
    });
    expect((await sent([...review, '--message-file', '-'], 'x'.repeat(2049))).stderr).toBe(
      'forgectl: --message-file must be at most 2048 characters. Nothing was sent.\n',
    );
    expect((await sent(review)).stderr).toBe(
      'forgectl: message is required. Nothing was sent.\nUsage: forgectl dismissals review [TARGET] [ALERT] --message=TEXT [FLAGS]\n',
    );
  });
});

describe('a nested value', () => {
  const rules = '[{"type":"deletion"}]';

  it.each<[shown: string, words: readonly string[]]>([
    ['a flag that takes JSON', ['--rules', '@-']],
    ['--input', ['--input', '-']],
  ])('comes from standard input with %s', async (_, words) => {
    const stdin = words[0] === '--input' ? `rules: ${rules}` : rules;
    expect(await sent([...create, ...words], stdin)).toMatchObject({
      code: 0,
      body: { rules: [{ type: 'deletion' }] },
    });
  });

  it('is text from standard input and from a file with api -F, as in gh', async () => {
    expect(await sent(['api', 'POST', '/x', '-F', 'rules=@-'], rules)).toMatchObject({ body: { rules } });
    const stored = file('rules.json', rules);
    expect(await sent(['api', 'POST', '/x', '-F', `rules=@${stored}`])).toMatchObject({ body: { rules } });
  });

  it('that is not JSON is reported with its source', async () => {
    expect((await sent([...create, '--rules', '@-'], '[\n{]')).stderr).toBe(
      'forgectl: --rules must be JSON, but standard input is not (line 2). Nothing was sent.\n',
    );
    const broken = file('broken.json', '{');
    expect((await sent([...create, '--rules', `@${broken}`])).stderr).toBe(
      `forgectl: --rules must be JSON, but ${broken} is not (line 1). Nothing was sent.\n`,
    );
  });
});

it('means standard input for every flag that reads a file, unless its path is stored or its name determines the format', () => {
  const others = commands.flatMap(({ name, flags }) =>
    flags.filter(({ helpValue }) => helpValue === 'FILE').map((flag) => `${name} --${flag.name}`),
  );
  expect(others).toEqual([
    'audit --sarif',
    'audit --html',
    'audit merge --sarif',
    'audit merge --html',
    'auth login --private-key-file',
    'auth login --ca-file',
    'each --journal',
    'each --resume',
    'each --resume-or-start',
    'policy apply --undo-out',
    'policy apply --journal',
    'policy apply --resume',
    'policy apply --resume-or-start',
    'policy import --report',
    'policy plan --out',
    'policy plan --html',
    'policy review --out',
    'policy show --html',
    'properties set --journal',
    'properties set --resume',
    'rulesets impact --html',
    'sandbox serve --state',
    'snapshots create --file',
    'snapshots sbom --file',
    'snapshots submit --from',
  ]);
});

describe.skipIf(process.platform === 'win32')('each reads once, for all targets,', () => {
  async function eachRepository(words: (file: string) => readonly string[], descriptor: string, text: string) {
    const platform = await scriptedPlatform(({ method, url }) => {
      const [, name = ''] = /\/repos\/(acme\/\w+)/.exec(url) ?? [];
      const one = { id: name.length, full_name: name };
      return { body: method === 'GET' && name === '' ? [site, docs] : one };
    });
    const [site, docs] = ['acme/site', 'acme/handbook'].map((name) => ({ id: name.length, full_name: name }));
    const each = ['each', 'repos', 'acme', '--concurrency', '1', '--', ...words(descriptor)];
    const script = descriptor === '/dev/fd/9' ? 'exec "$@" 9< <(printf %s "$0")' : 'printf %s "$0" | "$@"';
    const env = { ...platform.env, XDG_STATE_HOME: await temporaryDirectory() };
    const { code, stderr } = await start(each, { env, through: ['bash', '-c', script, text] }).ended;
    const bodies = platform.requests.filter(({ method }) => method !== 'GET').map(({ body }) => JSON.parse(body));
    return { code, stderr, bodies };
  }

  const ways: readonly (readonly [
    what: string,
    words: (file: string) => readonly string[],
    text: string,
    body: object,
  ])[] = [
    [
      'a field',
      (path) => ['api', 'PATCH', '/repos/{}', '-F', `description=@${path}`],
      'hello',
      { description: 'hello' },
    ],
    ['a body of api', (path) => ['api', 'PATCH', '/repos/{}', '--input', path], '{"x":1}', { x: 1 }],
    ['a body', (path) => ['repos', 'update', '{}', '--input', path], '{"homepage":"h"}', { homepage: 'h' }],
    [
      'JSON',
      (path) => ['repos', 'update', '{}', '--security-and-analysis', `@${path}`],
      '{"secret_scanning":{"status":"enabled"}}',
      { security_and_analysis: { secret_scanning: { status: 'enabled' } } },
    ],
  ];

  it.each(
    ways.flatMap(([what, words, text, body]) =>
      ['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0', '/dev/fd/9'].map((path) => ({ what, path, words, text, body })),
    ),
  )('$what from $path', async ({ path, words, text, body }) => {
    expect(await eachRepository(words, path, text)).toMatchObject({ code: 0, bodies: [body, body] });
  });

  it('a field from a link to standard input', async () => {
    const link = join(await temporaryDirectory(), 'input');
    symlinkSync('/dev/stdin', link);
    const words = (path: string) => ['api', 'PATCH', '/repos/{}', '-F', `description=@${path}`];
    expect(await eachRepository(words, link, 'hello')).toMatchObject({
      code: 0,
      bodies: [{ description: 'hello' }, { description: 'hello' }],
    });
  });
});

describe('two flags that read standard input', () => {
  const register = 'registries create acme --registry-type npm_registry --url https://n.example.com --visibility all';

  it.each<[line: string, said: string]>([
    ['rulesets create acme --rules @- --input -', '--rules cannot read standard input: --input - already does'],
    [
      'rulesets create acme --rules @- --conditions @-',
      '--rules cannot read standard input: --conditions @- already does',
    ],
    [
      'dismissals review acme/site 7 --message-file - --input -',
      '--message-file cannot read standard input: --input - already does',
    ],
    ['api POST /x -F a=@- -F b=@-', '--field cannot read standard input: --field a=@- already does'],
    ['api POST /x -F a=@- --input -', '--field cannot read standard input: --input - already does'],
    [`${register} --secret-stdin --input -`, '--secret-stdin cannot read standard input: --input - already does'],
    [
      'rulesets create acme --rules @/dev/stdin --input /proc/self/fd/0',
      '--rules cannot read standard input: --input /proc/self/fd/0 already does',
    ],
    ['api POST /x -F a=@/dev/fd/0 -F b=@-', '--field cannot read standard input: --field a=@/dev/fd/0 already does'],
    [`${register} --secret-file - --input -`, '--secret-file cannot read standard input: --input - already does'],
  ])('are both reported: %s', async (line, said) => {
    expect(await sent(line.split(' '), '{}')).toEqual({
      code: 2,
      stderr: `forgectl: ${said}. Nothing was sent.\n`,
      body: undefined,
    });
  });

  it('are rejected among the files of a lint command', async () => {
    const { code, stderr } = await run(['rulesets', 'lint', '-', '-'], { stdin: '{}' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'forgectl: Standard input (-) can be given only once.\n',
    });
  });
});
