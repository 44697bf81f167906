import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ring } from '../../support/memory-keyring.ts';
import { classicToken } from '../../support/platform.ts';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

vi.mock('../../../src/cli/account/keyring.ts', () => import('../../support/memory-keyring.ts'));

let configDir: string;

beforeEach(async () => {
  configDir = await temporaryDirectory();
  ring.entries.clear();
  ring.answers = true;
});

const loggedIn = () => {
  ring.entries.set('work https://a.example', classicToken);
  writeProfiles(configDir, {
    active: 'work',
    profiles: {
      work: { 'base-url': 'https://a.example/api/v3', token: { storage: 'keyring', origin: 'https://a.example' } },
    },
  });
};

describe('auth token', () => {
  test('prints the token of the active profile and nothing else', async () => {
    loggedIn();
    for (const tty of [false, true])
      expect(await run(['auth', 'token'], { configDir, tty })).toEqual({
        stdout: `${classicToken}\n`,
        stderr: '',
        code: 0,
      });
  });

  test('prints it as a JSON string with JSON output', async () => {
    loggedIn();
    const { stdout } = await run(['auth', 'token', '--json'], { configDir });
    expect(JSON.parse(stdout)).toBe(classicToken);
  });

  test('prints the token of the environment if it is in use', async () => {
    loggedIn();
    const env = { FORGECTL_BASE_URL: 'https://a.example', FORGECTL_TOKEN: 'ghp_environment' };
    expect((await run(['auth', 'token'], { configDir, env })).stdout).toBe('ghp_environment\n');
  });

  test('does not print a token that would not be sent', async () => {
    loggedIn();
    const { stdout, stderr, code } = await run(['auth', 'token', '--base-url', 'https://b.example'], { configDir });
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toContain('The token of profile work belongs to https://a.example; not sent to https://b.example.');
  });

  test('exits with 4 and login advice without a token', async () => {
    const { stdout, stderr, code } = await run(['auth', 'token', '--json'], {
      configDir,
      env: { FORGECTL_BASE_URL: 'https://a.example' },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'not_authenticated',
        message: 'No token for https://a.example/api/v3.',
        advice:
          'Log in with “forgectl auth login --base-url https://a.example/api/v3”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.',
      },
    });
  });

  test('exits with 2 if the keyring does not respond', async () => {
    loggedIn();
    ring.answers = false;
    const { stderr, code } = await run(['auth', 'token'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot read the token of profile work from the system keyring: timed out.');
  });
});
