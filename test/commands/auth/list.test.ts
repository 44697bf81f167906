import { beforeEach, describe, expect, test } from 'vitest';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

let configDir: string;

beforeEach(async () => {
  configDir = await temporaryDirectory();
});

const two = () =>
  writeProfiles(configDir, {
    active: 'work',
    profiles: {
      work: {
        'base-url': 'https://ghe.example.com/api/v3',
        token: {
          storage: 'keyring',
          origin: 'https://ghe.example.com',
          kind: 'fine_grained',
          login: 'ada',
          'expires-at': '2026-03-11T12:00:00.000Z',
        },
      },
      home: { 'base-url': 'https://api.github.com' },
    },
  });

describe('auth list', () => {
  test('lists profiles as a table', async () => {
    two();
    const { stdout, code } = await run(['auth', 'list'], { configDir, tty: true, columns: 120 });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'PROFILE  ACTIVE  BASE URL                        LOGIN  TOKEN KIND    STORAGE  EXPIRES',
        'work     yes     https://ghe.example.com/api/v3  ada    fine_grained  keyring  in 10 days',
        'home     no      https://api.github.com          -      -             -        -',
        '',
      ].join('\n'),
    );
  });

  test('lists exact values in a pipe', async () => {
    two();
    expect((await run(['auth', 'list'], { configDir })).stdout).toBe(
      [
        'work\ttrue\thttps://ghe.example.com/api/v3\tada\tfine_grained\tkeyring\t2026-03-11T12:00:00.000Z',
        'home\tfalse\thttps://api.github.com\t\t\t\t',
        '',
      ].join('\n'),
    );
  });

  test('lists them as JSON', async () => {
    two();
    expect(JSON.parse((await run(['auth', 'list', '--json'], { configDir })).stdout)).toEqual([
      {
        profile: 'work',
        active: true,
        base_url: 'https://ghe.example.com/api/v3',
        login: 'ada',
        token_kind: 'fine_grained',
        storage: 'keyring',
        expires_at: '2026-03-11T12:00:00.000Z',
      },
      {
        profile: 'home',
        active: false,
        base_url: 'https://api.github.com',
        login: null,
        token_kind: null,
        storage: null,
        expires_at: null,
      },
    ]);
  });

  test.each([
    [[], { FORGECTL_PROFILE: 'home' }, 'home'],
    [['--profile', 'home'], {}, 'home'],
    [['--profile', 'work'], { FORGECTL_PROFILE: 'home' }, 'work'],
  ])('marks the active one: %j %j', async (words, env, name) => {
    two();
    const filter = '.[] | select(.active).profile';
    expect((await run(['auth', 'list', '--jq', filter, ...words], { configDir, env })).stdout).toBe(`${name}\n`);
  });

  test('prints an empty list before the first login', async () => {
    expect(await run(['auth', 'list', '--json'], { configDir })).toEqual({ stdout: '[]\n', stderr: '', code: 0 });
    expect((await run(['auth', 'list'], { configDir, tty: true })).stderr).toBe(
      'No profiles yet. Create one with “forgectl auth login --base-url URL”.\n',
    );
  });
});
