/** Tokens that end, and tokens that are to be forgotten. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { expiryNotice } from '../../src/cli/account/expiry.ts';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const noon = new Date('2026-03-01T12:00:00Z');

describe('a token that expires', () => {
  const replace = 'Replace it with “forgectl auth login --profile work”.';

  it.each([
    ['2026-03-08T12:00:00Z', `The token of profile work expires in 7 days, on 2026-03-08. ${replace}`],
    ['2026-03-02T13:00:00Z', `The token of profile work expires in 1 day, on 2026-03-02. ${replace}`],
    ['2026-03-01T13:00:00Z', `The token of profile work expires within a day, on 2026-03-01. ${replace}`],
    ['2026-03-01T11:59:59Z', `The token of profile work expired on 2026-03-01. ${replace}`],
    ['2026-03-08T12:00:01Z', undefined],
    ['whenever', undefined],
    [undefined, undefined],
  ])('%s is reported in the last week: %s', (tokenExpiresAt, notice) => {
    expect(expiryNotice({ profile: 'work', tokenExpiresAt }, noon)).toBe(notice);
  });

  it('is reported once, on stderr, when it is used, and not for a token of the environment', async () => {
    const platform = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const { origin } = new URL(platform.baseUrl);
    const configDir = await temporaryDirectory();
    const token = { storage: 'file', origin, 'expires-at': '2026-03-04T12:00:00.000Z' };
    writeProfiles(configDir, {
      active: 'work',
      profiles: { work: { 'base-url': platform.baseUrl, token } },
      tokens: { work: { origin, token: classicToken } },
    });
    const stored = await run(['orgs', 'get', 'acme', '--json'], { configDir });
    expect(stored).toEqual({
      stdout: '{\n  "login": "acme"\n}\n',
      stderr: `The token of profile work expires in 3 days, on 2026-03-04. ${replace}\n`,
      code: 0,
    });
    const given = await run(['orgs', 'get', 'acme'], {
      configDir,
      env: { FORGECTL_BASE_URL: platform.baseUrl, FORGECTL_TOKEN: 'another-token-0123' },
    });
    expect(given.stderr).toBe('');
  });
});

describe('a profile without a token', () => {
  const login = (baseUrl: string) => `Log in with “forgectl auth login --profile work --base-url ${baseUrl}”`;
  const remedies = ', or set FORGECTL_BASE_URL and FORGECTL_TOKEN. To send no token, add --anonymous.';

  /** The active profile `work`, whose token is neither in a keyring nor in a file. */
  async function profile(baseUrl: string, token: object = {}) {
    const configDir = await temporaryDirectory();
    writeProfiles(configDir, { active: 'work', profiles: { work: { 'base-url': baseUrl, ...token } } });
    return configDir;
  }

  it.each([
    ['orgs', 'list'],
    ['repos', 'list', 'acme', '--type', 'private'],
    ['orgs', 'get', 'acme'],
    ['orgs', 'update', 'acme', '--location', 'Oslo', '--dry-run'],
    ['api', 'GET', '/orgs/acme'],
  ])('sends nothing, and shows how to log in: %s %s %s %s', async (...words) => {
    const { baseUrl, requests } = await scriptedPlatform(() => ({ body: [] }));
    expect(await run(words, { configDir: await profile(baseUrl) })).toEqual({
      stdout: '',
      stderr: `forgectl: No token for ${baseUrl}.\n${login(baseUrl)}${remedies}\n`,
      code: 4,
    });
    expect(requests).toEqual([]);
  });

  it('reports where the token was stored', async () => {
    const { baseUrl } = await scriptedPlatform(() => ({ body: [] }));
    const { origin } = new URL(baseUrl);
    const configDir = await profile(baseUrl, { token: { storage: 'file', origin } });
    const { stderr, code } = await run(['orgs', 'list', '--json'], { configDir });
    expect(code).toBe(4);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'not_authenticated',
        message: `No token for ${baseUrl}. The token of profile work is no longer in the credentials file.`,
        advice: `${login(baseUrl)}${remedies}`,
      },
    });
  });

  it('does not suggest a login to another platform', async () => {
    const { baseUrl, requests } = await scriptedPlatform(() => ({ body: [] }));
    const token = { storage: 'file', origin: 'https://a.example' };
    const configDir = await profile('https://a.example/api/v3', { token });
    expect(await run(['orgs', 'list', '--base-url', baseUrl], { configDir })).toEqual({
      stdout: '',
      stderr: [
        `forgectl: No token for ${baseUrl}. The token of profile work belongs to https://a.example; not sent to ${new URL(baseUrl).origin}.`,
        `Log in with “forgectl auth login --base-url ${baseUrl}”${remedies}`,
        '',
      ].join('\n'),
      code: 4,
    });
    expect(requests).toEqual([]);
  });

  it('can read public data with --anonymous', async () => {
    const { baseUrl, requests } = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const configDir = await profile(baseUrl);
    const words = ['orgs', 'get', 'acme', '--anonymous', '--jq', '.login'];
    expect(await run(words, { configDir })).toEqual({ stdout: 'acme\n', stderr: '', code: 0 });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

describe('--anonymous', () => {
  it('sends no token from any source', async () => {
    const { baseUrl, env, requests } = await scriptedPlatform(() => ({ body: { login: 'acme' } }));
    const configDir = await temporaryDirectory();
    const { origin } = new URL(baseUrl);
    writeProfiles(configDir, {
      active: 'work',
      profiles: { work: { 'base-url': baseUrl, token: { storage: 'file', origin } } },
      tokens: { work: { origin, token: classicToken } },
    });
    const words = ['orgs', 'get', 'acme', '--anonymous', '--jq', '.login'];
    expect(await run(words, { configDir })).toEqual({ stdout: 'acme\n', stderr: '', code: 0 });
    expect(await run(words, { env })).toEqual({ stdout: 'acme\n', stderr: '', code: 0 });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

describe('--anonymous with a command about the token', () => {
  it.each([['token'], ['status'], ['check']])('auth %s exits with 4', async (command) => {
    const { baseUrl, env, requests } = await scriptedPlatform({});
    expect(await run(['auth', command, '--anonymous'], { env })).toEqual({
      stdout: '',
      stderr: [
        `forgectl: No token for ${baseUrl}. --anonymous ignores it.`,
        `Log in with “forgectl auth login --base-url ${baseUrl}”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.`,
        '',
      ].join('\n'),
      code: 4,
    });
    expect(requests).toEqual([]);
  });
});

describe('a base URL without a profile', () => {
  it('is used without a token, with one notice on stderr', async () => {
    const { baseUrl, requests } = await scriptedPlatform(({ url }) => {
      if (url.includes('since=2')) return { body: [] };
      const next = `<${baseUrl}/organizations?since=2>; rel="next"`;
      return { headers: { link: next }, body: [{ login: 'acme', id: 2 }] };
    });
    expect(await run(['orgs', 'list', '--all', '--quiet', '--base-url', baseUrl])).toEqual({
      stdout: 'acme\n',
      stderr: `No token for ${baseUrl}; sending requests without one.\n`,
      code: 0,
    });
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });
});

describe('logging out', () => {
  it('removes the token from every file of the settings directory', async () => {
    const configDir = await temporaryDirectory();
    const origin = 'https://ghe.example.com';
    writeProfiles(configDir, {
      active: 'work',
      profiles: { work: { 'base-url': `${origin}/api/v3`, token: { storage: 'file', origin } } },
      tokens: { work: { origin, token: classicToken } },
    });
    const holding = () => execFileSync('grep', ['-rlc', classicToken, configDir], { encoding: 'utf8' });
    expect(holding()).toContain('credentials.json');
    expect((await run(['auth', 'logout'], { configDir })).code).toBe(0);
    expect(holding).toThrow();
    expect((await run(['auth', 'token'], { configDir })).code).toBe(4);
  });
});
