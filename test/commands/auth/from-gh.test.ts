/** `auth login --from-gh`: what gh is asked, what it gets, and what is stored. */
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ghHost } from '../../../src/topics/login/gh.ts';
import { missingScopes } from '../../../src/topics/permissions/missing-scopes.ts';
import { ring } from '../../support/memory-keyring.ts';
import { classicToken, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

vi.mock('../../../src/cli/account/keyring.ts', () => import('../../support/memory-keyring.ts'));

const token = ['gho', 'x'.repeat(36)].join('_');

let parent: string;
let bin: string;
let configDir: string;

beforeEach(async () => {
  ring.entries.clear();
  ring.answers = true;
  parent = await temporaryDirectory();
  [bin, configDir] = [join(parent, 'bin'), join(parent, 'settings')];
  mkdirSync(bin, { mode: 0o755 });
  fakeGh(`env > '${parent}/env'\necho "$@" > '${parent}/words'\necho ${token}\n`);
});

function fakeGh(script: string): void {
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\n${script}`);
  chmodSync(join(bin, 'gh'), 0o755);
}

const platform = (scopes = 'gist, read:org, repo') =>
  scriptedPlatform({
    'GET /user': { body: { login: 'ada', id: 1 }, headers: { 'x-oauth-scopes': scopes } },
    'GET /meta': { body: { installed_version: '3.19.2' } },
  });

async function login(baseUrl: string, words: readonly string[], options: RunOptions = {}) {
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: parent, ...options.env };
  const { stdout, stderr, code } = await run(['auth', 'login', '--base-url', baseUrl, '--from-gh', ...words], {
    ...{ configDir, ...options, env },
  });
  expect(stdout + stderr).not.toContain(token);
  return { stdout, stderr: stderr.replaceAll(parent, 'PARENT'), code };
}

/** Whether neither a token nor a profile was stored. */
const isNothingStored = () => ring.entries.size === 0 && !existsSync(join(configDir, 'config.json'));

it('checks the token that gh has for the host, stores it, and lists the scopes that it lacks', async () => {
  const { baseUrl, requests } = await platform();
  const { host, origin } = new URL(baseUrl);
  const given = { GH_TOKEN: classicToken, GH_HOST: 'github.com', FORGECTL_TOKEN_FILE: '/x', GH_CONFIG_DIR: '/etc/gh' };
  const { stdout, stderr, code } = await login(baseUrl, ['--yes', '--json'], { env: given });
  expect(code).toBe(0);
  const record = JSON.parse(stdout);
  expect(record).toMatchObject({ login: 'ada', token_kind: 'oauth', storage: 'keyring' });
  expect(record.missing_scopes).toEqual(expect.arrayContaining(['admin:org', 'delete_repo']));
  expect(record.missing_scopes).not.toContain('repo');
  expect(stderr).toContain(
    `To add scopes: gh auth refresh --hostname ${host} --scopes ${record.missing_scopes.join(',')}, then log in again.\n`,
  );
  expect([...ring.entries]).toEqual([[`default ${origin}`, token]]);
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
  expect(readFileSync(join(parent, 'words'), 'utf8')).toBe(`auth token --hostname ${host}\n`);
  const passed = readFileSync(join(parent, 'env'), 'utf8');
  expect(passed).toContain('GH_CONFIG_DIR=/etc/gh\n');
  expect(passed).not.toMatch(/^(?:GH_TOKEN|GH_HOST|FORGECTL_\w+)=/m);
});

it('does not wait for a process that gh leaves behind', async () => {
  const pid = join(parent, 'pid');
  fakeGh(`sleep 100 &\necho $! > '${pid}'\necho ${token}\n`);
  onTestFinished(() => void process.kill(Number(readFileSync(pid, 'utf8'))));
  const { baseUrl } = await platform();
  expect(await login(baseUrl, ['--yes'])).toMatchObject({ code: 0 });
  expect([...ring.entries]).toHaveLength(1);
});

it('asks first, and needs --yes without a terminal', async () => {
  const { baseUrl, requests } = await platform();
  expect(await login(baseUrl, [])).toMatchObject({
    code: 2,
    stderr: 'forgectl: --yes is required with --from-gh: prompts are disabled. Nothing was sent.\n',
  });
  const denied = await login(baseUrl, [], { person: [['Take over the token of gh', 'n\r']] });
  expect(denied).toMatchObject({ code: 2, stderr: expect.stringContaining('Nothing was stored.') });
  expect({ requests, isNothingStored: isNothingStored() }).toEqual({ requests: [], isNothingStored: true });
  expect(existsSync(join(parent, 'words'))).toBe(false);
  const taken = await login(baseUrl, [], { person: [['Take over the token of gh', 'y\r']] });
  expect(taken.code).toBe(0);
  expect(ring.entries.size).toBe(1);
});

it.each<readonly [string, string, () => void]>([
  [
    'gh has no login for the host',
    'gh auth token failed (1): no oauth token found for HOST. Nothing was stored.\nLog in with gh first: gh auth login --hostname HOST\n',
    () => fakeGh('echo "no oauth token found for $4" >&2\nexit 1\n'),
  ],
  [
    'gh fails, and names the token',
    'gh auth token failed (4): the token ******** (********) is invalid. Nothing was stored.\nLog in with gh first: gh auth login --hostname HOST\n',
    () => fakeGh(`echo "the token ${token} (${'7'.repeat(40)}) is invalid" >&2\nexit 4\n`),
  ],
  [
    'gh is ended by a signal',
    'gh auth token failed (SIGKILL). Nothing was stored.\nLog in with gh first: gh auth login --hostname HOST\n',
    () => fakeGh('kill -KILL $$\n'),
  ],
  [
    'gh prints without end',
    'gh auth token printed more than 64 KiB. Nothing was stored.\nLog in with gh first: gh auth login --hostname HOST\n',
    () => fakeGh('exec /usr/bin/yes\n'),
  ],
  [
    'gh asks something',
    'gh auth token failed (3). Nothing was stored.\nLog in with gh first: gh auth login --hostname HOST\n',
    () => fakeGh('read answer\nexit 3\n'),
  ],
  [
    'gh prints something else',
    'The token of gh for HOST contains a space or a line break. Nothing was stored.\n',
    () => fakeGh(`echo ${token}; echo ${token}\n`),
  ],
  [
    'others could have placed gh',
    'gh was not run: PARENT/bin/gh is in PARENT/bin, which others can write to. Nothing was stored.\nIf you trust it: gh auth token --hostname HOST | forgectl auth login --base-url http://HOST/api/v3 --with-token\n',
    () => chmodSync(bin, 0o777),
  ],
])('stores nothing if %s', async (_, message, prepare) => {
  const { baseUrl, requests } = await platform();
  const { host } = new URL(baseUrl);
  prepare();
  const { code, stderr } = await login(baseUrl, ['--yes'], { env: { PATH: bin } });
  expect({ code, stderr: stderr.replaceAll(host, 'HOST') }).toEqual({ code: 2, stderr: `forgectl: ${message}` });
  expect({ requests, isNothingStored: isNothingStored() }).toEqual({ requests: [], isNothingStored: true });
});

it('stores nothing if the platform rejects the token, or another source of it is given', async () => {
  const { baseUrl } = await scriptedPlatform({ 'GET /user': { status: 401, body: { message: 'Bad credentials' } } });
  expect(await login(baseUrl, ['--yes'])).toMatchObject({ code: 4 });
  expect(await login(baseUrl, ['--yes', '--with-token'])).toMatchObject({
    code: 2,
    stderr: 'forgectl: --from-gh cannot be used with --with-token. Nothing was sent.\n',
  });
  expect(isNothingStored()).toBe(true);
});

it.each([
  ['https://ghe.example.com/api/v3', 'ghe.example.com'],
  ['https://ghe.example.com:8443/api/v3', 'ghe.example.com:8443'],
  ['https://api.github.com', 'github.com'],
  ['https://api.acme.ghe.com', 'acme.ghe.com'],
])('asks for %s by the name %s', (baseUrl, host) => expect(ghHost(baseUrl)).toBe(host));

it('lists no scope that a held or another listed one includes', () => {
  const commands = [{ requests: ['GET /orgs/{org}/private-registries', 'GET /user/orgs'] }] as unknown as Parameters<
    typeof missingScopes
  >[0];
  expect(missingScopes(commands, [])).toEqual(['admin:org']);
  expect(missingScopes(commands, ['admin:org'])).toEqual([]);
});
