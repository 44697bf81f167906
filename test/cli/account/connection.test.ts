import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConnectionFlags, resolveConnection } from '../../../src/cli/account/connection.ts';
import { type Keyring, KeyringError } from '../../../src/cli/account/keyring.ts';
import { UsageError } from '../../../src/cli/errors.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'forgectl-connection-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** A keyring that fails the test when it is asked for what it must not be asked for. */
const keyringWith = (entries: Record<string, string>): Keyring => ({
  get: async (account) => entries[account],
  set: () => Promise.reject(new Error('nothing may be stored here')),
  delete: () => Promise.reject(new Error('nothing may be removed here')),
});
const noKeyring = keyringWith({});

const profiles = (active: string, settings: Record<string, unknown>) =>
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ profile: active, profiles: settings }));
const tokens = (kept: Record<string, unknown>) =>
  writeFileSync(join(directory, 'credentials.json'), JSON.stringify(kept), { mode: 0o600 });

const connect = (flags: ConnectionFlags = {}, env: NodeJS.ProcessEnv = {}, keyring: Keyring = noKeyring) =>
  resolveConnection(flags, env, directory, '1.2.3', keyring);

const refusal = async (run: Promise<unknown>): Promise<UsageError> => {
  const error = await run.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof UsageError) return error;
  throw new Error('nothing was refused', { cause: error });
};

/** Two profiles, each with a token of its own in the credentials file. */
const loggedInTwice = () => {
  profiles('a', {
    a: {
      'base-url': 'https://a.example/api/v3',
      token: { storage: 'file', origin: 'https://a.example', kind: 'oauth' },
    },
    b: { 'base-url': 'https://b.example/api/v3', token: { storage: 'file', origin: 'https://b.example' } },
  });
  tokens({
    a: { origin: 'https://a.example', token: 'token-of-a' },
    b: { origin: 'https://b.example', token: 'token-of-b' },
  });
};

describe('the platform', () => {
  test('has defaults if only its base URL is given', async () => {
    expect(await connect({ 'base-url': 'ghe.example.com' })).toEqual({
      platform: {
        baseUrl: 'https://ghe.example.com/api/v3',
        apiVersion: '2022-11-28',
        vendor: 'github',
        alertsSegment: 'dependabot',
        userAgent: 'forgectl/1.2.3',
      },
      profile: undefined,
      credential: undefined,
      tokenKind: undefined,
      timeoutMs: 30_000,
      maxWaitMs: 60_000,
      concurrency: undefined,
      output: undefined,
      caFile: undefined,
      proxy: undefined,
      ignoredTokens: [],
      baseUrlFrom: '--base-url',
      loginCommand: 'forgectl auth login --base-url https://ghe.example.com/api/v3',
      tokenExpiresAt: undefined,
    });
  });

  test('comes from the active profile', async () => {
    profiles('work', {
      other: { 'base-url': 'https://other.example/api/v3' },
      work: {
        'base-url': 'https://work.example/api/v3',
        'api-version': '2026-03-10',
        vendor: 'acme',
        'alerts-segment': 'depalerts',
        output: 'yaml',
        concurrency: 7,
        timeout: '5s',
        'max-wait': '2m',
        'ca-file': '/etc/ssl/work.pem',
        proxy: 'http://proxy.example:3128',
      },
    });
    expect(await connect()).toMatchObject({
      platform: {
        baseUrl: 'https://work.example/api/v3',
        apiVersion: '2026-03-10',
        vendor: 'acme',
        alertsSegment: 'depalerts',
      },
      profile: 'work',
      timeoutMs: 5_000,
      maxWaitMs: 120_000,
      concurrency: 7,
      output: 'yaml',
      caFile: '/etc/ssl/work.pem',
      proxy: 'http://proxy.example:3128',
    });
  });

  test('comes from the environment before the profile', async () => {
    profiles('work', {
      work: {
        'base-url': 'https://work.example/api/v3',
        'api-version': '2026-03-10',
        vendor: 'acme',
        'alerts-segment': 'depalerts',
        proxy: 'http://proxy.example:3128',
      },
    });
    const { platform, proxy } = await connect(
      {},
      {
        FORGECTL_BASE_URL: 'https://env.example/api/v3',
        FORGECTL_API_VERSION: '2025-01-01',
        FORGECTL_VENDOR: 'envhub',
        FORGECTL_ALERTS_SEGMENT: 'envalerts',
        HTTPS_PROXY: 'http://env-proxy.example:3128',
      },
    );
    expect(platform).toMatchObject({
      baseUrl: 'https://env.example/api/v3',
      apiVersion: '2025-01-01',
      vendor: 'envhub',
      alertsSegment: 'envalerts',
    });
    expect(proxy).toBeUndefined();
  });

  test('comes from flags before everything else', async () => {
    profiles('work', {
      work: { 'base-url': 'https://work.example/api/v3', concurrency: 7, timeout: '5s', 'max-wait': '2m' },
    });
    const connection = await connect(
      {
        'base-url': 'https://flag.example/api/v3',
        'api-version': '2024-01-01',
        timeout: 1_000,
        'max-wait': 0,
        concurrency: 2,
      },
      { FORGECTL_BASE_URL: 'https://env.example/api/v3', FORGECTL_API_VERSION: '2025-01-01' },
    );
    expect(connection).toMatchObject({
      platform: { baseUrl: 'https://flag.example/api/v3', apiVersion: '2024-01-01' },
      timeoutMs: 1_000,
      maxWaitMs: 0,
      concurrency: 2,
    });
  });

  test('treats an empty variable as unset', async () => {
    profiles('work', { work: { 'base-url': 'https://work.example/api/v3' } });
    const { platform, credential } = await connect(
      {},
      { FORGECTL_BASE_URL: '', FORGECTL_TOKEN: '', FORGECTL_PROFILE: '', FORGECTL_VENDOR: '' },
    );
    expect(platform).toMatchObject({ baseUrl: 'https://work.example/api/v3', vendor: 'github' });
    expect(credential).toBeUndefined();
  });

  test('is required, and the message names both ways to set it', async () => {
    expect(await refusal(connect({}, { FORGECTL_TOKEN: 'token-of-env' }))).toMatchObject({
      message: 'No platform selected: no base URL is set.',
      advice: 'Log in with “forgectl auth login --base-url URL”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.',
    });
  });

  test.each([
    [{ 'base-url': 'http://ghe.example.com' }, {}, '--base-url: '],
    [{}, { FORGECTL_BASE_URL: 'http://ghe.example.com' }, 'FORGECTL_BASE_URL: '],
    [{ 'base-url': 'a.example', 'api-version': 'x\r\ny' }, {}, '--api-version: api-version must be a date'],
    [{ 'base-url': 'a.example' }, { FORGECTL_VENDOR: 'a b' }, 'FORGECTL_VENDOR: vendor must be lowercase letters'],
    [
      { 'base-url': 'a.example' },
      { FORGECTL_ALERTS_SEGMENT: '../x' },
      'FORGECTL_ALERTS_SEGMENT: alerts-segment must be',
    ],
  ])('is rejected with the source of an invalid value: %j %j', async (flags, env, message) => {
    expect((await refusal(connect(flags, env))).message).toMatch(new RegExp(`^${message}`));
  });
});

describe('the profile', () => {
  test('is selected by --profile, then FORGECTL_PROFILE, then the active one', async () => {
    loggedInTwice();
    expect((await connect()).profile).toBe('a');
    expect((await connect({}, { FORGECTL_PROFILE: 'b' })).profile).toBe('b');
    expect((await connect({ profile: 'a' }, { FORGECTL_PROFILE: 'b' })).profile).toBe('a');
  });

  test.each([
    [{ profile: 'c' }, {}],
    [{}, { FORGECTL_PROFILE: 'c' }],
    [{ profile: 'c', 'base-url': 'https://a.example' }, {}],
  ])('must exist if it is selected: %j %j', async (flags, env) => {
    loggedInTwice();
    expect(await refusal(connect(flags, env))).toMatchObject({
      message: 'Unknown profile c (known: a, b).',
      advice: 'Create it with “forgectl auth login --profile c --base-url URL”.',
    });
  });

  test('is not found under the name of a built-in object member', async () => {
    loggedInTwice();
    expect((await refusal(connect({ profile: '__proto__' }))).message).toBe('Unknown profile __proto__ (known: a, b).');
  });

  test('must exist if the settings mark it as active', async () => {
    profiles('gone', { a: {} });
    expect(await refusal(connect())).toMatchObject({
      message: 'Unknown profile gone (known: a).',
      advice: 'Choose one with “forgectl auth switch PROFILE”.',
    });
  });
});

describe('the token of the environment', () => {
  const env = { FORGECTL_TOKEN: 'ghp_env', FORGECTL_BASE_URL: 'https://env.example/api/v3' };
  const sent = (origin: string) => ({ token: 'ghp_env', origin, source: 'environment', variable: 'FORGECTL_TOKEN' });

  test('is sent to the base URL of the environment', async () => {
    const { credential, tokenKind, ignoredTokens } = await connect({}, env);
    expect(credential).toEqual(sent('https://env.example'));
    expect(tokenKind).toBe('classic');
    expect(ignoredTokens).toEqual([]);
  });

  test('is sent to another path of the same origin', async () => {
    const { credential } = await connect({ 'base-url': 'https://env.example/other' }, env);
    expect(credential).toEqual(sent('https://env.example'));
  });

  test.each([
    ['https://other.example/api/v3', 'https://other.example'],
    ['https://env.example:8443/api/v3', 'https://env.example:8443'],
    ['https://sub.env.example/api/v3', 'https://sub.env.example'],
  ])('is not sent to %s if the environment names another base URL', async (baseUrl, origin) => {
    const { credential, tokenKind, ignoredTokens } = await connect({ 'base-url': baseUrl }, env);
    expect(credential).toBeUndefined();
    expect(tokenKind).toBeUndefined();
    expect(ignoredTokens).toEqual([
      `FORGECTL_TOKEN belongs to https://env.example (from FORGECTL_BASE_URL); not sent to ${origin}.`,
    ]);
  });

  test('is sent to --base-url if the environment names no base URL', async () => {
    const { credential } = await connect({ 'base-url': 'https://flag.example' }, { FORGECTL_TOKEN: 'ghp_env' });
    expect(credential).toEqual(sent('https://flag.example'));
  });

  test('is sent to --base-url and overrides the profile’s token for the same platform, whose storage is not read', async () => {
    profiles('a', {
      a: { 'base-url': 'https://a.example', token: { storage: 'keyring', origin: 'https://a.example' } },
    });
    const hanging: Keyring = { ...noKeyring, get: () => Promise.reject(new Error('asked')) };
    const flags = { 'base-url': 'https://a.example' };
    const { credential, ignoredTokens } = await connect(flags, { FORGECTL_TOKEN: 'ghp_env' }, hanging);
    expect(credential).toEqual(sent('https://a.example'));
    expect(ignoredTokens).toEqual(['Ignored the token of profile a: FORGECTL_TOKEN takes precedence.']);
  });

  test.each([
    [{}, {}],
    [{ profile: 'a' }, {}],
    [{}, { FORGECTL_PROFILE: 'a' }],
  ])('is sent to the platform of a profile without a token: %j %j', async (flags, more) => {
    profiles('a', { a: { 'base-url': 'https://a.example' } });
    const { credential } = await connect(flags, { FORGECTL_TOKEN: 'ghp_env', ...more });
    expect(credential).toEqual(sent('https://a.example'));
  });

  test.each([
    [{}, {}, 'a'],
    [{ profile: 'b' }, {}, 'b'],
    [{}, { FORGECTL_PROFILE: 'b' }, 'b'],
  ])('is not mixed with a profile that has a token: %j %j', async (flags, more, name) => {
    loggedInTwice();
    expect((await refusal(connect(flags, { FORGECTL_TOKEN: 'ghp_env', ...more }))).message).toBe(
      `FORGECTL_TOKEN is set without FORGECTL_BASE_URL, but profile ${name} has its own token: set FORGECTL_BASE_URL or unset FORGECTL_TOKEN.`,
    );
  });

  test('is ignored in favor of the profile’s token if it belongs to another platform', async () => {
    loggedInTwice();
    const { credential, ignoredTokens } = await connect({ 'base-url': 'https://a.example' }, env);
    expect(credential).toEqual({ token: 'token-of-a', origin: 'https://a.example', source: 'file' });
    expect(ignoredTokens).toEqual([
      'FORGECTL_TOKEN belongs to https://env.example (from FORGECTL_BASE_URL); not sent to https://a.example.',
    ]);
  });

  test('with the environment’s base URL is sent there even if a profile is selected', async () => {
    loggedInTwice();
    const { credential, platform } = await connect({ profile: 'b' }, env);
    expect(platform.baseUrl).toBe('https://env.example/api/v3');
    expect(credential).toEqual(sent('https://env.example'));
  });

  test.each([
    ['ghp_x\n', 'FORGECTL_TOKEN contains a space or a line break.'],
    ['ghp_\u0007', 'FORGECTL_TOKEN contains an invalid character.'],
  ])('is rejected without being shown if it is invalid: %j', async (token, message) => {
    const refused = refusal(connect({ 'base-url': 'https://a.example' }, { FORGECTL_TOKEN: token }));
    expect((await refused).message).toBe(message);
  });
});

describe('the token of a profile', () => {
  test('is sent to the platform it was stored for', async () => {
    loggedInTwice();
    const { credential, tokenKind } = await connect();
    expect(credential).toEqual({ token: 'token-of-a', origin: 'https://a.example', source: 'file' });
    expect(tokenKind).toBe('oauth');
  });

  test('of a type known only to a newer version has the type of its prefix', async () => {
    profiles('a', {
      a: { 'base-url': 'https://a.example', token: { storage: 'file', origin: 'https://a.example', kind: 'quantum' } },
    });
    tokens({ a: { origin: 'https://a.example', token: 'ghu_of_a' } });
    expect((await connect()).tokenKind).toBe('app_user');
  });

  test('is sent to the base URL of the environment with the same origin', async () => {
    loggedInTwice();
    const { credential } = await connect({}, { FORGECTL_BASE_URL: 'https://a.example/other' });
    expect(credential?.token).toBe('token-of-a');
  });

  test.each([
    [{ 'base-url': 'https://b.example/api/v3' }, {}, 'https://b.example'],
    [{ 'base-url': 'https://a.example:444/api/v3' }, {}, 'https://a.example:444'],
    [{ 'base-url': 'http://127.0.0.1:80' }, {}, 'http://127.0.0.1'],
    [{}, { FORGECTL_BASE_URL: 'https://b.example/api/v3' }, 'https://b.example'],
  ])('is not sent to another: %j %j', async (flags, env, origin) => {
    loggedInTwice();
    const { credential, tokenKind, profile, ignoredTokens } = await connect(flags, env);
    expect(credential).toBeUndefined();
    expect(tokenKind).toBeUndefined();
    expect(profile).toBe('a');
    expect(ignoredTokens).toEqual([`The token of profile a belongs to https://a.example; not sent to ${origin}.`]);
  });

  test('is not sent if the base URL in the settings file was edited', async () => {
    profiles('a', {
      a: { 'base-url': 'https://evil.example', token: { storage: 'file', origin: 'https://a.example' } },
    });
    tokens({ a: { origin: 'https://a.example', token: 'token-of-a' } });
    expect((await connect()).credential).toBeUndefined();
  });

  test('is not sent if its origin in the settings file was edited too', async () => {
    const evil = (storage: string) =>
      profiles('a', { a: { 'base-url': 'https://evil.example', token: { storage, origin: 'https://evil.example' } } });
    tokens({ a: { origin: 'https://a.example', token: 'token-of-a' } });
    evil('file');
    expect((await connect()).credential).toBeUndefined();
    evil('keyring');
    expect((await connect({}, {}, keyringWith({ 'a https://a.example': 'token-of-a' }))).credential).toBeUndefined();
  });

  test('is found in the keyring by profile and origin', async () => {
    profiles('a', {
      a: { 'base-url': 'https://a.example', token: { storage: 'keyring', origin: 'https://a.example' } },
    });
    const { credential, tokenKind } = await connect({}, {}, keyringWith({ 'a https://a.example': 'ghs_ring' }));
    expect(credential).toEqual({ token: 'ghs_ring', origin: 'https://a.example', source: 'keyring' });
    expect(tokenKind).toBe('installation');
  });

  test.each([
    ['keyring', 'the system keyring'],
    ['file', 'the credentials file'],
  ])('that is missing from the %s causes an error', async (storage, place) => {
    profiles('a', { a: { 'base-url': 'https://a.example', token: { storage, origin: 'https://a.example' } } });
    const { credential, ignoredTokens } = await connect();
    expect(credential).toBeUndefined();
    expect(ignoredTokens).toEqual([`The token of profile a is no longer in ${place}.`]);
  });

  test('that the keyring returns is checked, and not quoted', async () => {
    profiles('a', {
      a: { 'base-url': 'https://a.example', token: { storage: 'keyring', origin: 'https://a.example' } },
    });
    expect(await refusal(connect({}, {}, keyringWith({ 'a https://a.example': 'q'.repeat(8_193) })))).toMatchObject({
      message: 'The token of profile a in the system keyring is longer than 8,192 characters.',
      advice: 'Log in again: forgectl auth login --profile a',
    });
  });

  test('that the keyring does not return ends the command with advice', async () => {
    profiles('a', {
      a: { 'base-url': 'https://a.example', token: { storage: 'keyring', origin: 'https://a.example' } },
    });
    const locked: Keyring = { ...noKeyring, get: () => Promise.reject(new KeyringError('it is locked')) };
    expect(await refusal(connect({}, {}, locked))).toMatchObject({
      message: 'Cannot read the token of profile a from the system keyring: it is locked.',
      advice: 'Unlock the keyring and try again, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.',
    });
  });

  test('in a credentials file that is not JSON is not included in the message', async () => {
    profiles('a', { a: { 'base-url': 'https://a.example', token: { storage: 'file', origin: 'https://a.example' } } });
    writeFileSync(join(directory, 'credentials.json'), '{"a": ghp_secret}');
    const { message } = await refusal(connect());
    expect(message).toBe(`${directory}/credentials.json is not valid JSON (line 1).`);
  });
});

test('resolving a connection writes nothing', async () => {
  loggedInTwice();
  const before = readFileSync(join(directory, 'config.json'), 'utf8');
  await connect({ profile: 'b' });
  expect(readFileSync(join(directory, 'config.json'), 'utf8')).toBe(before);
});
