import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

let configDir: string;
const active = () => JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8')).profile;

beforeEach(async () => {
  configDir = await temporaryDirectory();
  writeProfiles(configDir, {
    active: 'work',
    profiles: {
      work: { 'base-url': 'https://ghe.example.com/api/v3' },
      home: {
        'base-url': 'https://api.github.com',
        token: { storage: 'file', origin: 'https://api.github.com', login: 'ada' },
      },
    },
  });
});

describe('auth switch', () => {
  test('makes a profile the active one', async () => {
    expect(await run(['auth', 'switch', 'home'], { configDir })).toEqual({
      stdout: 'profile\thome\nbase_url\thttps://api.github.com\nlogin\tada\n',
      stderr: '',
      code: 0,
    });
    expect(active()).toBe('home');
  });

  test('prints the profile as details and as JSON', async () => {
    expect((await run(['auth', 'switch', 'home'], { configDir, tty: true })).stdout).toBe(
      'Profile   home\nBase URL  https://api.github.com\nLogin     ada\n',
    );
    expect(JSON.parse((await run(['auth', 'switch', 'work', '--json'], { configDir })).stdout)).toEqual({
      profile: 'work',
      base_url: 'https://ghe.example.com/api/v3',
      login: null,
    });
  });

  test('prompts for the profile at a terminal', async () => {
    const { stderr, code } = await run(['auth', 'switch', '--plain'], { configDir, person: [['2. home', '2\r']] });
    expect(code).toBe(0);
    expect(active()).toBe('home');
    expect(stderr).toContain('  forgectl auth switch --plain home\n');
  });

  test('lists the variables that override the profile', async () => {
    const env = { FORGECTL_BASE_URL: 'https://ghe.example.com', FORGECTL_TOKEN: 'ghp_1' };
    const { stderr } = await run(['auth', 'switch', 'home'], { configDir, env });
    expect(stderr).toBe(
      'Set in the environment, taking precedence over the profile: FORGECTL_BASE_URL, FORGECTL_TOKEN.\n',
    );
  });

  test('reports that the environment selects another profile', async () => {
    const { stderr, code } = await run(['auth', 'switch', 'home'], { configDir, env: { FORGECTL_PROFILE: 'work' } });
    expect(code).toBe(0);
    expect(stderr).toBe('FORGECTL_PROFILE is set to work and takes precedence over the active profile.\n');
  });

  test.each(['nobody', '__proto__'])('rejects a profile that does not exist: %s', async (name) => {
    expect(await run(['auth', 'switch', name], { configDir })).toEqual({
      stdout: '',
      stderr: [
        `forgectl: Unknown profile ${name} (known: work, home).`,
        `Create it with “forgectl auth login --profile ${name} --base-url URL”.`,
        '',
      ].join('\n'),
      code: 2,
    });
    expect(active()).toBe('work');
  });
});
