/** The login of an app, by its environment and by its profile, against the embedded platform. */
import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { appEnv, appKey, appPublicKey, readJwt } from '../support/app.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { ring } from '../support/memory-keyring.ts';
import { classicToken, pathOf, scriptedPlatform } from '../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../support/run.ts';

vi.mock('../../src/cli/account/keyring.ts', () => import('../support/memory-keyring.ts'));

beforeEach(() => {
  ring.entries.clear();
  ring.answers = true;
});

/** Installation tokens, and JWTs; no output may contain one unasked. */
const secretForms = /ghs_\w{20}|eyJ[\w-]+\.[\w-]+\.[\w-]+|PRIVATE KEY-----\s*\w/;

/** A sandbox, the login of its app, and a function that runs commands as that app. */
async function appOf(options: SandboxOptions = {}) {
  const sandbox = await startSandbox({ clock: () => new Date('2026-03-01T12:00:00Z'), ...options });
  onTestFinished(() => sandbox.close());
  const configDir = await temporaryDirectory();
  const key = sandbox.app.privateKey();
  const keyFile = join(configDir, 'app.pem');
  writeFileSync(keyFile, key, { mode: 0o600 });
  const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_APP_ID: '41', FORGECTL_APP_PRIVATE_KEY: key };
  const as = (words: string, more: RunOptions = {}) =>
    run(words.split(' '), { configDir, ...more, env: { ...env, ...more.env } });
  const { FORGECTL_APP_ID: _id, FORGECTL_APP_PRIVATE_KEY: _key, ...platform } = env;
  const plainly = (words: string, more: RunOptions = {}) =>
    run(words.split(' '), { configDir, ...more, env: { ...platform, ...more.env } });
  return { sandbox, key, keyFile, configDir, env, platform, as, plainly };
}

describe('apps get', () => {
  it('shows the app', async () => {
    const { as } = await appOf();
    const { stdout, code } = await as('apps get --fields id,slug,owner.login,installations_count');
    expect({ stdout, code }).toEqual({ stdout: '41\tsandbox-app\tadmin\t2\n', code: 0 });
  });

  it('rejects a token before any request', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['apps', 'get'], { env: platform.env });
    expect(stderr).toContain(
      'This command requires the private key of an app; the token in use is a classic personal access token. Nothing was sent.',
    );
    expect(stderr).toContain('--app-id ID --private-key-file FILE');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

describe('apps installations', () => {
  it('lists all installations', async () => {
    const { as } = await appOf({ orgs: 4 });
    const { stdout, code } = await as('apps installations --all --fields id,account.login,suspended_at');
    expect({ stdout, code }).toEqual({
      stdout: '5000\tacme\t\n5001\tglobex\t2024-06-02T08:15:00Z\n5003\tumbrella\t\n',
      code: 0,
    });
  });
});

describe('installations token', () => {
  it('prints a token for an organization or an installation', async () => {
    const { as } = await appOf();
    for (const installation of ['acme', '5000']) {
      const { stdout, code } = await as(`installations token ${installation}`);
      expect(stdout).toMatch(/^ghs_\w{36}\n$/);
      expect(code).toBe(0);
    }
  });

  it('narrows the token', async () => {
    const { as } = await appOf();
    const { stdout } = await as('installations token acme --permissions contents=read --repositories site --json');
    expect(JSON.parse(stdout)).toMatchObject({
      expires_at: '2026-03-01T13:00:00Z',
      permissions: { contents: 'read', metadata: 'read' },
      repositories: [{ full_name: 'acme/site' }],
    });
    const bad = await as('installations token acme --permissions contents');
    expect(bad.stderr).toContain('--permissions must be NAME=LEVEL, such as contents=read');
    const bogus = await as('installations token acme --permissions contents=bogus');
    expect(bogus.code).toBe(2);
    expect(bogus.stderr).toContain('--permissions must have one of the levels read, write, admin, not “bogus”');
    expect(bad.code).toBe(2);
  });

  it('prints the token alone, and no JWT that the platform returns', async () => {
    const token = ['ghs', 'x'.repeat(36)].join('_');
    const platform = await scriptedPlatform(({ headers }) => ({
      status: 201,
      body: { token, expires_at: '2026-03-01T13:00:00Z', permissions: { [`${headers.authorization}`]: 'read' } },
    }));
    const env = { ...appEnv, FORGECTL_BASE_URL: platform.baseUrl };
    const { stdout } = await run('installations token 7 --json'.split(' '), { env });
    expect(JSON.parse(stdout)).toEqual({
      token,
      expires_at: '2026-03-01T13:00:00Z',
      permissions: { 'Bearer ********': 'read' },
    });
  });

  it.each([
    [['x'.repeat(8_193)], 'longer than 8,192 characters'],
    [[12_345_678], 'not text'],
    [['ghs_a\nX-Other: b'], 'a space or a line break'],
  ])('prints no invalid token: %#', async ([token], problem) => {
    const platform = await scriptedPlatform(() => ({
      status: 201,
      body: { token, expires_at: '2026-03-01T13:00:00Z' },
    }));
    const env = { ...appEnv, FORGECTL_BASE_URL: platform.baseUrl };
    const { stdout, stderr, code } = await run('installations token 7 --jq .token'.split(' '), { env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(String(token));
  });

  it('prints the request with --dry-run, without the JWT', async () => {
    const { as } = await appOf();
    const { stdout, code } = await as('installations token 5000 --repositories site --dry-run --json');
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      headers: { authorization: 'Bearer ********' },
      body: { repositories: ['site'] },
    });
    expect(code).toBe(0);
  });
});

describe('the environment', () => {
  it('logs in as an app, and derives the installation from the command', async () => {
    const { as } = await appOf({ orgs: 4 });
    expect((await as('orgs get umbrella --jq .login')).stdout).toBe('umbrella\n');
    expect((await as('repos get acme/site --jq .full_name')).stdout).toBe('acme/site\n');
  });

  it('selects the installation, by its ID or organization', async () => {
    const { as } = await appOf();
    for (const FORGECTL_APP_INSTALLATION of ['acme', '5000']) {
      const { stdout } = await as('installations repos --all --quiet', { env: { FORGECTL_APP_INSTALLATION } });
      expect(stdout.split('\n')).toContain('acme/site');
    }
  });

  it('accepts a key with \\n, in a file, or in PKCS#8', async () => {
    const { as, key, keyFile } = await appOf();
    const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'pem' }) as string;
    const forms: readonly Record<string, string>[] = [
      { FORGECTL_APP_PRIVATE_KEY: key.replaceAll('\n', '\\n') },
      { FORGECTL_APP_PRIVATE_KEY: '', FORGECTL_APP_PRIVATE_KEY_FILE: keyFile },
      { FORGECTL_APP_PRIVATE_KEY: pkcs8 },
    ];
    for (const env of forms) expect(await as('apps get --quiet', { env })).toMatchObject({ stdout: '41\n', code: 0 });
  });

  it.each([
    ['api GET /orgs/%zz', 'App 41 is not installed on %zz.'],
    ['api GET /repos/%E0%A4%A/site', 'App 41 is not installed on %e0%a4%a.'],
  ])('%s: exit code 4', async (line, message) => {
    const { as } = await appOf();
    const { stderr, code } = await as(line);
    expect(stderr).toContain(message);
    expect(code).toBe(4);
  });

  it('prefers a token to the app, and auth status reports it', async () => {
    const { as, sandbox } = await appOf();
    const env = { FORGECTL_TOKEN: sandbox.tokens.classic };
    const { stdout } = await as('auth status --json', { env });
    expect(JSON.parse(stdout)).toMatchObject({
      login: 'admin',
      ignored_tokens: ['Ignored FORGECTL_APP_ID: FORGECTL_TOKEN takes precedence.'],
    });
  });

  it.each<[unknown, unknown]>([
    [
      [null, { full_name: 'acme/site' }, {}],
      ['null', 'acme/site', '{}'],
    ],
    ['acme/site', ['acme/site']],
    [null, null],
  ])('shows the repositories of a token as the platform returned them: %j', async (repositories, shown) => {
    const platform = await scriptedPlatform(({ url = '' }) => {
      if (!url.endsWith('/access_tokens')) return { body: { id: 41, slug: 'bot' } };
      const token = ['ghs', 'x'.repeat(36)].join('_');
      return { status: 201, body: { token, expires_at: '2126-03-01T13:00:00Z', repositories } };
    });
    const env = { ...appEnv, FORGECTL_BASE_URL: platform.baseUrl, FORGECTL_APP_INSTALLATION: '7' };
    const { stdout, code } = await run('auth status --json --jq .app.repositories'.split(' '), { env });
    expect({ shown: JSON.parse(stdout), code }).toEqual({ shown, code: 0 });
  });

  const encrypted = createPrivateKey(appKey).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }) as string;
  const encryptedPkcs1 = createPrivateKey(appKey).export({
    type: 'pkcs1',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'x',
  }) as string;
  const publicPkcs1 = createPublicKey(appKey).export({ type: 'pkcs1', format: 'pem' }) as string;
  const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
  });

  it.each([
    ['an encrypted key', encrypted, 'FORGECTL_APP_PRIVATE_KEY is an encrypted private key.'],
    ['an encrypted key in PKCS#1', encryptedPkcs1, 'FORGECTL_APP_PRIVATE_KEY is an encrypted private key.'],
    ['a public key', appPublicKey, 'FORGECTL_APP_PRIVATE_KEY is a public key, not a private key.'],
    ['a public key in PKCS#1', publicPkcs1, 'FORGECTL_APP_PRIVATE_KEY is a public key, not a private key.'],
    ['a certificate', selfSignedCertificate().cert, 'FORGECTL_APP_PRIVATE_KEY is a certificate, not a private key.'],
    ['half a key', appKey.slice(0, 500), 'FORGECTL_APP_PRIVATE_KEY is not a private key in PEM format.'],
    ['a key of another type', String(elliptic), 'FORGECTL_APP_PRIVATE_KEY is not an RSA key (ec).'],
    ['no key', 'hunter2', 'FORGECTL_APP_PRIVATE_KEY is not a private key in PEM format.'],
    ['the key of another app', appKey, 'The platform rejected the private key of app 41: A JSON web token could not'],
  ])('with %s: one line, exit code 4', async (_, key, message) => {
    const { as } = await appOf();
    const { stderr, code } = await as('orgs get acme', { env: { FORGECTL_APP_PRIVATE_KEY: key } });
    expect(stderr).toContain(`forgectl: ${message}`);
    expect(stderr).not.toContain('hunter2');
    expect(code).toBe(4);
  });

  it.each([
    [{ FORGECTL_APP_PRIVATE_KEY: '' }, 4, 'FORGECTL_APP_ID is set without a private key.'],
    [
      { FORGECTL_APP_PRIVATE_KEY_FILE: 'x.pem' },
      2,
      'FORGECTL_APP_PRIVATE_KEY and FORGECTL_APP_PRIVATE_KEY_FILE cannot be used together.',
    ],
    [{ FORGECTL_APP_ID: '4 1' }, 2, 'FORGECTL_APP_ID must be an app ID, such as 12345, or a client ID.'],
    [{ FORGECTL_APP_ID: '42' }, 4, 'The platform has no app with the ID 42.'],
    [{ FORGECTL_APP_INSTALLATION: 'initech' }, 4, 'App 41 is not installed on initech.'],
    [{ FORGECTL_APP_INSTALLATION: '77' }, 4, 'App 41 has no installation 77.'],
    [{ FORGECTL_APP_INSTALLATION: 'globex' }, 5, 'returned 403 This installation has been suspended'],
  ])('with %j: exit code %d', async (env, exit, message) => {
    const { as } = await appOf();
    const { stderr, code } = await as('orgs get acme', { env });
    expect(stderr).toContain(message);
    expect(code).toBe(exit);
  });

  it('reports the permission that the app lacks, exit code 5', async () => {
    const { as } = await appOf();
    const { stderr, code } = await as('orgs update umbrella --location Oslo', {
      env: { FORGECTL_APP_INSTALLATION: 'acme' },
    });
    expect(stderr).toContain('returned 404');
    expect(code).toBe(3);
    const enterprise = await as('budgets list --enterprise sandbox', { env: { FORGECTL_APP_INSTALLATION: 'acme' } });
    expect(enterprise.stderr).toContain('Resource not accessible by integration');
    expect(enterprise.code).toBe(5);
  });
});

describe('auth login --app-id', () => {
  it.each([7, 'x'.repeat(40_000)])('stores nothing if the platform mints no token', async (token) => {
    const { keyFile, configDir } = await appOf();
    const { baseUrl } = await scriptedPlatform({
      'GET /app': { body: { id: 41, slug: 'sandbox-app', name: 'Sandbox' } },
      'GET /app/installations': { body: [{ id: 5000, account: { login: 'acme', id: 101 }, permissions: {} }] },
      'GET /orgs/acme/installation': { body: { id: 5000, account: { login: 'acme', id: 101 }, permissions: {} } },
      'POST /app/installations/5000/access_tokens': {
        status: 201,
        body: { token, expires_at: '2026-03-01T13:00:00Z' },
      },
    });
    const words = `auth login --app-id 41 --private-key-file ${keyFile} --organization acme --base-url ${baseUrl}`;
    const { code, stdout, stderr } = await run(words.split(' '), { configDir });
    expect(stderr).toMatch(/^forgectl: POST \/app\/installations\/5000\/access_tokens returned a token that /);
    expect({ code, stdout, config: existsSync(join(configDir, 'config.json')) }).toEqual({
      ...{ code: 8, stdout: '', config: false },
    });
  });

  it('stores the key in the keyring and logs in with it', async () => {
    const { plainly, keyFile, key, configDir, sandbox } = await appOf();
    const login = await plainly(`auth login --app-id 41 --private-key-file ${keyFile} --organization acme --json`);
    expect(login).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(login.stdout)).toMatchObject({
      login: 'sandbox-app',
      token_kind: 'installation',
      storage: 'keyring',
      platform_version: 'enterprise-server@3.19.2',
      app: { id: 41, installation_id: 5000, permissions: { metadata: 'read' } },
    });
    const { origin } = new URL(sandbox.baseUrl);
    expect(ring.entries.get(`default ${origin}`)).toBe(key);
    const config = readFileSync(join(configDir, 'config.json'), 'utf8');
    expect(config).not.toMatch(secretForms);
    expect(JSON.parse(config).profiles.default.token).toEqual({
      storage: 'keyring',
      origin,
      kind: 'installation',
      login: 'sandbox-app',
      app: { id: '41', installation: 'acme' },
    });
    writeFileSync(keyFile, '');
    expect((await plainly('installations repos --all --quiet')).stdout).toContain('acme/site\n');
    const status = JSON.parse((await plainly('auth status --json')).stdout);
    expect(status).toMatchObject({
      login: 'sandbox-app',
      source: 'keyring',
      expires_at: '2026-03-01T13:00:00Z',
      app: { id: 41, installation_id: 5000, repository_selection: 'all', repositories: null },
    });
    expect((await plainly('auth token')).stdout).toMatch(/^ghs_\w{36}\n$/);
  });

  it('leaves the key in its file if no keyring is available', async () => {
    ring.answers = false;
    const { plainly, keyFile, configDir } = await appOf();
    const login = await plainly(
      `auth login --app-id 41 --private-key-file ${keyFile} --installation 5000 --repositories site --permissions contents=read --json`,
    );
    expect(existsSync(join(configDir, 'credentials.json'))).toBe(false);
    expect(readFileSync(join(configDir, 'config.json'), 'utf8')).not.toContain('PRIVATE KEY');
    expect(JSON.parse(login.stdout)).toMatchObject({ storage: 'file', app: { permissions: { contents: 'read' } } });
    expect((await plainly('installations repos --all --quiet')).stdout).toBe('acme/site\n');
    writeFileSync(keyFile, 'gone');
    const { stderr, code } = await plainly('installations repos');
    expect(stderr).toContain(`${keyFile} is not a private key in PEM format.`);
    expect(code).toBe(4);
    expect((await plainly('auth logout')).code).toBe(0);
    expect(readFileSync(keyFile, 'utf8')).toBe('gone');
  });

  it.each([
    ['missing', (file: string) => rmSync(file), 'Cannot read the private key in FILE: no such file.'],
    ['empty', (file: string) => writeFileSync(file, '\n'), 'The private key in FILE is empty.'],
    [
      'replaced by a directory',
      (file: string) => {
        rmSync(file);
        mkdirSync(file);
      },
      'Cannot read the private key in FILE: it is a directory.',
    ],
  ])('rejects a key file that is %s, exit code 2', async (_, spoil, message) => {
    ring.answers = false;
    const { plainly, as, keyFile } = await appOf();
    const said = (source = '') => `forgectl: ${message.replace('FILE', `${keyFile}${source}`)} Nothing was sent.\n`;
    const login = `auth login --app-id 41 --private-key-file ${keyFile} --installation 5000`;
    expect((await plainly(login)).code).toBe(0);
    spoil(keyFile);
    const ofProfile = await plainly('installations repos');
    expect(ofProfile.stderr).toContain(said());
    expect(ofProfile.code).toBe(2);
    const ofFlag = await plainly(login);
    expect(ofFlag.stderr).toContain(said(' (--private-key-file)'));
    expect(ofFlag.code).toBe(2);
    const env = { FORGECTL_APP_PRIVATE_KEY: '', FORGECTL_APP_PRIVATE_KEY_FILE: keyFile };
    const ofVariable = await as('apps get', { env });
    expect(ofVariable.stderr).toContain(said(' (FORGECTL_APP_PRIVATE_KEY_FILE)'));
    expect(ofVariable.code).toBe(2);
  });

  it('needs no installation if an app has several', async () => {
    const { plainly, keyFile } = await appOf({ orgs: 4 });
    const login = await plainly(`auth login --app-id 41 --private-key-file ${keyFile} --json`);
    expect(JSON.parse(login.stdout).app).toEqual({ id: 41, installation_id: null, permissions: null });
    expect((await plainly('repos get umbrella/site --jq .name')).stdout).toBe('site\n');
    const { stderr, code } = await plainly('installations repos');
    expect(stderr).toContain('App 41 has several installations; GET /installation/repositories requires one of them.');
    expect(code).toBe(4);
    expect(JSON.parse((await plainly('auth status --json')).stdout).app.installation_id).toBeNull();
  });

  it.each([
    ['--app-id 41', '--private-key-file is required to log in as an app'],
    ['--private-key-file app.pem', '--app-id is required to log in as an app'],
    ['--app-id 41 --private-key-file a --installation 1 --organization b', 'cannot be used together'],
    ['--app-id 41 --private-key-file a --with-token', 'cannot be used together'],
    ['--app-id 41 --private-key-file a --app-sign-command ["b"]', 'cannot be used together'],
    ['--app-id 41 --app-sign-command b', '--app-sign-command must be a JSON array of the program and its arguments'],
    ['--app-id 41 --app-sign-command [1]', '--app-sign-command must be a JSON array of the program and its arguments'],
    ['--app-sign-command ["b"]', '--app-id is required to log in as an app'],
    ['--app-id 41 --private-key-file a --app-sign-env A', '--app-sign-command is required with --app-sign-env'],
    [
      '--app-id 41 --app-sign-command ["b"] --app-sign-env A=b',
      '--app-sign-env must be names of environment variables, such as VAULT_TOKEN; separate several with commas',
    ],
  ])('with %s sends nothing', async (flags, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(`auth login --base-url ${platform.baseUrl} ${flags}`.split(' '));
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('stores nothing if the app is not installed on the organization', async () => {
    const { plainly, keyFile, configDir } = await appOf();
    const { stderr, code } = await plainly(
      `auth login --app-id 41 --private-key-file ${keyFile} --organization initech`,
    );
    expect(stderr).toContain('forgectl: App 41 is not installed on initech.\n');
    expect(code).toBe(4);
    expect(ring.entries.size).toBe(0);
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  it('stores nothing if the key belongs to another app', async () => {
    const { plainly, configDir } = await appOf();
    const file = join(configDir, 'other.pem');
    writeFileSync(file, appKey);
    const { stderr, code } = await plainly(`auth login --app-id 41 --private-key-file ${file}`);
    expect(stderr).toContain('rejected the private key: A JSON web token could not be decoded. Nothing was stored.');
    expect(code).toBe(4);
    expect(ring.entries.size).toBe(0);
    const unknown = await plainly(`auth login --app-id 42 --private-key-file ${file}`);
    expect(unknown.stderr).toContain('returned 404 Integration not found. Nothing was stored.');
    expect(unknown.code).toBe(4);
  });
});

describe('FORGECTL_APP_SIGN_COMMAND', () => {
  /** A program that signs as a key service does, and its command. */
  async function signer(body: string) {
    const folder = await temporaryDirectory();
    const script = join(folder, 'sign.cjs');
    writeFileSync(script, body);
    return JSON.stringify([process.execPath, script]);
  }

  const withCommand = (command: string) => ({
    FORGECTL_APP_PRIVATE_KEY: '',
    FORGECTL_APP_SIGN_COMMAND: command,
    FORGECTL_APP_INSTALLATION: 'acme',
  });

  it.each(['base64url', 'base64', 'latin1'])('signs with a program that writes %s', async (encoding) => {
    const { as, keyFile } = await appOf();
    const command = await signer(
      `const {sign} = require('node:crypto'), {readFileSync} = require('node:fs');
       const signature = sign('RSA-SHA256', readFileSync(0), readFileSync(${JSON.stringify(keyFile)}));
       process.stdout.write(${encoding === 'latin1' ? 'signature' : `signature.toString('${encoding}') + '\\n'`});`,
    );
    const env = withCommand(command);
    expect(await as('repos get acme/site --jq .name', { env })).toMatchObject({ stdout: 'site\n', code: 0 });
  });

  it('gives the program only the variables that it may have, and shell syntax has no effect', async () => {
    const { as, sandbox, configDir } = await appOf();
    const file = join(configDir, 'env.json');
    const body = `require('node:fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify([process.env, process.argv.slice(2)])); process.exit(3)`;
    const [node, script] = JSON.parse(await signer(body));
    const env = {
      ...withCommand(JSON.stringify([node, script, '$(id)', '; true'])),
      PATH: '/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      https_proxy: 'http://proxy.example.com:3128',
      HTTPS_PROXY: 'http://ada:hunter2@proxy.example.com:3128',
      FORGECTL_TOKEN_1: classicToken,
      GH_TOKEN: classicToken,
      GITHUB_TOKEN: sandbox.tokens.classic,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: classicToken,
      NPM_TOKEN: classicToken,
      VAULT_ADDR: 'https://vault.example.com',
      VAULT_TOKEN: 'hvs.1',
      FORGECTL_APP_SIGN_ENV: 'VAULT_ADDR, VAULT_TOKEN,UNSET',
    };
    const { stderr, code } = await as('orgs get acme', { env });
    expect(stderr).toBe(
      [
        'forgectl: FORGECTL_APP_SIGN_COMMAND failed with exit code 3.',
        'Nothing was sent. Run the program manually to find out why. These variables were not passed to it: ACTIONS_ID_TOKEN_REQUEST_TOKEN, FORGECTL_APP_ID, FORGECTL_APP_INSTALLATION, FORGECTL_APP_PRIVATE_KEY, FORGECTL_APP_SIGN_COMMAND, FORGECTL_APP_SIGN_ENV, FORGECTL_BASE_URL, FORGECTL_CONFIG_DIR, FORGECTL_TOKEN_1, GH_TOKEN, GITHUB_TOKEN, HTTPS_PROXY, NPM_TOKEN, XDG_CACHE_HOME. List those that it needs in FORGECTL_APP_SIGN_ENV, or log in with --app-sign-env.',
        '',
      ].join('\n'),
    );
    expect(code).toBe(4);
    const [given, args] = JSON.parse(readFileSync(file, 'utf8'));
    expect(args).toEqual(['$(id)', '; true']);
    expect(given).toEqual({
      PATH: '/bin',
      HOME: '/home/ada',
      LC_ALL: 'C',
      https_proxy: 'http://proxy.example.com:3128',
      VAULT_ADDR: 'https://vault.example.com',
      VAULT_TOKEN: 'hvs.1',
    });
  });

  it.each(['VAULT_TOKEN=hvs.1', 'A,,B', ',', '1A', 'A B'])(
    'with %j in FORGECTL_APP_SIGN_ENV sends nothing',
    async (list) => {
      const { as } = await appOf();
      const env = { ...withCommand('["true"]'), FORGECTL_APP_SIGN_ENV: list };
      const { stderr, code } = await as('orgs get acme', { env });
      expect(stderr).toBe(
        'forgectl: FORGECTL_APP_SIGN_ENV must be names of environment variables, such as VAULT_TOKEN; separate several with commas.\n',
      );
      expect(code).toBe(2);
    },
  );

  it.each([
    ['sign', 2, 'must be a JSON array of the program and its arguments'],
    ['[]', 2, 'must be a JSON array'],
    ['["no-such-program-here"]', 4, 'FORGECTL_APP_SIGN_COMMAND cannot be run: ENOENT.'],
    ['["echo","short"]', 4, 'FORGECTL_APP_SIGN_COMMAND wrote no signature.'],
    ['["sh","-c","echo not today >&2; exit 9"]', 4, 'failed with exit code 9: not today.'],
    ['["sh","-c","kill -9 $$"]', 4, 'FORGECTL_APP_SIGN_COMMAND was terminated by SIGKILL.'],
  ])('%s: exit code %d', async (command, exit, message) => {
    const { as } = await appOf();
    const { stderr, code } = await as('orgs get acme', { env: withCommand(command) });
    expect(stderr).toContain(message);
    expect(code).toBe(exit);
  });

  it.each([
    ['the token that it was passed', 'console.error("not with " + process.env.VAULT_TOKEN)', ': not with ********'],
    [
      'that token, shortened',
      'console.error("z".repeat(190) + process.env.VAULT_TOKEN)',
      `: ${'z'.repeat(190)}********`,
    ],
    ['its key without the last line', 'console.error(key.slice(0, -40))', ': -----BEGIN RSA PRIVATE KEY-----********'],
    [
      'its key in base64',
      "console.error('bad ' + createPrivateKey(key).export({ format: 'der', type: 'pkcs8' }).toString('base64'))",
      ': bad ********',
    ],
    ['its key in hexadecimal', "console.error('bad ' + der.toString('hex'))", ': bad ********'],
    ['its key in hexadecimal with colons', "console.error(der.toString('hex').match(/../g).join(':'))", ': ********'],
    ['its key as numbers', "console.error('[' + [...der].join(' ') + ']')", ': [********]'],
    ['its key as Node prints bytes', 'console.error(der.subarray(0, 50))', ': <Buffer ********>'],
    [
      'its key as openssl prints numbers',
      "console.error(der.toString('hex').replace(/(..){1,15}/g, (line) => '    ' + line.match(/../g).join(':') + ':\\n'))",
      ': ********:',
    ],
    ['its key as bytes', 'process.stderr.write(der)', '.'],
    ['its key in UTF-16', "process.stderr.write(Buffer.from(der.toString('base64'), 'utf16le'))", ': ********'],
    [
      'its key in short lines',
      "console.error('bad key:\\n' + der.toString('base64').replace(/.{20}/g, '$&\\n'))",
      ' (its report is not shown, because it may contain a key).',
    ],
    ['lines of its key', "console.error(key.split('\\n').slice(5, -2).join('\\n'))", ': ********'],
    [
      'a number of its JWK',
      "console.error('no ' + createPrivateKey(key).export({ format: 'jwk' }).d)",
      ': no ********',
    ],
    [
      'no key: it is shown',
      "console.error('no projects/acme-2026/locations/eu/keys/3f9e9a4a-0000-4000-8000-000000000000/versions/1')",
      ': no projects/acme-2026/locations/eu/keys/3f9e9a4a-0000-4000-8000-000000000000/versions/1.',
    ],
    [
      'the name of a key with capital letters: it is shown',
      "console.error('denied on projects/p/locations/eu/keyRings/R1/cryptoKeys/K2/cryptoKeyVersions/1')",
      ': denied on projects/p/locations/eu/keyRings/R1/cryptoKeys/K2/cryptoKeyVersions/1.',
    ],
  ])('that reports %s: it is masked', async (_what, script, shown) => {
    const { as } = await appOf();
    const token = ['hvs', 'x'.repeat(24)].join('.');
    const before = `const { createPrivateKey } = require('node:crypto'); const key = ${JSON.stringify(appKey)};
      const der = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })`;
    const command = await signer(`${before}; ${script}; process.exitCode = 1;`);
    const env = { ...withCommand(command), VAULT_TOKEN: token, FORGECTL_APP_SIGN_ENV: 'VAULT_TOKEN' };
    const { stderr, code } = await as('orgs get acme', { env });
    expect(stderr).toContain(`FORGECTL_APP_SIGN_COMMAND failed with exit code 1${shown}`);
    expect(stderr).not.toMatch(/xxx|MII/);
    expect(code).toBe(4);
  });

  it.each([
    ['PEM', `process.stdout.write(key)`],
    ['PEM on one line', `process.stdout.write(key.replaceAll('\\n', ''))`],
    ['base64 of PEM', `process.stdout.write(Buffer.from(key).toString('base64'))`],
    ['hexadecimal', `process.stdout.write(short.export({ format: 'der', type: 'pkcs1' }).toString('hex'))`],
    [
      'hexadecimal with colons',
      `process.stdout.write(short.export({ format: 'der', type: 'pkcs8' }).toString('hex').replace(/..(?!$)/g, '$&:'))`,
    ],
    ['JWK', `process.stdout.write(JSON.stringify(short.export({ format: 'jwk' })))`],
    ['UTF-16', `process.stdout.write(Buffer.from(elliptic.export({ format: 'pem', type: 'pkcs8' }), 'utf16le'))`],
    [
      'base64 of base64',
      `process.stdout.write(btoa(short.export({ format: 'der', type: 'pkcs8' }).toString('base64')))`,
    ],
    [
      'encrypted',
      `process.stdout.write(short.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }))`,
    ],
    [
      'PKCS#1',
      `process.stdout.write(require('node:crypto').createPrivateKey(key).export({ format: 'der', type: 'pkcs1' }))`,
    ],
    [
      'PKCS#8',
      `process.stdout.write(require('node:crypto').createPrivateKey(key).export({ format: 'der', type: 'pkcs8' }))`,
    ],
    // Each has a length that a signature can have.
    ['PKCS#8 with other bytes after it', `process.stdout.write(Buffer.concat([der, Buffer.alloc(640 - der.length)]))`],
    ['hexadecimal digits, as many as of a long key', `process.stdout.write('3f'.repeat(512))`],
    ['a message', `process.stdout.write('Not available.  '.repeat(8))`],
    ['more bytes than a signature has', `process.stdout.write(Buffer.alloc(2048, 0x99))`],
    ['fewer bytes than a signature has', `process.stdout.write(Buffer.alloc(127, 0x99))`],
  ])('sends no key that a program writes instead of a signature: %s', async (_form, script) => {
    const platform = await scriptedPlatform({});
    const others = `const { generateKeyPairSync } = require('node:crypto');
      const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      const { privateKey: elliptic } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const der = short.export({ format: 'der', type: 'pkcs8' });`;
    const command = await signer(`const key = ${JSON.stringify(appKey)}; ${others} ${script};`);
    const { FORGECTL_BASE_URL = '' } = platform.env;
    const { stderr, code } = await run(['orgs', 'get', 'acme'], {
      env: { FORGECTL_BASE_URL, FORGECTL_APP_ID: '41', ...withCommand(command) },
    });
    expect(stderr).toContain('FORGECTL_APP_SIGN_COMMAND wrote no signature.');
    expect({ code, requests: platform.requests }).toEqual({ code: 4, requests: [] });
  });

  it('stops a program that writes more than a signature', async () => {
    const { as } = await appOf();
    const command = await signer(`setInterval(() => process.stdout.write('A'.repeat(65_537)), 1);`);
    const { stderr, code } = await as('orgs get acme', { env: withCommand(command) });
    expect(stderr).toContain('FORGECTL_APP_SIGN_COMMAND wrote more than 64 KiB, which is too long for a signature.');
    expect(code).toBe(4);
  });

  it('does not wait for a process that a program leaves behind', async () => {
    const { signCommand } = await import('../../src/cli/account/app/sign-command.ts');
    const pid = join(await temporaryDirectory(), 'pid');
    onTestFinished(() => void process.kill(Number(readFileSync(pid, 'utf8'))));
    const script = String.raw`sleep 100 & echo $! > '${pid}'; head -c 128 /dev/zero | LC_ALL=C tr '\0' '\231'`;
    const sign = signCommand(['sh', '-c', script], 'x', { passed: process.env, withheld: [] });
    expect(await sign('x')).toBe(Buffer.alloc(128, 0x99).toString('base64url'));
  });

  it('terminates a program that does not exit', async () => {
    const { signCommand } = await import('../../src/cli/account/app/sign-command.ts');
    const sign = signCommand(['sleep', '60'], 'FORGECTL_APP_SIGN_COMMAND', { passed: process.env, withheld: [] }, 50);
    await expect(sign('x')).rejects.toThrow('FORGECTL_APP_SIGN_COMMAND timed out after 0.05 s.');
  });
});

describe('auth login --app-sign-command', () => {
  /** A program that signs with the key in a file. */
  async function signing(keyFile: string) {
    const folder = await temporaryDirectory();
    const script = join(folder, 'sign');
    writeFileSync(
      script,
      `#!${process.execPath}
const {sign} = require('node:crypto'), {readFileSync} = require('node:fs');
process.stdout.write(sign('RSA-SHA256', readFileSync(0), readFileSync(process.argv[2])));`,
      { mode: 0o700 },
    );
    return { script, command: JSON.stringify([script, keyFile]) };
  }

  it('stores the program and no key, and signs with it', async () => {
    const { plainly, keyFile, configDir, sandbox } = await appOf();
    const { script, command } = await signing(keyFile);
    const login = await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme --json`);
    expect(login).toMatchObject({ stderr: '', code: 0 });
    expect(JSON.parse(login.stdout)).toMatchObject({ storage: 'program', app: { id: 41, installation_id: 5000 } });
    expect(ring.entries.size).toBe(0);
    expect(JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8')).profiles.default.token).toEqual({
      storage: 'program',
      origin: new URL(sandbox.baseUrl).origin,
      kind: 'installation',
      login: 'sandbox-app',
      app: { id: '41', installation: 'acme', 'sign-command': [script, keyFile] },
    });
    expect(await plainly('repos get acme/site --quiet')).toMatchObject({ stdout: 'acme/site\n', stderr: '', code: 0 });
    expect(JSON.parse((await plainly('auth status --json')).stdout)).toMatchObject({ source: 'program' });
    writeFileSync(script, `#!${process.execPath}\nprocess.exit(3)`);
    const { stderr, code } = await plainly('repos get acme/site');
    expect(stderr).toContain('The sign command of the profile failed with exit code 3.');
    expect(code).toBe(4);
    expect((await plainly('auth logout')).code).toBe(0);
  });

  it('stores the absolute path of a relative program', async () => {
    const { plainly, keyFile, configDir } = await appOf();
    const { script } = await signing(keyFile);
    const command = JSON.stringify([relative('.', script), keyFile]);
    expect((await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme`)).code).toBe(0);
    const { token } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8')).profiles.default;
    expect(token.app['sign-command']).toEqual([script, keyFile]);
  });

  it('stores the names of the variables that the program gets, which FORGECTL_APP_SIGN_ENV overrides', async () => {
    const { plainly, keyFile, configDir } = await appOf();
    const { script, command } = await signing(keyFile);
    const seen = join(configDir, 'seen.json');
    const record = `require('node:fs').writeFileSync(${JSON.stringify(seen)}, JSON.stringify(process.env));`;
    writeFileSync(script, readFileSync(script, 'utf8').replace('\n', `\n${record}\n`));
    const env = { VAULT_ADDR: 'https://vault.example.com', VAULT_TOKEN: 'hvs.1', NPM_TOKEN: 'npm_1' };
    const given = () => JSON.parse(readFileSync(seen, 'utf8'));
    const login = `auth login --app-id 41 --app-sign-command ${command} --app-sign-env VAULT_ADDR,VAULT_TOKEN --organization acme`;
    expect(await plainly(login, { env: { ...env, FORGECTL_APP_SIGN_ENV: 'NPM_TOKEN' } })).toMatchObject({ code: 0 });
    const { NPM_TOKEN: _npm, ...named } = env;
    expect(given()).toEqual(named);
    const { token } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8')).profiles.default;
    expect(token.app['sign-env']).toEqual(['VAULT_ADDR', 'VAULT_TOKEN']);
    expect((await plainly('repos get acme/site', { env })).code).toBe(0);
    expect(given()).toEqual(named);
    expect(await plainly('auth status --jq .app.sign_env', { env })).toMatchObject({
      stdout: '["VAULT_ADDR","VAULT_TOKEN"]\n',
    });
    expect((await plainly('repos get acme/site', { env: { ...env, FORGECTL_APP_SIGN_ENV: 'NPM_TOKEN' } })).code).toBe(
      0,
    );
    expect(given()).toEqual({ NPM_TOKEN: 'npm_1' });
  });

  it.each([['VAULT_TOKEN'], [['A=b']], [[1]], [{}]])('rejects %j as variables in the settings', async (names) => {
    const { plainly, keyFile, configDir } = await appOf();
    const { command } = await signing(keyFile);
    expect((await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme`)).code).toBe(0);
    const file = join(configDir, 'config.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.profiles.default.token.app['sign-env'] = names;
    writeFileSync(file, JSON.stringify(settings));
    const { stderr, code } = await plainly('repos get acme/site');
    expect(stderr).toContain('The sign-env of the profile must be names of environment variables');
    expect(code).toBe(2);
  });

  it('replaces the key of an earlier login', async () => {
    const { plainly, keyFile } = await appOf();
    expect((await plainly(`auth login --app-id 41 --private-key-file ${keyFile} --organization acme`)).code).toBe(0);
    expect(ring.entries.size).toBe(1);
    const { command } = await signing(keyFile);
    expect((await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme`)).code).toBe(0);
    expect(ring.entries.size).toBe(0);
  });

  it('stores nothing if the program fails', async () => {
    const { plainly, configDir } = await appOf();
    const { stderr, code } = await plainly('auth login --app-id 41 --app-sign-command ["false"]');
    expect(stderr).toContain('--app-sign-command failed with exit code 1.');
    expect(code).toBe(4);
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  it('rejects a program in the settings that is not a list', async () => {
    const { plainly, keyFile, configDir } = await appOf();
    const { command } = await signing(keyFile);
    expect((await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme`)).code).toBe(0);
    const file = join(configDir, 'config.json');
    const settings = JSON.parse(readFileSync(file, 'utf8'));
    settings.profiles.default.token.app['sign-command'] = 'true';
    writeFileSync(file, JSON.stringify(settings));
    const { stderr, code } = await plainly('repos get acme/site');
    expect(stderr).toContain('The sign command of the profile must be a JSON array of the program and its arguments');
    expect(code).toBe(2);
  });

  it('does not run the program if others can write the settings', async () => {
    const { plainly, keyFile, configDir } = await appOf();
    const { script, command } = await signing(keyFile);
    expect((await plainly(`auth login --app-id 41 --app-sign-command ${command} --organization acme`)).code).toBe(0);
    const ran = join(configDir, 'ran');
    writeFileSync(script, `#!${process.execPath}\nrequire('node:fs').writeFileSync(${JSON.stringify(ran)}, '')`);
    for (const [path, mode] of [
      [join(configDir, 'config.json'), 0o620],
      [configDir, 0o770],
    ] as const) {
      chmodSync(path, mode);
      const { stderr, code } = await plainly('repos get acme/site');
      expect(stderr).toContain(`The sign command of the profile was not run: ${path} is writable by others.`);
      expect(code).toBe(2);
      expect(existsSync(ran)).toBe(false);
      chmodSync(path, 0o700);
    }
  });
});

describe('a key file that others can access', () => {
  it.each([0o644, 0o640, 0o602])('of mode %o leads to a notice', async (mode) => {
    const { as, plainly, keyFile } = await appOf();
    chmodSync(keyFile, mode);
    const notice = `Other users can access the private key in ${keyFile} (mode ${mode.toString(8)}). Limit it to yourself: chmod 600 ${keyFile}\n`;
    const env = { FORGECTL_APP_PRIVATE_KEY: '', FORGECTL_APP_PRIVATE_KEY_FILE: keyFile };
    expect(await as('repos get acme/site --quiet', { env })).toMatchObject({ stderr: notice, code: 0 });
    ring.answers = false;
    const login = await plainly(`auth login --app-id 41 --private-key-file ${keyFile} --organization acme`);
    expect(login).toMatchObject({ stderr: expect.stringContaining(notice), code: 0 });
    expect(await plainly('repos get acme/site --quiet')).toMatchObject({ stderr: notice, code: 0 });
    chmodSync(keyFile, 0o400);
    expect(await plainly('repos get acme/site --quiet')).toMatchObject({ stderr: '', code: 0 });
  });
});

it.each([
  ['2030-01-01T00:00:00Z', 'apps get'],
  ['2030-01-01T00:00:00Z', 'orgs get acme'],
  ['2026-03-01T11:49:00Z', 'orgs get acme --debug'],
])('does not date a JWT by a clock that is more than ten minutes off: %s, %s', async (time, line) => {
  const platform = await scriptedPlatform(() => ({
    status: 401,
    headers: { date: new Date(time).toUTCString() },
    body: { message: 'A JSON web token could not be decoded' },
  }));
  const { FORGECTL_TOKEN: _token, ...env } = platform.env;
  const { stderr, code } = await run(line.split(' '), { env: { ...env, ...appEnv } });
  expect(stderr).toContain(
    `forgectl: The clocks differ by more than 10 minutes: this machine has 2026-03-01T12:00:00Z, the platform ${time}.\nCheck the clocks of this machine and of the platform, and correct the wrong one.\n`,
  );
  expect(code).toBe(4);
  const dates = platform.requests.map(({ headers }) => readJwt(String(headers.authorization).slice(7)).claims.exp);
  expect(dates).toEqual([Date.parse('2026-03-01T12:09:00Z') / 1000]);
});

it('uses the installation of each organization with each', async () => {
  const { as } = await appOf({ orgs: 4 });
  const { stdout, code } = await as('each repos acme umbrella --jq .target -o ndjson -- repos get {}');
  const targets = stdout.trim().split('\n');
  expect(targets).toEqual(expect.arrayContaining(['acme/site', 'umbrella/site']));
  expect(targets).toHaveLength(24);
  expect(code).toBe(0);
});

it('renews its token during a run', async () => {
  let now = Date.UTC(2026, 2, 1, 12);
  const { as } = await appOf({
    repos: 400,
    tokenLifetime: 2_000,
    faults: { 'fresh-token': 0.2 },
    clock: () => new Date(now),
  });
  const clock = {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const ticking = { ...clock, now: () => (now += 5) };
  const { stdout, code } = await as('repos list acme --all --per-page 10 --quiet --concurrency 5', {
    clock: ticking,
    now: new Date(now),
  });
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(400);
});

const mintedToken = `ghs_${'m'.repeat(36)}`;

describe('no output contains a key or a JWT', () => {
  it.each([
    'orgs get acme --debug',
    'apps get --debug -o json --show-secrets',
    'apps installations --debug',
    'auth status --debug --json',
    'auth status --debug',
    'repos list acme --debug -o ndjson',
    'orgs get initech --debug --json',
    'installations token 77 --debug',
    'orgs update acme --location Oslo --dry-run',
    'orgs update acme --location Oslo --debug',
    'each orgs --all-installations --debug -o ndjson -- orgs update {} --location Oslo',
    'each repos --all-installations --dry-run -o ndjson -- repos update {} --has-wiki',
    'policy export --all-installations --repositories --debug --dir FOLDER/policy',
    'policy plan - --debug --json --out FOLDER/plan.ndjson',
    'policy apply - --yes --debug --journal FOLDER/journal.ndjson',
    'api GET /app --debug -i',
    'config list',
  ])('%s', async (line) => {
    const { as, configDir, key } = await appOf({ repos: 2 });
    const { stdout, stderr } = await as(line.replaceAll('FOLDER', configDir), {
      env: { FORGECTL_APP_INSTALLATION: '5000', XDG_STATE_HOME: join(configDir, 'state') },
      stdin: 'organizations: [acme]\nsettings: { location: Oslo }\n',
    });
    const files = execFileSync('grep', ['-rlE', 'ghs_|eyJ|PRIVATE KEY', configDir], { encoding: 'utf8' });
    expect(files).toBe(`${join(configDir, 'app.pem')}\n`);
    expect(stdout + stderr).not.toMatch(secretForms);
    for (const part of key.split('\n').slice(1, -2)) expect(stdout + stderr).not.toContain(part);
  });

  it.each([
    ['GET /orgs/acme/installation', 302],
    ['POST /app/installations/7/access_tokens', 307],
    ['GET /orgs/acme', 301],
  ])('and no other origin receives one from a redirect of %s', async (redirected, status) => {
    const other = await scriptedPlatform(() => ({ body: { id: 7, token: `ghs_${'o'.repeat(36)}` } }));
    const platform = await scriptedPlatform((request) => {
      const asked = `${request.method} ${pathOf(request)}`;
      if (asked === redirected) return { status, headers: { location: `${other.baseUrl}${pathOf(request)}` } };
      if (asked.endsWith('/installation')) return { body: { id: 7 } };
      return { status: 201, body: { token: `ghs_${'a'.repeat(36)}`, expires_at: '2026-03-01T13:00:00Z' } };
    });
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--debug'], { env: { ...env, ...appEnv } });
    expect(stderr).toContain(
      `to another origin, ${new URL(other.baseUrl).origin}; neither the request nor the token was`,
    );
    expect(stdout + stderr).not.toMatch(secretForms);
    expect(code).toBe(8);
    expect(other.requests).toEqual([]);
  });

  it.each([['ghs_'.padEnd(40_000, 'q')], [12_345_678], [null]])(
    'even if its token cannot be one: %#',
    async (token) => {
      const platform = await scriptedPlatform((request) =>
        pathOf(request).endsWith('/installation')
          ? { body: { id: 7 } }
          : { status: 201, body: { token, expires_at: '2026-03-01T13:00:00Z' } },
      );
      const { FORGECTL_TOKEN: _token, ...env } = platform.env;
      for (const line of ['orgs get acme', 'orgs get acme --debug', 'orgs get acme --debug --json']) {
        const { stdout, stderr, code } = await run(line.split(' '), { env: { ...env, ...appEnv } });
        expect(stderr).toMatch(/POST \/app\/installations\/7\/access_tokens returned a token that is /);
        expect(stderr).toContain('Run the command again: a token whose response was lost expires within an hour.');
        expect(stderr).not.toContain('Check the result');
        expect(stdout + stderr).not.toMatch(secretForms);
        expect(stdout + stderr).not.toContain('qqqqqqqq');
        expect(stdout + stderr).not.toContain(Buffer.from(appKey).toString('base64').slice(40, 80));
        expect(code).toBe(8);
      }
    },
  );

  it.each([
    [{ token: [mintedToken] }],
    [{ token: { value: mintedToken } }],
    [mintedToken],
    [{ data: { installation: mintedToken } }],
  ])('even if the response with its token has another shape: %j', async (body) => {
    const platform = await scriptedPlatform((request) =>
      pathOf(request).endsWith('/installation') ? { body: { id: 7 } } : { status: 201, body },
    );
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--debug'], { env: { ...env, ...appEnv } });
    expect(stderr).toMatch(/^app \[2\] < 201 in /m);
    expect(stderr).toContain('\napp [2] < ********\n');
    expect(stdout + stderr).not.toContain(mintedToken);
    expect(code).toBe(8);
  });

  it('even if the platform returns a JWT in a record', async () => {
    const platform = await scriptedPlatform(({ headers }) => ({
      body: { id: 41, description: `sent ${String(headers.authorization).slice('Bearer '.length)}` },
    }));
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    const { stdout } = await run(['api', 'GET', '/app', '--json'], { env: { ...env, ...appEnv } });
    expect(JSON.parse(stdout)).toEqual({ id: 41, description: 'sent ********' });
  });

  it('even if the platform returns it', async () => {
    const echo = ({ headers }: { headers: Readonly<Record<string, unknown>> }) => ({
      status: 401,
      headers: { 'x-echo': String(headers.authorization) },
      body: { message: `Bad ${headers.authorization} ${appKey}` },
    });
    const platform = await scriptedPlatform(echo);
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    for (const line of ['apps get --debug', 'apps get --debug --json', 'orgs get acme --debug']) {
      const { stdout, stderr, code } = await run(line.split(' '), { env: { ...env, ...appEnv } });
      expect(stdout + stderr).not.toMatch(secretForms);
      expect(code).toBe(4);
    }
  });
});
