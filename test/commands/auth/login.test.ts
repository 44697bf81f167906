import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../../src/cli/run/main.ts';
import { processRuntime } from '../../../src/cli/runtime.ts';
import { allEndpoints } from '../../../src/platform/endpoints/index.ts';
import { holdsScope } from '../../../src/platform/scopes.ts';
import { FakeTerminal } from '../../support/fake-terminal.ts';
import { ring } from '../../support/memory-keyring.ts';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

vi.mock('../../../src/cli/account/keyring.ts', () => import('../../support/memory-keyring.ts'));

let configDir: string;

beforeEach(async () => {
  ring.entries.clear();
  ring.answers = true;
  configDir = await temporaryDirectory();
});

const user = { body: { login: 'ada', id: 1 }, headers: { 'x-oauth-scopes': 'admin:org, repo' } };
const meta = { body: { installed_version: '3.19.2' } };
const healthy = { 'GET /user': user, 'GET /meta': meta };

/** A token of the installation form, put together here so that no complete token stands in the repository. */
const installationToken = ['ghs', 'y'.repeat(36)].join('_');

/** What a login left in the settings directory; the key of the cache is there after any command. */
const stored = () => readdirSync(configDir).filter((name) => !/^cache(\.key)?$/.test(name));

const config = () => JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
const credentials = () => JSON.parse(readFileSync(join(configDir, 'credentials.json'), 'utf8'));

async function login(words: readonly string[], options: RunOptions = {}) {
  const result = await run(['auth', 'login', ...words], { configDir, stdin: classicToken, ...options });
  expect(result.stdout + result.stderr).not.toContain(classicToken);
  if (existsSync(join(configDir, 'config.json')))
    expect(readFileSync(join(configDir, 'config.json'), 'utf8')).not.toContain(classicToken);
  return result;
}

describe('a login', () => {
  test('checks the token, stores it in the keyring and names the storage', async () => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { stdout, stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--json']);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      base_url: baseUrl,
      login: 'ada',
      token_kind: 'classic',
      scopes: ['admin:org', 'repo'],
      expires_at: null,
      storage: 'keyring',
      platform_version: '3.19.2',
    });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api/v3/user', 'GET /api/v3/meta']);
    expect(requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${classicToken}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    });
    const { origin } = new URL(baseUrl);
    expect([...ring.entries]).toEqual([[`default ${origin}`, classicToken]]);
    expect(config()).toEqual({
      profile: 'default',
      profiles: {
        default: { 'base-url': baseUrl, token: { storage: 'keyring', origin, kind: 'classic', login: 'ada' } },
      },
    });
    expect(stored()).toEqual(['config.json']);
  });

  test('shows details on a terminal and a line for each field in a pipe', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const words = ['--base-url', baseUrl, '--with-token'];
    expect((await login(words)).stdout.split('\n')).toEqual([
      'profile\tdefault',
      `base_url\t${baseUrl}`,
      'login\tada',
      'token_kind\tclassic',
      'scopes\tadmin:org,repo',
      'expires_at\t',
      'storage\tkeyring',
      'platform_version\t3.19.2',
      '',
    ]);
    expect((await login([...words, '-o', 'tsv'])).stdout).toBe(
      `default\t${baseUrl}\tada\tclassic\tadmin:org,repo\t\tkeyring\t3.19.2\n`,
    );
    expect((await login([...words, '-o', 'table'])).stdout).toBe(
      [
        'Profile           default',
        `Base URL          ${baseUrl}`,
        'Login             ada',
        'Token kind        classic',
        'Scopes            admin:org, repo',
        'Expires           -',
        'Storage           keyring',
        'Platform version  3.19.2',
        '',
      ].join('\n'),
    );
  });

  test('is used by the commands that follow', async () => {
    const { baseUrl, requests } = await scriptedPlatform({ ...healthy, 'GET /organizations': { body: [] } });
    await login(['--base-url', baseUrl, '--with-token']);
    const { code } = await run(['orgs', 'list'], { configDir });
    expect(code).toBe(0);
    expect(requests.at(-1)).toMatchObject({ headers: { authorization: `Bearer ${classicToken}` } });
  });

  test('stores the given platform settings', async () => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { code } = await login([
      ...['--base-url', baseUrl, '--with-token', '--api-version', '2026-03-10'],
      ...['--vendor', 'acme', '--alerts-segment', 'depalerts'],
    ]);
    expect(code).toBe(0);
    expect(requests[0]?.headers).toMatchObject({
      accept: 'application/vnd.acme+json',
      'x-acme-api-version': '2026-03-10',
    });
    expect(config().profiles.default).toMatchObject({
      'api-version': '2026-03-10',
      vendor: 'acme',
      'alerts-segment': 'depalerts',
    });
  });

  test('reports that a token in the environment has no platform, and would not be sent anywhere', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { stderr } = await login(['--with-token', '--base-url', baseUrl], { env: { FORGECTL_TOKEN: 'ghp_other' } });
    expect(stderr).toBe('FORGECTL_TOKEN is set without a platform: unset it, or also set FORGECTL_BASE_URL.\n');
  });

  test('reports that the token in the environment overrides the stored one, and does not check it', async () => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const env = { FORGECTL_TOKEN: 'ghp_other', FORGECTL_BASE_URL: baseUrl };
    const { stderr } = await login(['--with-token'], { env });
    expect(stderr).toBe('FORGECTL_TOKEN and FORGECTL_BASE_URL are set and take precedence over the profile.\n');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill(`Bearer ${classicToken}`));
  });
});

test('--debug shows what is sent without the token', async () => {
  const { baseUrl } = await scriptedPlatform(healthy);
  const { stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--debug']);
  expect(code).toBe(0);
  expect(stderr).toContain('/api/v3/user');
});

test('fails before any request if certificates cannot be read', async () => {
  const { baseUrl, requests } = await scriptedPlatform(healthy);
  const { stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--ca-file', '/nowhere/ca.pem']);
  expect(code).toBe(2);
  expect(stderr).toContain('Cannot read ca-file /nowhere/ca.pem: no such file.');
  expect(requests).toEqual([]);
  expect(stored()).toEqual([]);
});

describe('the token', () => {
  test.each([
    ['\n', 0],
    ['\r\n', 0],
    ['\n\n', 2],
    [' \n', 2],
  ])('loses one trailing newline only: %j', async (end, code) => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const result = await login(['--base-url', baseUrl, '--with-token'], { stdin: `${classicToken}${end}` });
    expect(result.code).toBe(code);
    expect(requests.length).toBe(code === 0 ? 2 : 0);
  });

  test.each([
    ['', 'The token is empty. Nothing was sent.'],
    ['\n', 'The token is empty. Nothing was sent.'],
    ['ghp_one ghp_two', 'The token contains a space or a line break. Nothing was sent.'],
    ['ghp_\u001b[2J', 'The token contains an invalid character. Nothing was sent.'],
  ])('%j is rejected without being shown', async (stdin, message) => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { stdout, stderr, code } = await login(['--base-url', baseUrl, '--with-token'], { stdin });
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: `forgectl: ${message}\n`, code: 2 });
    expect(requests).toEqual([]);
  });

  test('is not read from standard input without --with-token', async () => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { stderr, code } = await login(['--base-url', baseUrl]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: --with-token is required, with the token on standard input: prompts are disabled. Nothing was sent.\n',
    );
    expect(requests).toEqual([]);
  });

  test('is not stored if the platform rejects it', async () => {
    const { baseUrl, requests } = await scriptedPlatform({
      'GET /user': { status: 401, body: { message: 'Bad credentials' } },
    });
    const { stdout, stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--insecure-storage']);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: [
        `forgectl: ${baseUrl} rejected the token: Bad credentials. Nothing was stored.`,
        'Check that the token is complete, belongs to this platform and has not expired.',
        '',
      ].join('\n'),
      code: 4,
    });
    expect(requests).toHaveLength(1);
    expect(stored()).toEqual([]);
    expect(ring.entries.size).toBe(0);
  });

  test('that is rejected is reported as JSON with JSON output', async () => {
    const { baseUrl } = await scriptedPlatform({ 'GET /user': { status: 401, body: { message: 'Bad credentials' } } });
    const { stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--json']);
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'not_authenticated',
        message: `${baseUrl} rejected the token: Bad credentials. Nothing was stored.`,
        advice: 'Check that the token is complete, belongs to this platform and has not expired.',
      },
    });
  });
});

describe('an installation token', () => {
  const forbidden = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const repositories = { body: { total_count: 0, repositories: [] } };

  test.each([
    ['by its prefix', installationToken, 403],
    ['by its access', 'a-token-without-a-prefix', 403],
    ['by its access', 'a-token-without-a-prefix', 404],
    ['by its access', 'a-token-without-a-prefix', 401],
  ])('is recognized %s', async (_, stdin, status) => {
    const { baseUrl, requests } = await scriptedPlatform({
      'GET /user': { ...forbidden, status },
      'GET /installation/repositories': repositories,
      'GET /meta': meta,
    });
    const { stdout, code } = await login(['--base-url', baseUrl, '--with-token', '--json'], { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ login: null, token_kind: 'installation', scopes: null });
    expect(requests.map(({ url }) => url)).toEqual([
      '/api/v3/user',
      '/api/v3/installation/repositories',
      '/api/v3/meta',
    ]);
  });

  test('is not mistaken for a classic token', async () => {
    const { baseUrl, requests } = await scriptedPlatform({
      'GET /user': forbidden,
      'GET /installation/repositories': repositories,
    });
    const { code } = await login(['--base-url', baseUrl, '--with-token']);
    expect(code).toBe(5);
    expect(requests).toHaveLength(1);
    expect(stored()).toEqual([]);
  });

  test('that is rejected by both endpoints fails with the first reason', async () => {
    const { baseUrl } = await scriptedPlatform({
      'GET /user': forbidden,
      'GET /installation/repositories': { status: 403, body: { message: 'second reason' } },
    });
    const { stderr, code } = await login(['--base-url', baseUrl, '--with-token'], { stdin: 'no-prefix' });
    expect(code).toBe(5);
    expect(stderr).toContain('GET /user returned 403 Resource not accessible by integration');
    expect(stored()).toEqual([]);
  });
});

describe('response headers', () => {
  const answered = async (headers: Record<string, string>, more: Record<string, ScriptedAnswer> = {}) => {
    const { baseUrl } = await scriptedPlatform({
      'GET /user': { body: user.body, headers },
      'GET /meta': meta,
      ...more,
    });
    const { stdout, code } = await login(['--base-url', baseUrl, '--with-token', '--json'], { stdin: 'no-prefix' });
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };

  test.each([
    [{ 'x-acme-media-type': 'acme.v3; format=json' }, 'acme'],
    [{ 'x-acme-request-id': 'A1:B2' }, 'acme'],
    [{ 'x-acme-hub-media-type': 'x', 'x-amz-request-id': '1', 'x-acme-hub-request-id': '2' }, 'acme-hub'],
    [{ 'x-amz-request-id': '1', 'x-acme-request-id': '2' }, undefined],
    [{ 'x-request-id': '1' }, undefined],
    [{ 'x-github-media-type': 'github.v3; format=json' }, undefined],
  ])('name the vendor: %j is %s', async (headers, vendor) => {
    await answered(headers);
    expect(config().profiles.default.vendor).toBe(vendor);
  });

  test.each([
    [{ 'x-oauth-scopes': '' }, 'classic', []],
    [{ 'x-oauth-scopes': 'repo,  user' }, 'classic', ['repo', 'user']],
    [{}, null, null],
  ])('decide the type of a token without a known prefix: %j', async (headers, kind, scopes) => {
    expect(await answered(headers)).toMatchObject({ token_kind: kind, scopes });
  });

  test.each([
    ['2026-05-01 12:00:00 UTC', '2026-05-01T12:00:00.000Z'],
    ['2026-05-01 12:00:00 +0200', '2026-05-01T10:00:00.000Z'],
    ['someday', null],
  ])('contain the expiry of the token: %s', async (header, expiresAt) => {
    expect(await answered({ 'github-authentication-token-expiration': header })).toMatchObject({
      expires_at: expiresAt,
    });
    expect(config().profiles.default.token['expires-at']).toBe(expiresAt ?? undefined);
  });

  test('contain the version even without GET /meta', async () => {
    const version = { 'x-github-enterprise-version': 'enterprise-server@3.19.0' };
    expect(await answered(version, { 'GET /meta': { status: 404, body: { message: 'Not Found' } } })).toMatchObject({
      platform_version: 'enterprise-server@3.19.0',
    });
  });
});

describe('without a keyring', () => {
  beforeEach(() => {
    ring.answers = false;
  });

  test('stores nothing, and the message says what to do', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { stdout, stderr, code } = await login(['--base-url', baseUrl, '--with-token']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toBe(
      [
        'forgectl: No system keyring available. Nothing was stored.',
        'To store the token unencrypted in a file that only you can read, add --insecure-storage. To store nothing, set FORGECTL_TOKEN and FORGECTL_BASE_URL instead.',
        '',
      ].join('\n'),
    );
    expect(stored()).toEqual([]);
  });

  test('--insecure-storage keeps the token in a file', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { stdout, code } = await login(['--base-url', baseUrl, '--with-token', '--insecure-storage', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).storage).toBe('file');
    const { origin } = new URL(baseUrl);
    expect(credentials()).toEqual({ default: { origin, token: classicToken } });
    expect(config().profiles.default.token).toEqual({ storage: 'file', origin, kind: 'classic', login: 'ada' });
  });

  test('a notice says that others can read the file', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    await login(['--base-url', baseUrl, '--with-token', '--insecure-storage']);
    const file = join(configDir, 'credentials.json');
    const status = async () => (await run(['auth', 'status'], { configDir })).stderr;
    expect(await status()).toBe('');
    chmodSync(file, 0o644);
    expect(await status()).toBe(
      `Other users can access the tokens in ${file} (mode 644). Limit it to yourself: chmod 600 ${file}\n`,
    );
  });
});

test('--insecure-storage ignores the keyring, except to remove the old token', async () => {
  const { baseUrl } = await scriptedPlatform(healthy);
  await login(['--base-url', baseUrl, '--with-token']);
  expect(ring.entries.size).toBe(1);
  await login(['--base-url', baseUrl, '--with-token', '--insecure-storage']);
  expect(ring.entries.size).toBe(0);
  await login(['--base-url', baseUrl, '--with-token']);
  expect(credentials()).toEqual({});
});

test('reports an old token that cannot be removed from the keyring', async () => {
  const { baseUrl } = await scriptedPlatform(healthy);
  await login(['--base-url', baseUrl, '--with-token']);
  ring.answers = false;
  const { stderr, code } = await login(['--base-url', baseUrl, '--with-token', '--insecure-storage']);
  expect(code).toBe(0);
  expect(stderr).toBe(
    'The profile’s previous token was not removed. Cannot remove the token of profile default from the system keyring: timed out.\n',
  );
});

describe('the profile', () => {
  test('is a new one for another host, and becomes the active one', async () => {
    const [first, second] = [await scriptedPlatform(healthy), await scriptedPlatform(healthy)];
    await login(['--base-url', first.baseUrl, '--with-token']);
    const { stdout } = await login(['--base-url', second.baseUrl, '--with-token', '--jq', '.profile']);
    const name = `127.0.0.1-${new URL(second.baseUrl).port}`;
    expect(stdout).toBe(`${name}\n`);
    expect(config().profile).toBe(name);
    expect(Object.keys(config().profiles)).toEqual(['default', name]);
    await login(['--base-url', first.baseUrl, '--with-token']);
    expect(config().profile).toBe('default');
  });

  test('that is named moves to another platform and loses its token', async () => {
    const [first, second] = [await scriptedPlatform(healthy), await scriptedPlatform(healthy)];
    await login(['--base-url', first.baseUrl, '--with-token', '--profile', 'work']);
    await run(['config', 'set', 'timeout', '9s', '--profile', 'work'], { configDir });
    await login(['--base-url', second.baseUrl, '--with-token', '--yes', '--profile', 'work']);
    expect([...ring.entries.keys()]).toEqual([`work ${new URL(second.baseUrl).origin}`]);
    expect(config().profiles.work).toMatchObject({ 'base-url': second.baseUrl, timeout: '9s' });
  });

  test('provides the base URL for a second login', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    await login(['--base-url', baseUrl, '--with-token']);
    expect((await login(['--with-token'])).code).toBe(0);
  });
});

describe('a profile with another login', () => {
  const bot = { ...healthy, 'GET /user': { body: { login: 'bot', id: 2 }, headers: { 'x-oauth-scopes': 'repo' } } };
  const fineGrained = ['github', 'pat', 'z'.repeat(22)].join('_');

  /** A platform where the profile `work` is logged in as ada with a classic token, and the next login is one of bot. */
  async function loggedIn() {
    let account = healthy['GET /user'];
    const platform = await scriptedPlatform({ ...healthy, 'GET /user': () => account });
    await login(['--base-url', platform.baseUrl, '--with-token', '--profile', 'work']);
    account = bot['GET /user'];
    const { origin } = new URL(platform.baseUrl);
    return { ...platform, origin, again: ['--with-token', '--profile', 'work'] };
  }

  test('is kept in a script, with a message about what would be replaced', async () => {
    const { origin, again } = await loggedIn();
    const before = [config(), [...ring.entries]];
    expect(await login(again)).toEqual({
      stdout: '',
      stderr: [
        `forgectl: Profile work already has a classic personal access token of ada for ${origin}. Nothing was stored.`,
        'Replace it with --yes, or keep both with --profile NAME.',
        '',
      ].join('\n'),
      code: 2,
    });
    expect([config(), [...ring.entries]]).toEqual(before);
  });

  test('is replaced with --yes', async () => {
    const { again } = await loggedIn();
    expect(await login([...again, '--yes', '--jq', '.login'])).toMatchObject({ stdout: 'bot\n', code: 0 });
    expect(config().profiles.work.token.login).toBe('bot');
  });

  test('is replaced after a prompt that shows both', async () => {
    const { origin } = await loggedIn();
    const { stderr, code } = await login(['--profile', 'work'], {
      columns: 300,
      person: [
        ['Token for', `${fineGrained}\r`],
        ['Profile work already has', 'y\r'],
      ],
    });
    expect(code).toBe(0);
    expect(stderr.replaceAll('\n', '')).toContain(
      `Profile work already has a classic personal access token of ada for ${origin}. Replace it with a fine-grained personal access token of bot for ${origin}?`,
    );
    expect(stderr).toContain('  forgectl auth login --profile work --with-token --yes\n');
    expect(config().profiles.work.token).toMatchObject({ login: 'bot', kind: 'fine_grained' });
  });

  test('is kept if the user answers no or nothing', async () => {
    await loggedIn();
    const { stderr, code } = await login(['--profile', 'work'], {
      person: [
        ['Token for', `${fineGrained}\r`],
        ['Profile work already has', '\r'],
      ],
    });
    expect(code).toBe(2);
    expect(stderr).toContain('forgectl: Nothing was stored.\nTo keep both, log in with --profile NAME.\n');
    expect(config().profiles.work.token.login).toBe('ada');
  });

  test('is replaced without a prompt if the same login renews its token', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const words = ['--base-url', baseUrl, '--with-token'];
    await login(words);
    expect((await login(words)).code).toBe(0);
  });
});

describe('the base URL', () => {
  test('is required when prompts are disabled', async () => {
    const { stderr, code } = await login(['--with-token']);
    expect({ stderr, code }).toEqual({
      stderr: 'forgectl: --base-url or FORGECTL_BASE_URL is required. Nothing was sent.\n',
      code: 2,
    });
  });

  test.each<[string, ScriptedAnswer | undefined, string]>([
    ['nothing', undefined, 'GET /user returned 404 Not Found.'],
    [
      'a web page',
      { body: '<html></html>', headers: { 'content-type': 'text/html' } },
      'GET /user returned 200 with text/html instead of JSON.',
    ],
    [
      'a web page with 401',
      { status: 401, body: '<html></html>', headers: { 'content-type': 'text/html; charset=utf-8' } },
      'GET /user returned 401 Unauthorized with text/html instead of JSON.',
    ],
    [
      'a web page with 403',
      { status: 403, body: '<html></html>', headers: { 'content-type': 'text/html; charset=utf-8' } },
      'GET /user returned 403 Forbidden with text/html instead of JSON.',
    ],
    [
      'a web page with 404',
      { status: 404, body: '<html></html>', headers: { 'content-type': 'text/html; charset=utf-8' } },
      'GET /user returned 404 Not Found with text/html instead of JSON.',
    ],
    [
      'a message that is a sentence',
      { status: 404, body: { message: 'No such page.' } },
      'GET /user returned 404 No such page.',
    ],
  ])('causes a warning if the platform has %s', async (_, answer, said) => {
    const { baseUrl } = await scriptedPlatform(answer ? { 'GET /user': answer } : {});
    const { stderr, code } = await login(['--base-url', baseUrl, '--with-token']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        `forgectl: ${baseUrl} does not look like a platform’s API. ${said} Nothing was stored.`,
        'Check the base URL: self-managed platforms use https://HOST/api/v3.',
        '',
      ].join('\n'),
    );
    expect(stored()).toEqual([]);
  });

  test('without a listening server ends with the network exit code', async () => {
    const words = ['--base-url', 'http://127.0.0.1:1', '--with-token', '--max-wait', '0'];
    const { code } = await login(words);
    expect(code).toBe(8);
    expect(stored()).toEqual([]);
  });

  test('with plain http to another machine is rejected before the token is read', async () => {
    const { stderr, code } = await login(['--base-url', 'http://ghe.example.com', '--with-token']);
    expect(code).toBe(2);
    expect(stderr).toContain('--base-url: The base URL for ghe.example.com must start with https://');
  });
});

describe('at a terminal', () => {
  async function atTerminal(words: readonly string[], answers: readonly (readonly [string, string])[]) {
    const terminal = new FakeTerminal();
    let code = 0;
    const done = main(['auth', 'login', ...words], {
      ...processRuntime(),
      ...terminal.asking,
      env: { FORGECTL_CONFIG_DIR: configDir },
      exit: (value) => {
        code = value;
      },
    });
    for (const [question, keys] of answers) await terminal.type(question, keys);
    await done;
    return { shown: terminal.shown, stdout: String(terminal.stdout.read() ?? ''), code };
  }

  test('prompts for the base URL, the token and, without a keyring, for consent', async () => {
    ring.answers = false;
    const { baseUrl } = await scriptedPlatform(healthy);
    const { shown, stdout, code } = await atTerminal(
      [],
      [
        ['Base URL of the platform, such as https://ghe.example.com:', `${baseUrl}\r`],
        [`Token for ${baseUrl}:`, `${classicToken}\r`],
        ['readable only by you?', 'y\r'],
      ],
    );
    expect(code).toBe(0);
    expect(shown).not.toContain(classicToken);
    expect(stdout).toContain('Storage           file');
    expect(credentials()).toEqual({ default: { origin: new URL(baseUrl).origin, token: classicToken } });
  });

  test('lists the scopes of a token that can run most commands: all except deleting repositories and reading audit logs', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { shown } = await atTerminal(['--base-url', baseUrl], [[`Token for ${baseUrl}:`, `${classicToken}\r`]]);
    expect(shown.slice(0, shown.indexOf('Token for')).replaceAll('\n', ' ')).toContain(
      'A classic personal access token with the scopes admin:org, repo, security_events and user can run most commands;',
    );
    const held = ['admin:org', 'repo', 'security_events', 'user'];
    const others = allEndpoints.filter(({ scopes }) => scopes && !scopes.some((scope) => holdsScope(held, scope)));
    expect(others.map(({ route }) => route)).toEqual([
      'GET /orgs/{org}/audit-log',
      'GET /enterprises/{enterprise}/audit-log',
      'DELETE /repos/{owner}/{repo}',
    ]);
  });

  test('repeats the prompt for an invalid base URL or token, and prints the command without prompts', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { shown, code } = await atTerminal(
      [],
      [
        ['Base URL of the platform, such as https://ghe.example.com:', 'http://ghe.example.com\r'],
        ['must start with https://', `\x15${baseUrl}\r`],
        [`Token for ${baseUrl}:`, '\r'],
        ['is empty', 'ghp one\r'],
        ['contains a space', `\x15${classicToken}\r`],
      ],
    );
    expect(code).toBe(0);
    expect(shown).toContain(`Without prompts:\n  forgectl auth login --base-url ${baseUrl} --with-token\n`);
    expect(shown).not.toContain(classicToken);
  });

  test('never echoes a typed token: --with-token prompts with a mask', async () => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const words = ['--base-url', baseUrl, '--with-token'];
    const { shown, code } = await atTerminal(words, [[`Token for ${baseUrl}:`, `${classicToken}\r`]]);
    expect(code).toBe(0);
    expect(shown).toContain('*'.repeat(20));
    expect(shown).not.toContain(classicToken);
  });

  test('rejects --with-token at a keyboard when prompts are disabled', async () => {
    const words = ['--base-url', 'https://ghe.example.com', '--with-token', '--no-input'];
    const { shown, code } = await atTerminal(words, []);
    expect(code).toBe(2);
    expect(shown).toBe('forgectl: --with-token requires a pipe or a file, not a terminal. Nothing was\nsent.\n');
  });

  test('stores nothing without consent', async () => {
    ring.answers = false;
    const { baseUrl } = await scriptedPlatform(healthy);
    const { code } = await atTerminal(
      ['--base-url', baseUrl],
      [
        [`Token for ${baseUrl}:`, `${classicToken}\r`],
        ['readable only by you?', '\r'],
      ],
    );
    expect(code).toBe(2);
    expect(stored()).toEqual([]);
  });

  test('does not prompt with --no-input', async () => {
    const { code, shown } = await atTerminal(['--base-url', 'https://ghe.example.com', '--no-input'], []);
    expect(code).toBe(2);
    expect(shown).toContain('forgectl: --with-token is required, with the token on standard input: prompts');
  });

  test('exits with 130 on Ctrl-C', async () => {
    const words = ['--base-url', 'https://ghe.example.com'];
    const { code } = await atTerminal(words, [['Token for https://ghe.example.com/api/v3:', 'ghp_ha\x03']]);
    expect(code).toBe(130);
    expect(stored()).toEqual([]);
  });
});
