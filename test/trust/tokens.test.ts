/** A token is sent to its own origin and nowhere else, and it is found in nothing that forgectl writes. */
import { writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SecretFinder } from '../../src/client/secret-finder.ts';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { writeProfiles } from '../support/profiles.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';

/** Holds what URLs, JSON and base64 each write in their own way. */
const token = ['ghp', `a/b+c=${'d"e\\'.repeat(3)}${'f'.repeat(20)}`].join('_');

/** Every form in which a token may travel. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  encodeURIComponent(secret).replace(/%../g, (triple) => triple.toLowerCase()),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
  Buffer.from(`x:${secret}`).toString('base64'),
  Buffer.from(`ada:${secret}`).toString('base64url'),
];

/** The forms inside a member of JSON, which escapes it by itself. */
const membersOf = (secret: string) => formsOf(secret).filter((form) => form !== JSON.stringify(secret).slice(1, -1));

/** A token in which escapes hide characters, as serializers, proxies and web pages write them. */
const escapedForms = (secret: string): readonly string[] => {
  const codes = [...secret].map((character) => character.charCodeAt(0));
  return [
    codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join(''),
    codes.map((code) => `%${code.toString(16)}`).join(''),
    codes.map((code) => `&#${code};`).join(''),
    codes.map((code) => `&#x${code.toString(16).toUpperCase()};`).join(''),
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('hex').toUpperCase(),
  ];
};

/** The middle of each form: what is left of one that was masked only in part. */
const tracesOf = (secret: string): readonly string[] =>
  formsOf(secret).flatMap((form) => [form, form.slice(form.length / 2, form.length / 2 + 12)]);

async function filesBelow(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true });
  const paths = names.map((name) => join(directory, name));
  const texts = await Promise.all(
    paths.map(async (path) => ((await stat(path)).isFile() ? readFile(path, 'latin1') : '')),
  );
  return [...paths, ...texts];
}

/** Runs a command, and gives all that it wrote, in one text. */
async function allWritten(words: readonly string[], options: RunOptions): Promise<{ text: string; code: number }> {
  const configDir = await temporaryDirectory();
  const { stdout, stderr, code } = await run(words, { configDir, ...options });
  return { text: [stdout, stderr, ...(await filesBelow(configDir))].join('\n'), code };
}

/** A platform that sends the token back in every form, wherever there is a place for it. */
const echoing = (status: number): ScriptedAnswer => {
  const forms = formsOf(token);
  const members = membersOf(token).join(' ');
  return {
    status,
    headers: {
      etag: `"${encodeURIComponent(token)}"`,
      'x-echo': forms.join(' '),
      'x-github-request-id': forms[0] as string,
      deprecation: '@1767225600',
      link: `<https://docs.example.com/?q=${encodeURIComponent(token)}>; rel="deprecation"`,
    },
    body: {
      login: 'acme',
      message: `Bad token ${members}`,
      description: members,
      [`by ${token}`]: { deep: [[members]] },
      errors: [{ field: token, message: members }],
      documentation_url: `https://docs.example.com/?access_token=${token}`,
    },
  };
};

const outputs = ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'].map((format) => ['-o', format]);
const lines: readonly (readonly string[])[] = [
  ...outputs.map((output) => ['orgs', 'get', 'acme', ...output]),
  ['orgs', 'get', 'acme', '--jq', '.'],
  ['orgs', 'get', 'acme', '--fields', 'description,login'],
  ['orgs', 'get', 'acme', '--debug'],
  ['api', 'GET', '/orgs/acme', '--include'],
  ['api', 'GET', '/orgs/acme', '--debug', '--json'],
  ['orgs', 'update', 'acme', '--description', 'Rockets', '--dry-run', '--debug'],
];

describe('a token that the platform returns', () => {
  it.each([200, 400, 401, 403, 404, 410, 422, 500])('with %i is in no output and no file', async (status) => {
    const platform = await scriptedPlatform(() => echoing(status));
    const env = { ...platform.env, FORGECTL_TOKEN: token };
    for (const words of lines)
      for (const tty of [false, true]) {
        const { text } = await allWritten([...words, '--max-wait', '0'], { env, tty, columns: 2000 });
        expect({ words, found: tracesOf(token).filter((trace) => text.includes(trace)) }).toEqual({ words, found: [] });
      }
    expect(platform.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it.each([
    'audit acme --html FOLDER/a.html --sarif FOLDER/a.sarif --fix-policy FOLDER/fix',
    'audit acme --markdown',
    'rulesets impact FOLDER/ruleset.json acme --html FOLDER/impact.html',
    'policy plan FOLDER/policy.yaml --html FOLDER/plan.html --out FOLDER/plan.ndjson',
    'snapshots sbom acme/site --file FOLDER/sbom.json',
  ])('is in no report: %s', async (line) => {
    const forms = membersOf(token).join(' ');
    const folder = await temporaryDirectory();
    writeFileSync(join(folder, 'policy.yaml'), 'organizations: [acme]\nsettings: { company: Acme }\n');
    writeFileSync(join(folder, 'ruleset.json'), '{"name":"g","enforcement":"active","rules":[{"type":"deletion"}]}');
    for (const status of [200, 418]) {
      const platform = await scriptedPlatform({
        'GET /orgs/acme': {
          status,
          body: { login: 'acme', id: 1, default_repository_permission: forms, message: forms },
        },
        'GET /orgs/acme/repos': { body: [{ id: 1, name: 'site', full_name: 'acme/site', description: forms }] },
        'GET /orgs/acme/members': { status: 418, body: { message: forms } },
        'GET /repos/acme/site/activity': { status: 418, body: { message: forms } },
        'GET /repos/acme/site/dependency-graph/sbom': { body: { sbom: { name: forms, packages: [] } } },
      });
      const env = { ...platform.env, FORGECTL_TOKEN: token };
      const words = `${line.replaceAll('FOLDER', folder)}${line.includes('FOLDER') ? ' --force' : ''}`.split(' ');
      const { stdout, stderr } = await run(words, { env });
      const text = [stdout, stderr, ...(await filesBelow(folder))].join('\n');
      expect(platform.requests).not.toEqual([]);
      expect(tracesOf(token).filter((trace) => text.includes(trace))).toEqual([]);
    }
  });

  it.each(membersOf(token).map((form) => [form]))('is in no cached response: %s', async (form) => {
    const answers: readonly ScriptedAnswer[] = [
      { headers: { etag: '"1"' }, body: { description: form } },
      { headers: { etag: '"1"', link: `</x?q=${encodeURIComponent(form)}>; rel="self"` }, body: {} },
    ];
    for (const answer of answers) {
      const platform = await scriptedPlatform(() => answer);
      const configDir = await temporaryDirectory();
      await run(['orgs', 'get', 'acme'], { configDir, env: { ...platform.env, FORGECTL_TOKEN: token } });
      const kept = (await filesBelow(configDir)).join('\n');
      expect(tracesOf(token).filter((trace) => kept.includes(trace))).toEqual([]);
    }
  });

  it.each(escapedForms(classicToken))('is masked behind escapes: %s', async (form) => {
    const platform = await scriptedPlatform(() => ({
      status: 422,
      headers: { 'x-echo': form, 'content-type': 'application/json' },
      body: `{"message":"no ${form}","errors":[{"field":"a","message":"${form}"}]}`,
    }));
    for (const flags of [[], ['--debug'], ['--json']]) {
      const { stdout, stderr } = await run(['orgs', 'get', 'acme', ...flags], { env: platform.env });
      expect(`${stdout}${stderr}`).toContain('********');
      for (const text of [form, classicToken]) expect(`${stdout}${stderr}`).not.toContain(text);
    }
  });

  it.each([
    ['ghp_567890123456', '********'],
    ['ghp_56789012345', 'ghp_56789012345'],
  ])('is masked in messages, and in records from 16 characters: %s', async (short, inRecords) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: `no-${short}`, [`by ${short}`]: 1 } },
      'GET /orgs/globex': { status: 422, body: { message: `No ${short}` } },
    });
    const env = { ...platform.env, FORGECTL_TOKEN: short };
    const shown = await run(['orgs', 'get', 'acme', '--json', '--no-cache', '--debug'], { env });
    expect(JSON.parse(shown.stdout)).toEqual({ login: `no-${inRecords}`, [`by ${inRecords}`]: 1 });
    expect(shown.stderr).toContain('"login":"no-********"');
    expect((await run(['orgs', 'get', 'globex'], { env })).stderr).toContain('returned 422 No ********\n');
  });

  it('is masked in logins that a table adds to records', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets/7/history': { body: [{ version_id: 1, actor: { id: 9, type: 'User' } }] },
      'GET /user/9': { body: { login: `no-${classicToken}` } },
    });
    const { stdout, code } = await run('rulesets history acme 7 -o table'.split(' '), { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: expect.stringContaining('no-********'), code: 0 });
  });

  it('is masked in the ID of a key beside a sealed secret', async () => {
    const key = { key_id: classicToken, key: '2Sg8iYjAxxmI2LvUXpJjkYrMxURPc8r+dB7TJyvvcCU=' };
    const platform = await scriptedPlatform({ 'GET /orgs/acme/private-registries/public-key': { body: key } });
    const words = 'registries seal acme --secret-stdin --json'.split(' ');
    const { stdout } = await run(words, { env: platform.env, stdin: 'hush' });
    expect(JSON.parse(stdout)).toEqual({ key_id: '********', encrypted_value: expect.stringMatching(/^[\w+/]+=*$/) });
  });

  it('is masked in text that is not JSON, and shown with --show-secrets', async () => {
    const platform = await scriptedPlatform({
      'GET /zen': { headers: { 'content-type': 'text/plain' }, body: `token ${token}` },
      'GET /orgs/acme': { body: { description: token } },
    });
    const env = { ...platform.env, FORGECTL_TOKEN: token };
    expect((await run(['api', 'GET', '/zen'], { env })).stdout).toBe('token ********\n');
    expect((await run(['api', 'GET', '/zen', '--show-secrets'], { env })).stdout).toBe(`token ${token}\n`);
    const shown = await run(['api', 'GET', '/orgs/acme', '--json', '--show-secrets'], { env });
    expect(JSON.parse(shown.stdout)).toEqual({ description: token });
  });
});

describe('a token in text that is shortened or laid out', () => {
  /** Short enough to be in records that policies and audits read. */
  const short = 'ghp_56789012345';
  /** The token is where the text ends, so that only a part of it would be left. */
  const upTo = (length: number, secret = short) => `${'p'.repeat(length - 12)}${secret}`;
  const repository = { id: 1, name: 'site', full_name: 'initech/site', archived: false, description: upTo(80) };
  const label = { id: 1, name: `bug ${classicToken}`, color: 'd73a4a', description: upTo(65, classicToken) };

  it.each([
    'orgs get acme',
    'orgs get acme --json',
    'orgs update acme --description Rockets',
    'audit globex',
    'each repos initech --dry-run -- repos update {} --description Rockets',
    'audit initech --where error(.description)',
  ])('is masked in full: %s', async (line) => {
    const refused = { status: 422, body: { message: upTo(1000), errors: [{ message: upTo(1000) }, upTo(1000)] } };
    const platform = await scriptedPlatform({
      'GET /orgs/acme': refused,
      'PATCH /orgs/acme': refused,
      'GET /orgs/globex': { body: { login: 'globex', id: 2 } },
      'GET /orgs/globex/repos': { body: [{ ...repository, full_name: `globex/${upTo(72)}` }] },
      'GET /orgs/initech': { body: { login: 'initech', id: 3 } },
      'GET /orgs/initech/repos': {
        body: [
          { ...repository, full_name: 'initech/site', ...(line.includes('error') && { description: upTo(1000) }) },
        ],
      },
    });
    const { stdout, stderr } = await run(line.split(' '), { env: { ...platform.env, FORGECTL_TOKEN: short } });
    expect(`${stdout}${stderr}`).toContain('********');
    expect(`${stdout}${stderr}`).not.toContain(short.slice(0, 8));
  });

  it.each([
    ['labels delete acme/site bug', 'to confirm', 'no\r'],
    ['labels delete acme/site bug --plain', 'to confirm', 'no\r'],
    ['rulesets get acme', 'Which ruleset', '\r'],
    ['rulesets get acme --plain', 'Which ruleset', '1\r'],
  ])('is masked before a prompt and in it: %s', async (line, question, keys) => {
    const ruleset = { id: 7, name: `guard ${classicToken}`, enforcement: 'active' };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/labels/bug': { body: label },
      'GET /orgs/acme/rulesets': { body: [ruleset, { ...ruleset, id: 8 }] },
      'GET /orgs/acme/rulesets/7': { body: ruleset },
    });
    const { stdout, stderr } = await run(line.split(' '), {
      env: platform.env,
      columns: 80,
      person: [[question, keys]],
    });
    expect(stderr).toContain('********');
    expect(`${stdout}${stderr}`).not.toMatch(/ghp_|x{8}/);
  });

  it('is masked in progress lines', async () => {
    let asked = 0;
    const platform = await scriptedPlatform({
      'GET /user/migrations/7': () => ({ body: { id: 7, state: asked++ < 1 ? classicToken : 'exported' } }),
    });
    const { stderr, code } = await run('migrations wait 7'.split(' '), { env: platform.env, tty: true });
    expect({ stderr, code }).toEqual({ stderr: expect.stringContaining('is still ********'), code: 0 });
    expect(stderr).not.toContain(classicToken.slice(0, 8));
  });
});

describe('a private key', () => {
  const lines = ['MIIEow', 'IBAAKCAQEA', 'x'.repeat(20)].join('');
  const pem = (newline: string) =>
    ['-----BEGIN RSA PRIVATE KEY-----', lines, '-----END RSA PRIVATE KEY-----'].join(newline);
  const outputs = ['json', 'ndjson', 'yaml', 'tsv', 'csv', 'table'];

  it.each(['\n', '\r\n', '\\n', ' '])('is masked under any name, with %j between its lines', async (newline) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/repos': { body: [{ id: 1, name: 'site', full_name: 'acme/site', note: `key: ${pem(newline)}` }] },
      'GET /x': { body: { deep: [[pem(newline)]] } },
    });
    const { env } = platform;
    const commands = [
      ...outputs.map((output) => ['repos', 'list', 'acme', '-o', output, '--fields', 'name,note']),
      ['repos', 'list', 'acme', '-o', 'ndjson'],
      ['api', '/x', '--debug'],
      ...['table', 'json', 'yaml'].map((output) => [
        'api',
        '/x',
        '-f',
        `value=${pem(newline)}`,
        '--dry-run',
        '-o',
        output,
      ]),
    ];
    for (const words of commands) {
      const { stdout, stderr, code } = await run(words, { env });
      expect({ words, code, found: `${stdout}${stderr}`.includes(lines) }).toEqual({ words, code: 0, found: false });
      expect(stdout).toContain('-----BEGIN RSA PRIVATE KEY-----********');
    }
    const shown = await run(['api', '/x', '--show-secrets'], { env });
    expect(JSON.parse(shown.stdout)).toEqual({ deep: [[pem(newline)]] });
  });

  it('that is masked is not sent', async () => {
    const platform = await scriptedPlatform({});
    const stdin = JSON.stringify({ description: '-----BEGIN PRIVATE KEY-----********-----END PRIVATE KEY-----' });
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--input', '-'], { env: platform.env, stdin });
    expect({ stderr, code, requests: platform.requests }).toEqual({
      stderr: expect.stringContaining('is masked: get the record with --show-secrets, or omit the field'),
      code: 2,
      requests: [],
    });
  });
});

describe('headers that a caller sets', () => {
  it.each(['If-None-Match', 'User-Agent', 'X-Key'])('are masked with --debug: %s', async (name) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    for (const value of ['op3n', 'Basic op3n,op3n;op3n', 'op3n ********']) {
      const { stderr } = await run(['api', '/x', '-H', `${name}: ${value}`, '--debug'], { env: platform.env });
      expect(stderr).toMatch(new RegExp(`^\\[1\\] > ${name}: \\*{8}$`, 'im'));
      expect(stderr).not.toContain('op3n');
    }
  });
});

it('headers with the name of a secret are masked in what --include prints', async () => {
  const platform = await scriptedPlatform(() => ({ headers: { 'x-session-token': '5ec2e7' }, body: {} }));
  const { stdout } = await run(['api', '/x', '--include'], { env: platform.env });
  expect(stdout).toMatch(/^x-session-token: \*{8}$/m);
});

describe('what a jq expression quotes', () => {
  const short = 'ghp_56789012';
  const record = {
    id: 1,
    full_name: 'acme/a',
    description: `pppppppppppppp${classicToken}`,
    homepage: `pppppppppppppp${short}`,
    temp_clone_token: 'v1.0123456789abcdef',
  };

  it.each([
    ['.description | tonumber', 'pppppppppppppp********'],
    ['.description[:22] | error', 'pppppppppppppp********'],
    ['.temp_clone_token | tonumber', '********'],
    ['.temp_clone_token | error', '********'],
    ['.temp_clone_token | halt_error', '********'],
    ['.temp_clone_token | debug', '["DEBUG:","********"]'],
  ])('has no secrets, even with --show-secrets: %s', async (expression, quoted) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: record },
      'GET /orgs/acme/repos': { body: [record] },
    });
    for (const line of ['orgs get acme --jq', 'repos list acme -o table --jq', 'repos list acme --where']) {
      const filter = line.includes('table') ? `.[0] | ${expression}` : expression;
      const { stderr } = await run([...line.split(' '), filter, '--show-secrets'], { env: platform.env });
      expect(stderr.replaceAll('\\"', '"')).toContain(quoted);
      for (const secret of ['ghp_', 'v1.']) expect(stderr).not.toContain(secret);
    }
  });

  it.each(['--jq', '--where'])('has no part of a short token: %s', async (flag) => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/repos': { body: [record] } });
    const env = { ...platform.env, FORGECTL_TOKEN: short };
    const expression = `${flag === '--jq' ? '.[0]' : '.'} | .homepage[:22] | error`;
    const { stderr } = await run(['repos', 'list', 'acme', flag, expression], { env });
    expect(stderr).toContain('pppppppppppppp********');
  });
});

describe('secrets of records', () => {
  const secrets = {
    temp_clone_token: 'AAAA-clone',
    encrypted_value: 'c2VhbGVk',
    webhook_secret: 'hush',
    'aws/secret': 'quiet',
    'api.access token': 'silent',
  };
  const archive_url =
    'https://storage.example.com/a?X-Amz-Signature=5ec2e7&X-Amz-Credential=c2ed&config[secret]=5ec2e7&refreshToken=5ec2e7&next=//u:5ec2e7@x.example&a%5Btoken%5D%5B%5D=5ec2e7&x=1';

  it.each([
    ['json', []],
    ['json', ['--debug']],
    ['tsv', ['--fields', 'temp_clone_token,encrypted_value,webhook_secret,archive_url']],
    ['yaml', ['--debug']],
  ])('are masked in %s %j and stored nowhere', async (format, more) => {
    const platform = await scriptedPlatform(() => ({
      headers: { etag: '"1"', link: '</x?token=5ec2e7>; rel="self"' },
      body: { login: 'acme', ...secrets, archive_url },
    }));
    const { text, code } = await allWritten(['orgs', 'get', 'acme', '-o', format, ...more], { env: platform.env });
    expect(code).toBe(0);
    for (const secret of [...Object.values(secrets), '5ec2e7', 'c2ed']) expect(text).not.toContain(secret);
  });

  it('are masked in the parts of protection that a ruleset cannot express', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/branches/main/protection': { body: secrets } });
    const { stdout, code } = await run('repos protection acme/site main --as-ruleset --json'.split(' '), platform);
    expect(code).toBe(0);
    expect(stdout).toContain('"temp_clone_token"');
    for (const secret of Object.values(secrets)) expect(stdout).not.toContain(secret);
  });

  it.each(['audit acme', 'repos list acme', 'each repos acme'])(
    'are masked in the errors of --where: %s',
    async (line) => {
      const platform = await scriptedPlatform({
        'GET /orgs/acme': { body: { login: 'acme', id: 1 } },
        'GET /orgs/acme/repos': {
          body: [{ id: 1, name: 'site', full_name: 'acme/site', archived: false, ...secrets }],
        },
      });
      const rest = line.startsWith('each') ? ['--', 'repos', 'get', '{}'] : [];
      const words = [...line.split(' '), '--where', 'error(.temp_clone_token)', ...rest];
      const { stderr, code } = await run(words, { env: platform.env });
      expect({ stderr, code }).toEqual({ stderr: expect.stringMatching(/failed for .+: \*{8}\n$/), code: 2 });
    },
  );
});

describe('a token is sent to no other origin', () => {
  it.each<[what: string, words: readonly string[], answer: (thief: string) => ScriptedAnswer]>([
    ...[301, 302, 303, 307, 308].map((status): [string, readonly string[], (thief: string) => ScriptedAnswer] => [
      `by a ${status}`,
      ['orgs', 'get', 'acme'],
      (thief) => ({ status, headers: { location: `${thief}/orgs/acme` } }),
    ]),
    [
      'by a Link',
      ['repos', 'list', 'acme', '--all'],
      (thief) => ({ headers: { link: `<${thief}/orgs/acme/repos?page=2>; rel="next"` }, body: [{ id: 1 }] }),
    ],
    [
      'by a Link that api follows',
      ['api', 'GET', '/orgs', '--paginate'],
      (thief) => ({ headers: { link: `<${thief}/orgs?page=2>; rel="next"` }, body: [{ id: 1 }] }),
    ],
  ])('%s', async (_what, words, answer) => {
    const thief = await scriptedPlatform(() => ({ body: { login: 'stolen' } }));
    const platform = await scriptedPlatform(() => answer(thief.baseUrl));
    const { stdout, stderr, code } = await run(words, { env: platform.env });
    expect(thief.requests).toEqual([]);
    expect(code).toBe(8);
    expect(stdout).not.toContain('stolen');
    expect(stderr).toMatch(/another origin/);
    expect(platform.requests[0]?.headers.authorization).toBe(`Bearer ${classicToken}`);
  });

  it('by a full URL on the command line', async () => {
    const thief = await scriptedPlatform(() => ({}));
    const platform = await scriptedPlatform(() => ({}));
    const { code } = await run(['api', 'GET', `${thief.baseUrl}/user`], { env: platform.env });
    expect(code).toBe(2);
    expect([...thief.requests, ...platform.requests]).toEqual([]);
  });

  it('of the environment is sent only to its own base URL', async () => {
    const other = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const platform = await scriptedPlatform(() => ({}));
    const { stderr, code } = await run(['orgs', 'get', 'acme', '--base-url', other.baseUrl], { env: platform.env });
    expect(code).toBe(0);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(stderr).toContain('FORGECTL_TOKEN belongs to');
  });

  it('of one profile is never used for another', async () => {
    const one = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const two = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const configDir = await temporaryDirectory();
    const at = (baseUrl: string) => ({
      'base-url': baseUrl,
      token: { storage: 'file', origin: new URL(baseUrl).origin },
    });
    writeProfiles(configDir, {
      active: 'one',
      profiles: { one: at(one.baseUrl), two: at(two.baseUrl) },
      tokens: {
        one: { origin: new URL(one.baseUrl).origin, token: 'token-of-one' },
        two: { origin: new URL(two.baseUrl).origin, token: 'token-of-two' },
      },
    });
    const get = (...words: string[]) => run(['orgs', 'get', 'acme', ...words], { configDir });
    await Promise.all([get(), get('--profile', 'two'), get('--profile', 'one')]);
    await run(['auth', 'switch', 'two'], { configDir });
    await Promise.all([get(), get('--profile', 'one'), get('--profile', 'one', '--base-url', two.baseUrl)]);
    const sent = ({ requests }: typeof one) => requests.map(({ headers }) => headers.authorization);
    expect(new Set(sent(one))).toEqual(new Set(['Bearer token-of-one']));
    expect(new Set(sent(two))).toEqual(new Set(['Bearer token-of-two']));
    await get('--profile', 'one', '--base-url', two.baseUrl, '--anonymous');
    expect(sent(two).at(-1)).toBeUndefined();
  });

  it.each(['http://ghe.example.com', 'http://127.0.0.1.nip.example', 'http://[2001:db8::1]', 'http://0.0.0.0:9'])(
    'over plain HTTP to another machine is rejected for %s before anything is sent',
    async (url) => {
      const { stderr, code } = await run(['orgs', 'get', 'acme', '--base-url', url], {
        env: { FORGECTL_TOKEN: classicToken },
      });
      expect(code).toBe(2);
      expect(stderr).toContain('https://');
      expect(stderr).not.toContain(classicToken);
    },
  );
});

describe('a token that cannot be one', () => {
  const unusable: readonly (readonly [token: string, problem: string])[] = [
    ['q'.repeat(8_193), 'is longer than 8,192 characters'],
    ['q'.repeat(120_000), 'is longer than 8,192 characters'],
    [`${'q'.repeat(20)} ${'q'.repeat(20)}`, 'contains a space or a line break'],
    [`${'q'.repeat(20)}\r\nX-Evil: 1`, 'contains a space or a line break'],
    [`${'q'.repeat(20)}\u00e4`, 'contains an invalid character'],
    [`${'q'.repeat(20)}\ud800`, 'contains an invalid character'],
  ];

  it.each(unusable)('in a variable is rejected and not quoted: %#', async (bad, problem) => {
    const platform = await scriptedPlatform({});
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    for (const words of [
      ['orgs', 'get', 'acme'],
      ['orgs', 'get', 'acme', '--json', '--debug'],
    ]) {
      const { stdout, stderr, code } = await run(words, { env: { ...env, FORGECTL_TOKEN: bad } });
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain(`FORGECTL_TOKEN ${problem}.`);
      expect(stderr).not.toContain('qqqqqqqq');
    }
    expect(platform.requests).toEqual([]);
  });

  it.each(['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'])('in %s is rejected', async (variable) => {
    const platform = await scriptedPlatform({});
    const env = { GH_HOST: platform.baseUrl, [variable]: 'q'.repeat(8_193) };
    const { stderr, code } = await run(['orgs', 'get', 'acme'], { env });
    expect({ stderr, code }).toEqual({ stderr: `forgectl: ${variable} is longer than 8,192 characters.\n`, code: 2 });
    expect(platform.requests).toEqual([]);
  });

  it.each(unusable)('in the credentials file is rejected, and can be replaced: %#', async (bad, problem) => {
    const platform = await scriptedPlatform({ 'GET /user': { body: { login: 'ada' } }, 'GET /meta': { body: {} } });
    const configDir = await temporaryDirectory();
    const { origin } = new URL(platform.baseUrl);
    writeProfiles(configDir, {
      active: 'one',
      profiles: { one: { 'base-url': platform.baseUrl, token: { storage: 'file', origin } } },
      tokens: { one: { origin, token: bad } },
    });
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme'], { configDir });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toBe(
      `forgectl: The token of profile one in the credentials file ${problem}.\nLog in again: forgectl auth login --profile one\n`,
    );
    expect(platform.requests).toEqual([]);
    const login = 'auth login --profile one --with-token --insecure-storage --yes'.split(' ');
    expect(await run(login, { configDir, stdin: classicToken })).toMatchObject({ code: 0 });
    expect((await run(['auth', 'logout'], { configDir })).code).toBe(0);
  });

  it.each(unusable)('on standard input is rejected: %#', async (bad, problem) => {
    const platform = await scriptedPlatform({});
    const login = ['auth', 'login', '--base-url', platform.baseUrl, '--with-token', '--insecure-storage'];
    const { stdout, stderr, code } = await run(login, { stdin: bad });
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: `forgectl: The token ${problem}. Nothing was sent.\n`,
      code: 2,
    });
    expect(platform.requests).toEqual([]);
  });

  it('at a prompt is rejected', async () => {
    const platform = await scriptedPlatform({ 'GET /user': { body: { login: 'ada' } }, 'GET /meta': { body: {} } });
    const login = ['auth', 'login', '--base-url', platform.baseUrl, '--insecure-storage'];
    const { stderr, code } = await run(login, {
      person: [
        ['Token for', 'qqqqqqqq qqqq\r'],
        ['contains a space', '\u0015'],
        ['Token for', `${classicToken}\r`],
      ],
    });
    expect(code).toBe(0);
    expect(stderr).not.toContain('qqqqqqqq');
    expect(platform.requests[0]?.headers.authorization).toBe(`Bearer ${classicToken}`);
  });
});

describe('text that cannot be masked is not shown', () => {
  /** Fails in every search for secrets, as a pattern that is too large did. */
  const failToMask = () => {
    vi.spyOn(SecretFinder.prototype, 'masked').mockImplementation((text) => {
      throw new SyntaxError(`Invalid regular expression: /${token}|${text}/: too large`);
    });
    onTestFinished(() => void vi.restoreAllMocks());
  };
  const fixed = 'This message could not be masked, so it is not shown.';

  it.each([200, 404, 500])('in messages, errors, debug lines and records, with the status %d', async (status) => {
    failToMask();
    const platform = await scriptedPlatform(() => echoing(status));
    const env = { ...platform.env, FORGECTL_TOKEN: token };
    for (const words of lines)
      for (const tty of [false, true]) {
        const { text } = await allWritten([...words, '--max-wait', '0'], { env, tty, columns: 2000 });
        expect({ words, found: tracesOf(token).filter((trace) => text.includes(trace)) }).toEqual({ words, found: [] });
        expect(text).toContain(fixed);
      }
  });

  it('with the exit code of the error', async () => {
    failToMask();
    const platform = await scriptedPlatform(() => ({ status: 404, body: { message: token } }));
    const env = { ...platform.env, FORGECTL_TOKEN: token };
    expect(await run(['orgs', 'get', 'acme'], { env })).toEqual({ stdout: '', stderr: `${fixed}\n`, code: 3 });
    const { stderr, code } = await run(['orgs', 'get', 'acme', '--json'], { env });
    expect({ error: JSON.parse(stderr), code }).toEqual({
      error: { error: { code: 'not_found', message: fixed } },
      code: 3,
    });
  });

  it('nor is a record', async () => {
    failToMask();
    const platform = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const { stdout, code } = await run(['orgs', 'get', 'acme', '--json'], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
  });
});

/** Throws from nowhere, once there is somebody to be told. */
const thrower = `process.on('newListener', (name) => {
  if (name !== 'uncaughtException') return;
  setImmediate(() => {
    throw Object.assign(new Error('lost ' + process.env.FORGECTL_TOKEN), { headers: process.env.FORGECTL_TOKEN });
  });
});`;

describe('an uncaught error', () => {
  it.each([
    ['-o', 'tsv'],
    ['-o', 'json'],
  ])('is reported without a stack and without the token: %s %s', async (...words) => {
    const platform = await scriptedPlatform(() => ({ body: {} }));
    const { ended } = start(['orgs', 'get', 'acme', ...words], {
      env: {
        ...platform.env,
        FORGECTL_TOKEN: classicToken,
        NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(thrower)}"`,
      },
    });
    const { code, stderr, stdout } = await ended;
    expect(code).toBe(1);
    expect(stdout + stderr).not.toContain(classicToken);
    expect(stderr).toContain('lost ********');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  /** Throws once a connection is opened: by then a command has read its token. */
  const throwerWith = (text: string) => `const { Socket } = process.getBuiltinModule('node:net');
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  setImmediate(() => {
    throw new Error(${JSON.stringify(text)});
  });
  return connect.apply(this, args);
};`;

  const loggedIn = async () => {
    const platform = await scriptedPlatform({});
    const configDir = await temporaryDirectory();
    const { origin } = new URL(platform.baseUrl);
    writeProfiles(configDir, {
      active: 'one',
      profiles: { one: { 'base-url': platform.baseUrl, token: { storage: 'file', origin } } },
      tokens: { one: { origin, token: classicToken } },
    });
    return { FORGECTL_CONFIG_DIR: configDir, XDG_CACHE_HOME: join(configDir, 'cache') };
  };
  const importing = (code: string) => ({
    NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(code)}"`,
  });

  it('does not contain the token of a profile', async () => {
    const env = { ...(await loggedIn()), ...importing(throwerWith(`lost ${classicToken}`)) };
    const { code, stderr, stdout } = await start(['orgs', 'get', 'acme'], { env }).ended;
    expect({ stdout, stderr: stderr.split('\n')[0], code }).toEqual({
      stdout: '',
      stderr: 'forgectl: Internal error: lost ********',
      code: 1,
    });
  });

  it('is a fixed sentence if it cannot be masked', async () => {
    const breaker = `const { matchAll } = String.prototype;
String.prototype.matchAll = function (pattern) {
  if (this.includes('lost')) throw new SyntaxError('cannot search ' + this);
  return matchAll.call(this, pattern);
};`;
    const env = { ...(await loggedIn()), ...importing(breaker + throwerWith(`lost ${classicToken}`)) };
    const ended = await start(['orgs', 'get', 'acme'], { env }).ended;
    expect(ended).toMatchObject({
      stdout: '',
      stderr: 'This message could not be masked, so it is not shown.\n',
      code: 1,
    });
  });
});
