/** Tokens of an app, from the embedded platform: created, renewed and tried again, on a clock that only the test moves. */
import { createSign } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppJwt } from '../../src/client/app-jwt.ts';
import { Client } from '../../src/client/client.ts';
import type { RequestSummary } from '../../src/client/errors.ts';
import { AppLoginError, AuthenticationError, InvalidResponseError, PermissionError } from '../../src/client/errors.ts';
import { InstallationTokens, type InstallationTokensOptions } from '../../src/client/installation-tokens.ts';
import { getOrganization, updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { createOrganizationRepository, getRepository } from '../../src/platform/endpoints/repos.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { appKey, readJwt } from '../support/app.ts';
import { platformAt, rejection, testTransport } from '../support/client.ts';
import { scriptedPlatform } from '../support/platform.ts';

const start = Date.UTC(2026, 2, 1, 12);

interface Setting extends SandboxOptions, Partial<Pick<InstallationTokensOptions, 'installation' | 'narrowing'>> {
  /** How far the platform's clock is ahead, in milliseconds. */
  readonly skew?: number;
  readonly key?: string;
  readonly appId?: string;
  readonly maxWaitMs?: number;
}

/** A client of an app, and the requests that it sent for tokens. */
async function appClient({
  skew = 0,
  key,
  appId = '41',
  installation,
  narrowing,
  maxWaitMs,
  ...options
}: Setting = {}) {
  let now = start;
  const waits: number[] = [];
  const clock = {
    now: () => now,
    random: () => 1,
    wait: async ({ ms }: { readonly ms: number }) => {
      waits.push(ms);
      now += ms;
    },
    ...(maxWaitMs !== undefined && { maxWaitMs }),
  };
  const sandbox = await startSandbox({ clock: () => new Date(now + skew), ...options });
  onTestFinished(() => sandbox.close());
  const { origin } = new URL(sandbox.baseUrl);
  const platform = platformAt(sandbox.baseUrl);
  const pem = key ?? sandbox.app.privateKey();
  const sign = async (input: string) => createSign('RSA-SHA256').update(input).sign(pem, 'base64url');
  const jwt = new AppJwt({ appId, origin, sign, now: clock.now });
  const minted: string[] = [];
  const own = testTransport(clock);
  const tokens = new InstallationTokens({
    jwt,
    client: new Client({ platform, credential: jwt, transport: own }),
    installation,
    narrowing,
    now: clock.now,
    onToken: (token) => minted.push(token),
  });
  const client = new Client({ platform, credential: tokens, transport: testTransport(clock) });
  const advance = (ms: number) => {
    now += ms;
  };
  return { client, tokens, jwt, minted, waits, advance, sandbox };
}

const refusalAt = (time: number) => ({
  status: 401,
  url: 'https://ghe.example.com/api/v3/app',
  headers: { date: new Date(time).toUTCString() },
  body: Buffer.alloc(0),
});

const site = { path: { owner: 'acme', repo: 'site' } };
const asked = (path: string): RequestSummary => ({ method: 'GET', path });

it('finds the installation on an organization whose login has only digits', async () => {
  const token = ['ghs', 'x'.repeat(36)].join('_');
  const { baseUrl, requests } = await scriptedPlatform({
    'GET /orgs/2600/installation': { body: { id: 7 } },
    'POST /app/installations/7/access_tokens': { status: 201, body: { token, expires_at: '2026-03-01T13:00:00Z' } },
    'GET /orgs/2600': { body: { login: '2600' } },
  });
  const clock = { now: () => start };
  const sign = async (input: string) => createSign('RSA-SHA256').update(input).sign(appKey, 'base64url');
  const jwt = new AppJwt({ appId: '41', origin: new URL(baseUrl).origin, sign, ...clock });
  const platform = platformAt(baseUrl);
  const asApp = new Client({ platform, credential: jwt, transport: testTransport() });
  const credential = new InstallationTokens({ jwt, client: asApp, ...clock });
  const client = new Client({ platform, credential, transport: testTransport() });
  expect(await client.call(getOrganization, { path: { org: '2600' } })).toEqual({ login: '2600' });
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /api/v3/orgs/2600/installation',
    'POST /api/v3/app/installations/7/access_tokens',
    'GET /api/v3/orgs/2600',
  ]);
});

describe('a token of an installation', () => {
  it('is used for all requests of an hour, and renewed five minutes before it expires', async () => {
    const { client, minted, advance } = await appClient({ installation: 'acme' });
    await client.call(getRepository, site);
    advance(54 * 60_000);
    await client.call(getRepository, site);
    expect(minted).toHaveLength(1);
    advance(60_000);
    await client.call(getRepository, site);
    expect(minted).toHaveLength(2);
  });

  it('is renewed in the last tenth of a short lifetime', async () => {
    const { client, minted, advance } = await appClient({ installation: '5000', tokenLifetime: 100_000 });
    await client.call(getRepository, site);
    advance(89_000);
    await client.call(getRepository, site);
    expect(minted).toHaveLength(1);
    advance(1_000);
    await client.call(getRepository, site);
    expect(minted).toHaveLength(2);
  });

  it('expires by the platform’s clock, even if that is set forward between two tokens', async () => {
    let time = start;
    const { tokens, advance } = await appClient({ installation: 'acme', clock: () => new Date(time) });
    await tokens.current(asked('/repos/acme/site'));
    time += 3_600_000 + 540_000;
    advance(3_600_000);
    const { expiresAt } = await tokens.current(asked('/repos/acme/site'));
    expect(expiresAt).toBeLessThanOrEqual(start + 2 * 3_600_000);
  });

  it('is created once for hundreds of concurrent requests', async () => {
    const { client, minted, advance } = await appClient({ installation: 'acme' });
    const all = () => Promise.all(Array.from({ length: 300 }, () => client.call(getRepository, site)));
    await all();
    advance(3_600_000);
    await all();
    expect(minted).toHaveLength(2);
  });

  it('with a lifetime of two seconds serves 500 writes, with one renewal per lifetime', async () => {
    const { client, minted, advance } = await appClient({ installation: 'acme', tokenLifetime: 2_000 });
    for (let write = 0; write < 500; write++) {
      await client.call(updateOrganization, { path: { org: 'acme' }, body: { location: `Room ${write}` } });
      advance(1_100);
    }
    // 550 seconds, in lifetimes of two seconds or a little more.
    expect(minted.length).toBeLessThanOrEqual(275);
  });

  it('is sent only to the origin of the app', async () => {
    const { tokens, client, sandbox } = await appClient({ installation: 'acme' });
    expect(tokens.origin).toBe(new URL(sandbox.baseUrl).origin);
    const elsewhere = new Client({
      platform: platformAt('http://127.0.0.1:9/api/v3'),
      credential: client.credential,
      transport: testTransport({ maxWaitMs: 0 }),
    });
    const error = await rejection(elsewhere.call(getRepository, site));
    expect(error.message).toContain('127.0.0.1:9');
  });
});

describe('a 401', () => {
  it('in the first seconds of a token is retried, for writes, too', async () => {
    const { client, minted, waits } = await appClient({ installation: 'acme', faults: { 'fresh-token': 1 } });
    await client.call(createOrganizationRepository, { path: { org: 'acme' }, body: { name: 'new' } });
    expect(waits).toEqual([1000]);
    expect(minted).toHaveLength(1);
  });

  it('renews a token that the platform has revoked, once', async () => {
    const { client, minted, advance, sandbox } = await appClient({ installation: 'acme' });
    await client.call(getRepository, site);
    advance(60_000);
    await fetch(`${sandbox.baseUrl}/installation/token`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${minted[0]}` },
    });
    await Promise.all([1, 2, 3].map(() => client.call(getRepository, site)));
    expect(minted).toHaveLength(2);
  });

  it('that persists is an error after five seconds', async () => {
    const { client, minted, waits } = await appClient({ installation: 'acme' });
    const { credential } = client;
    if (!credential || !('authorize' in credential)) throw new Error('no source');
    const authorization = credential.authorize(asked('/repos/acme/site'));
    const refusal = { url: '', status: 401, headers: {}, body: Buffer.alloc(0) };
    await authorization.token();
    expect(Array.from({ length: 7 }, () => authorization.retryAfter(refusal))).toEqual([
      1000,
      1000,
      1000,
      1000,
      1000,
      undefined,
      undefined,
    ]);
    expect(minted).toHaveLength(1);
    expect(waits).toEqual([]);
  });

  it.each([
    ['renews a token that expired while its request waited, up to three times', 3000, [0, 0, 0, undefined], 4],
    ['renews a token that is rejected in its lifetime once', 60_000, [0, undefined, undefined, undefined], 2],
  ])('%s', async (_what, tokenLifetime, waits, tokens) => {
    const { client, minted, advance } = await appClient({ installation: 'acme', tokenLifetime });
    const { credential } = client;
    if (!credential || !('authorize' in credential)) throw new Error('no source');
    const authorization = credential.authorize(asked('/repos/acme/site'));
    const after: (number | undefined)[] = [];
    for (const _ of waits) {
      await authorization.token();
      advance(6000);
      after.push(authorization.retryAfter({ url: '', status: 401, headers: {}, body: Buffer.alloc(0) }));
    }
    expect(after).toEqual(waits);
    expect(minted).toHaveLength(tokens);
  });
});

describe('the JWT of an app', () => {
  it('was issued a minute ago and is valid for ten minutes', async () => {
    const { jwt, advance } = await appClient();
    const first = await jwt.authorize(asked('/app')).token();
    expect(readJwt(first)).toEqual({
      header: { alg: 'RS256', typ: 'JWT' },
      claims: { iat: start / 1000 - 60, exp: start / 1000 + 540, iss: '41' },
    });
    advance(479_000);
    expect(await jwt.authorize(asked('/app')).token()).toBe(first);
    advance(2_000);
    expect(await jwt.authorize(asked('/app')).token()).not.toBe(first);
  });

  it.each([-600_000, -540_000, 540_000, 599_000])(
    'follows the platform’s clock, which is %d ms ahead',
    async (skew) => {
      const { client, minted, advance } = await appClient({ skew, installation: 'acme', tokenLifetime: 60_000 });
      await client.call(getRepository, site);
      advance(50_000);
      await client.call(getRepository, site);
      expect(minted).toHaveLength(1);
    },
  );

  it.each([
    [4000, undefined],
    [-4000, undefined],
    [6000, 0],
    [-6000, 0],
    [600_000, 0],
    [-600_000, 0],
  ])('is corrected after a 401 with a clock that is %d ms ahead: %j', async (skew, wait) => {
    const { jwt } = await appClient();
    expect(jwt.authorize(asked('/app')).retryAfter(refusalAt(start + skew))).toBe(wait);
  });

  it.each([
    [start + 601_000, '2026-03-01T12:10:01Z'],
    [start - 601_000, '2026-03-01T11:49:59Z'],
    [Date.UTC(2030, 0, 1), '2030-01-01T00:00:00Z'],
    [0, '1970-01-01T00:00:00Z'],
  ])('is not dated by a clock that is more than ten minutes off: %d', async (time, text) => {
    const { jwt } = await appClient();
    const authorization = jwt.authorize(asked('/app'));
    const first = await authorization.token();
    expect(() => authorization.retryAfter(refusalAt(time))).toThrow(
      new AppLoginError(
        asked('/app'),
        'clock',
        `The clocks differ by more than 10 minutes: this machine has 2026-03-01T12:00:00Z, the platform ${text}.`,
      ),
    );
    expect(await jwt.authorize(asked('/app')).token()).toBe(first);
  });

  it('is corrected by ten minutes at most, however often the platform’s clock moves on', async () => {
    const { jwt } = await appClient();
    expect(jwt.authorize(asked('/app')).retryAfter(refusalAt(start + 590_000))).toBe(0);
    const { claims } = readJwt(await jwt.authorize(asked('/app')).token());
    expect(claims).toEqual({ iat: start / 1000 + 530, exp: start / 1000 + 1130, iss: '41' });
    expect(() => jwt.authorize(asked('/app')).retryAfter(refusalAt(start + 1_180_000))).toThrow(AppLoginError);
  });

  it('is corrected once for each request, however the clock of the platform moves', async () => {
    const { jwt } = await appClient();
    const authorization = jwt.authorize(asked('/app'));
    const waits = [1, 2].map((minutes) => authorization.retryAfter(refusalAt(start + minutes * 60_000)));
    expect(waits).toEqual([0, undefined]);
  });

  it('is sent for requests that only the app itself may make', async () => {
    const { client, minted } = await appClient();
    expect((await client.request({ method: 'GET', path: '/app' })).data).toMatchObject({ slug: 'sandbox-app' });
    expect((await client.request({ method: 'GET', path: '/orgs/acme/installation' })).data).toMatchObject({ id: 5000 });
    expect(minted).toEqual([]);
  });
});

describe('the installation', () => {
  it('is that of the organization in the request', async () => {
    const { client, minted } = await appClient({ orgs: 4 });
    await client.call(getRepository, site);
    await client.call(getRepository, { path: { owner: 'ACME', repo: 'site' } });
    await client.call(updateOrganization, { path: { org: 'umbrella' }, body: { location: 'Oslo' } });
    await client.call(updateOrganization, { path: { org: 'acme' }, body: { location: 'Oslo' } });
    expect(minted).toHaveLength(2);
  });

  it('is the only one for a request without an organization', async () => {
    const { tokens } = await appClient({ orgs: 1 });
    expect(await tokens.current(asked('/rate_limit'))).toMatchObject({ installationId: 5000 });
  });

  it('must be selected for a request without an organization, if there are several', async () => {
    const { tokens } = await appClient();
    const error = await rejection(tokens.current(asked('/rate_limit')));
    expect(error).toBeInstanceOf(AppLoginError);
    expect(error.message).toBe('App 41 has several installations; GET /rate_limit requires one of them.');
  });

  it.each([
    ['initech', 'App 41 is not installed on initech.'],
    ['77', 'App 41 has no installation 77.'],
  ])('%s is missing', async (installation, message) => {
    const error = await rejection((await appClient({ installation })).client.call(getRepository, site));
    expect(error).toBeInstanceOf(AppLoginError);
    expect(error.message).toBe(message);
  });

  it('is suspended', async () => {
    const { client, waits } = await appClient({ installation: 'globex' });
    const error = await rejection(client.call(getRepository, site));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error.message).toBe('This installation has been suspended');
    expect(waits).toEqual([]);
  });
});

it('reports a key that belongs to another app, and an app that does not exist', async () => {
  const other = await appClient({ key: appKey, installation: '5000' });
  const error = await rejection(other.client.call(getRepository, site));
  expect(error).toBeInstanceOf(AppLoginError);
  expect(error.message).toBe('The platform rejected the private key of app 41: A JSON web token could not be decoded.');
  const unknown = await appClient({ appId: '42', installation: '5000' });
  expect((await rejection(unknown.client.call(getRepository, site))).message).toBe(
    'The platform has no app with the ID 42.',
  );
  await expect(other.client.request({ method: 'GET', path: '/app' })).rejects.toBeInstanceOf(AuthenticationError);
});

describe('a narrowed token', () => {
  it('has the requested permissions and repositories', async () => {
    const narrowing = { permissions: { contents: 'read', administration: 'write' }, repositories: ['site'] };
    const { tokens, client } = await appClient({ installation: 'acme', narrowing });
    expect(await tokens.current(asked('/'))).toMatchObject({
      permissions: { metadata: 'read', contents: 'read', administration: 'write' },
      repository_selection: 'selected',
      repositories: [{ full_name: 'acme/site' }],
    });
    expect((await client.call(getRepository, site)).full_name).toBe('acme/site');
    await expect(
      client.call(updateOrganization, { path: { org: 'acme' }, body: { location: 'Oslo' } }),
    ).rejects.toBeInstanceOf(PermissionError);
  });

  it('is rejected if the installation has less', async () => {
    for (const narrowing of [{ permissions: { secrets: 'write' } }, { repositories: ['no-such'] }]) {
      const { client } = await appClient({ installation: 'acme', narrowing });
      expect(await rejection(client.call(getRepository, site))).toBeInstanceOf(PermissionError);
    }
  });
});

it('has the retry limit for each renewal, so that a long run survives many faults', async () => {
  const { client, minted, waits, advance } = await appClient({
    installation: '5000',
    tokenLifetime: 10_000,
    faults: { 500: 0.2 },
    maxWaitMs: 4_000,
  });
  for (let read = 0; read < 60; read++) {
    await client.forTask().call(getRepository, site);
    advance(10_000);
  }
  expect(minted.length).toBeGreaterThanOrEqual(60);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(10_000);
});

describe('the token in a response', () => {
  /** A platform that answers the request for a token with this record. */
  async function minting(record: object) {
    const platform = await scriptedPlatform({
      'POST /app/installations/7/access_tokens': { status: 201, body: record },
      'GET /repos/acme/site': { body: { full_name: 'acme/site' } },
    });
    const { origin } = new URL(platform.baseUrl);
    const jwt = new AppJwt({ appId: '41', origin, sign: async () => 'c2lnbmVk', now: () => start });
    const own = new Client({ platform: platformAt(platform.baseUrl), credential: jwt, transport: testTransport({}) });
    const tokens = new InstallationTokens({ jwt, client: own, installation: '7', now: () => start });
    const client = new Client({ platform: own.platform, credential: tokens, transport: testTransport({}) });
    return { client, tokens, platform };
  }
  const expires_at = '2026-03-01T13:00:00Z';

  it.each<[unknown, string]>([
    ['x'.repeat(40_000), 'a token that is longer than 8,192 characters'],
    [12_345_678, 'a token that is not text'],
    [undefined, 'a token that is not text'],
    [null, 'a token that is not text'],
    [{ toString: 'ghs' }, 'a token that is not text'],
    ['', 'a token that is empty'],
    ['ghs_a b', 'a token that contains a space or a line break'],
    ['ghs_a\r\nX-Evil: 1', 'a token that contains a space or a line break'],
    ['ghs_ä', 'a token that contains an invalid character'],
  ])('is never used or quoted if it cannot be a token: %#', async (token, problem) => {
    const { client, platform } = await minting({ token, expires_at });
    const error = await rejection(client.call(getRepository, site));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`POST /app/installations/7/access_tokens returned ${problem}.`);
    expect(platform.requests).toHaveLength(1);
  });

  it.each([undefined, null, 'all', 7])('identifies no tokens if its permissions are %j', async (permissions) => {
    const { tokens } = await minting({ token: `ghs_${'a'.repeat(36)}`, expires_at, permissions });
    expect(await tokens.identify(asked('/repos/acme/site'))).toBeUndefined();
  });

  it.each([undefined, null, 'tomorrow', {}])('must say when it expires, and %j does not', async (expires) => {
    const { client, platform } = await minting({ token: 'ghs_a', expires_at: expires });
    await expect(client.call(getRepository, site)).rejects.toThrow('returned a token without the time it expires.');
    expect(platform.requests).toHaveLength(1);
  });

  it.each(['x', 'x'.repeat(8_192)])('may have 1 to 8,192 characters', async (token) => {
    const { client, platform } = await minting({ token, expires_at });
    await client.call(getRepository, site);
    expect(platform.requests[1]?.headers.authorization).toBe(`Bearer ${token}`);
  });
});

it('retries token creation after a fault, within the retry limit', async () => {
  const { client, minted, waits } = await appClient({ installation: '5000', faults: { 500: 0.4 } });
  for (let read = 0; read < 20; read++) await client.call(getRepository, site);
  expect(minted).toHaveLength(1);
  expect(waits.length).toBeGreaterThan(0);
  const { client: hopeless } = await appClient({ installation: '5000', faults: { 503: 1 }, maxWaitMs: 5_000 });
  await expect(hopeless.call(getRepository, site)).rejects.toThrow('Service unavailable');
});
