/** Tokens that end, and tokens that are to be forgotten. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { expiryNotice } from '../../src/cli/account/expiry.ts';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const noon = new Date('2026-03-01T12:00:00Z');

describe('a token that ends', () => {
  const replace = 'Replace it with “forgectl auth login --profile work”.';

  it.each([
    ['2026-03-08T12:00:00Z', `The token of profile work expires in 7 days, on 2026-03-08. ${replace}`],
    ['2026-03-02T13:00:00Z', `The token of profile work expires in 1 day, on 2026-03-02. ${replace}`],
    ['2026-03-01T13:00:00Z', `The token of profile work expires within a day, on 2026-03-01. ${replace}`],
    ['2026-03-01T11:59:59Z', `The token of profile work expired on 2026-03-01. ${replace}`],
    ['2026-03-08T12:00:01Z', undefined],
    ['whenever', undefined],
    [undefined, undefined],
  ])('%s is told in the last week: %s', (tokenExpiresAt, notice) => {
    expect(expiryNotice({ profile: 'work', tokenExpiresAt }, noon)).toBe(notice);
  });

  it('is told once, on stderr, where it is used; one of the environment is not taken for it', async () => {
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

describe('logging out', () => {
  it('leaves the token in no file of the settings directory', async () => {
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
