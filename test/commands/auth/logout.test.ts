import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ring } from '../../support/memory-keyring.ts';
import { classicToken } from '../../support/platform.ts';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

vi.mock('../../../src/cli/account/keyring.ts', () => import('../../support/memory-keyring.ts'));

let configDir: string;
const read = (name: string) => JSON.parse(readFileSync(join(configDir, name), 'utf8'));
const stillValid = 'The token itself remains valid until it expires or you revoke it on the platform.\n';

beforeEach(async () => {
  configDir = await temporaryDirectory();
  ring.entries.clear();
  ring.answers = true;
  ring.entries.set('work https://a.example', classicToken);
  ring.entries.set('other https://a.example', 'another');
  writeProfiles(configDir, {
    active: 'work',
    profiles: {
      work: {
        'base-url': 'https://a.example/api/v3',
        timeout: '9s',
        token: { storage: 'keyring', origin: 'https://a.example', login: 'ada' },
      },
      home: { 'base-url': 'https://b.example/api/v3', token: { storage: 'file', origin: 'https://b.example' } },
    },
    tokens: {
      home: { origin: 'https://b.example', token: classicToken },
      other: { origin: 'https://c.example', token: 'another' },
    },
  });
});

describe('auth logout', () => {
  test('removes the token of the active profile from the keyring and keeps its settings', async () => {
    expect(await run(['auth', 'logout'], { configDir })).toEqual({
      stdout: 'profile\twork\nbase_url\thttps://a.example/api/v3\nlogin\tada\nstorage\tkeyring\n',
      stderr: stillValid,
      code: 0,
    });
    expect([...ring.entries.keys()]).toEqual(['other https://a.example']);
    expect(read('config.json')).toMatchObject({
      profile: 'work',
      profiles: { work: { 'base-url': 'https://a.example/api/v3', timeout: '9s' } },
    });
    expect(read('config.json').profiles.work).not.toHaveProperty('token');
  });

  test.each([
    [['home'], {}],
    [['--profile', 'home'], {}],
    [[], { FORGECTL_PROFILE: 'home' }],
  ])('removes the token of another profile from the file: %j %j', async (words, env) => {
    const { stdout, code } = await run(['auth', 'logout', '--json', ...words], { configDir, env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'home',
      base_url: 'https://b.example/api/v3',
      login: null,
      storage: 'file',
    });
    expect(read('credentials.json')).toEqual({ other: { origin: 'https://c.example', token: 'another' } });
    expect(ring.entries.size).toBe(2);
  });

  test('prints details on a terminal', async () => {
    expect((await run(['auth', 'logout'], { configDir, tty: true })).stdout).toBe(
      'Profile       work\nBase URL      https://a.example/api/v3\nLogin         ada\nRemoved from  keyring\n',
    );
  });

  test('--remove-profile removes the settings too, and leaves no active profile', async () => {
    await run(['auth', 'logout', '--remove-profile'], { configDir });
    expect(read('config.json')).not.toHaveProperty('profile');
    expect(Object.keys(read('config.json').profiles)).toEqual(['home']);
    const { stderr, code } = await run(['auth', 'logout'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toContain('No profile to log out of.');
  });

  test('reports a profile that is not logged in', async () => {
    await run(['auth', 'logout'], { configDir });
    const { stdout, stderr, code } = await run(['auth', 'logout'], { configDir });
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'profile\twork\nbase_url\thttps://a.example/api/v3\nlogin\t\nstorage\t\n',
      stderr: 'Profile work was not logged in.\n',
      code: 0,
    });
  });

  test('reports a token that remains in the environment', async () => {
    const { stderr } = await run(['auth', 'logout'], { configDir, env: { FORGECTL_TOKEN: 'ghp_env' } });
    expect(stderr).toBe(`${stillValid}FORGECTL_TOKEN is still set, and commands continue to use it.\n`);
  });

  test('changes nothing if the keyring does not respond', async () => {
    ring.answers = false;
    const before = read('config.json');
    const { stderr, code } = await run(['auth', 'logout'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toBe(
      [
        'forgectl: Cannot remove the token of profile work from the system keyring: timed out.',
        'Unlock the keyring and try again.',
        '',
      ].join('\n'),
    );
    expect(read('config.json')).toEqual(before);
  });

  test('rejects a profile that does not exist', async () => {
    const { stderr, code } = await run(['auth', 'logout', 'nobody'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toContain('Unknown profile nobody (known: work, home).');
  });
});
