import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSetting } from '../../../src/cli/account/setting-keys.ts';
import {
  changeSettings,
  checkProfileName,
  outputSetting,
  readSettings,
  settingsPath,
  withoutProfile,
  withoutValue,
  withProfile,
} from '../../../src/cli/account/settings.ts';
import { UsageError } from '../../../src/cli/errors.ts';

let parent: string;
let directory: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'forgectl-settings-'));
  directory = join(parent, 'forgectl');
});

afterEach(() => rmSync(parent, { recursive: true }));

const writeConfig = (text: string) => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'config.json'), text);
};
const readConfig = () => JSON.parse(readFileSync(join(directory, 'config.json'), 'utf8'));
const mode = (path: string) => statSync(path).mode & 0o777;

const failure = (run: () => unknown): UsageError => {
  try {
    run();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
};

describe('the settings directory', () => {
  test('contains the settings in config.json', () => {
    expect(settingsPath('/etc/forgectl')).toBe('/etc/forgectl/config.json');
  });
});

describe('reading', () => {
  test('a missing file has no profiles, and reading does not create it', () => {
    expect(readSettings(directory)).toEqual({ active: undefined, profiles: new Map(), unusable: [] });
    expect(existsSync(directory)).toBe(false);
  });

  test('reads profiles, the active one and the storage of a token', () => {
    writeConfig(`{
      "profile": "work",
      "profiles": {
        "work": {
          "base-url": "https://ghe.example.com/api/v3",
          "concurrency": 4,
          "timeout": "10s",
          "token": {"storage": "file", "origin": "https://ghe.example.com", "kind": "classic", "login": "ada"}
        },
        "other": {}
      }
    }`);
    expect(readSettings(directory)).toEqual({
      active: 'work',
      profiles: new Map<string, unknown>([
        [
          'work',
          {
            'base-url': 'https://ghe.example.com/api/v3',
            concurrency: 4,
            timeout: '10s',
            token: { storage: 'file', origin: 'https://ghe.example.com', kind: 'classic', login: 'ada' },
          },
        ],
        ['other', {}],
      ]),
      unusable: [],
    });
  });

  test('completes a base URL from an edited file', () => {
    writeConfig('{"profiles": {"work": {"base-url": "ghe.example.com"}}}');
    expect(readSettings(directory).profiles.get('work')).toEqual({ 'base-url': 'https://ghe.example.com/api/v3' });
  });

  test('accepts a file with a byte order mark', () => {
    writeConfig('\uFEFF{"profile": "work", "profiles": {"work": {}}}');
    expect(readSettings(directory).active).toBe('work');
  });

  test('has no profile under the name of a built-in object member', () => {
    writeConfig('{"profiles": {"work": {}}}');
    const { profiles } = readSettings(directory);
    expect(profiles.get('__proto__')).toBeUndefined();
    expect(profiles.get('constructor')).toBeUndefined();
  });

  test.each([
    ['{\n  "profiles": {\n    "work": oops\n  }\n}\n', 'line 3'],
    ['{\n  "profile": "work",\n}\n', 'line 3'],
    ['{"profiles": {', 'line 1'],
    ['', 'line 1'],
  ])('reports the file and the line of invalid JSON: %j', (text, line) => {
    writeConfig(text);
    const { message, advice } = failure(() => readSettings(directory));
    expect(message).toBe(`${directory}/config.json is not valid JSON (${line}).`);
    expect(advice).toBe(`Fix it, or move it away to start over: ${directory}/config.json`);
    expect(readFileSync(join(directory, 'config.json'), 'utf8')).toBe(text);
  });

  test.each([
    ['[]', 'must contain one JSON object.'],
    ['{"profile": 1}', 'profile must be a profile name.'],
    ['{"profiles": []}', 'profiles must be an object.'],
    ['{"profiles": {"work": "x"}}', 'profile “work” must be an object.'],
  ])('reports %s', (text, message) => {
    writeConfig(text);
    expect(failure(() => readSettings(directory)).message).toMatch(new RegExp(`^${directory}/config\\.json:? `));
    expect(failure(() => readSettings(directory)).message).toContain(message);
  });

  test('ignores invalid values, and reads the others', () => {
    writeConfig(
      '{"profiles": {"work": {"concurrency": "many", "timeout": true, "vendor": "acme", "token": "ghp_secret"}}}',
    );
    const { profiles, unusable } = readSettings(directory);
    expect(profiles.get('work')).toEqual({ vendor: 'acme' });
    expect(unusable.map(({ profile, key, message }) => [profile, key, message])).toEqual([
      ['work', 'concurrency', 'concurrency must be a whole number from 1 to 100.'],
      ['work', 'timeout', 'timeout must be a duration such as 500ms, 30s, 5m, 1h or 7d.'],
      ['work', 'token', 'token must contain the storage and the origin of the token.'],
    ]);
  });

  test('reports an unreadable file', () => {
    mkdirSync(join(directory, 'config.json'), { recursive: true });
    expect(failure(() => readSettings(directory)).message).toMatch(
      `Cannot read ${directory}/config.json: it is a directory.`,
    );
  });

  test.skipIf(process.platform === 'win32')('reports a device in place of the file', () => {
    mkdirSync(directory);
    symlinkSync('/dev/zero', join(directory, 'config.json'));
    expect(failure(() => readSettings(directory)).message).toBe(
      `Cannot read ${directory}/config.json: it is not a regular file.`,
    );
  });

  test('reports a file of more than 16 MiB', () => {
    const sized = (bytes: number) => {
      writeConfig('');
      truncateSync(join(directory, 'config.json'), bytes);
      return failure(() => readSettings(directory)).message;
    };
    expect(sized(16 * 1024 * 1024)).toBe(`${directory}/config.json is not valid JSON (line 1).`);
    expect(sized(16 * 1024 * 1024 + 1)).toBe(`Cannot read ${directory}/config.json: it is larger than 16 MiB.`);
  });
});

describe('the output setting', () => {
  test('is that of the selected profile, otherwise of the active one', () => {
    writeConfig('{"profile": "a", "profiles": {"a": {"output": "yaml"}, "b": {"output": "csv"}, "c": {}}}');
    expect(outputSetting(directory, undefined)).toEqual({ format: 'yaml' });
    expect(outputSetting(directory, 'b')).toEqual({ format: 'csv' });
    expect(outputSetting(directory, 'c')).toEqual({});
    expect(outputSetting(directory, 'nobody')).toEqual({});
  });
});

describe('changing', () => {
  test('creates the directory and the file for their owner only', async () => {
    await changeSettings(directory, (settings) => withProfile(settings, 'default', { vendor: 'acme' }));
    expect(mode(directory)).toBe(0o700);
    expect(mode(join(directory, 'config.json'))).toBe(0o600);
    expect(readConfig()).toEqual({ profile: 'default', profiles: { default: { vendor: 'acme' } } });
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test.runIf(process.platform !== 'win32').each([0o000, 0o022, 0o777])(
    'keeps them private to their owner under the umask %o, which stays unchanged',
    async (umask) => {
      const before = process.umask(umask);
      try {
        await changeSettings(directory, (settings) => withProfile(settings, 'a', {}));
        expect(process.umask()).toBe(umask);
      } finally {
        process.umask(before);
      }
      expect(mode(directory)).toBe(0o700);
      expect(mode(join(directory, 'config.json'))).toBe(0o600);
      expect(readConfig()).toEqual({ profile: 'a', profiles: { a: {} } });
    },
  );

  test('the first profile becomes the active one, later ones do not', async () => {
    await changeSettings(directory, (settings) => withProfile(settings, 'a', {}));
    await changeSettings(directory, (settings) => withProfile(settings, 'b', {}));
    expect(readConfig()).toEqual({ profile: 'a', profiles: { a: {}, b: {} } });
  });

  test('keeps unknown fields', async () => {
    writeConfig(
      '{"future": 1, "profile": "a", "profiles": {"a": {"newer": [2], "token": {"storage": "file", "origin": "https://a.example", "newer": 3}}}}',
    );
    await changeSettings(directory, (settings) => withProfile(settings, 'b', {}));
    expect(readConfig()).toEqual({
      future: 1,
      profile: 'a',
      profiles: { a: { newer: [2], token: { storage: 'file', origin: 'https://a.example', newer: 3 } }, b: {} },
    });
  });

  test('keeps invalid values until they are set or removed', async () => {
    writeConfig(
      '{"profile": "a", "profiles": {"a": {"timeout": "soon", "output": "xml", "token": 7}, "b": {"vendor": 9}}}',
    );
    await changeSettings(directory, (settings) =>
      withProfile(settings, 'a', { ...settings.profiles.get('a'), timeout: '9s', vendor: 'acme' }),
    );
    await changeSettings(directory, (settings) => withoutValue(settings, 'a', 'output'));
    expect(readConfig().profiles).toEqual({ a: { timeout: '9s', token: 7, vendor: 'acme' }, b: { vendor: '9' } });
    await changeSettings(directory, (settings) => withoutProfile(settings, 'a'));
    expect(readConfig().profiles).toEqual({ b: { vendor: '9' } });
  });

  test('a profile may have the name of an object’s built-in member', async () => {
    await changeSettings(directory, (settings) => withProfile(settings, '__proto__', { vendor: 'acme' }));
    await changeSettings(directory, (settings) => withProfile(settings, 'constructor', { vendor: 'other' }));
    const { active, profiles } = readSettings(directory);
    expect(active).toBe('__proto__');
    expect([...profiles]).toEqual([
      ['__proto__', { vendor: 'acme' }],
      ['constructor', { vendor: 'other' }],
    ]);
    expect(({} as { vendor?: string }).vendor).toBeUndefined();
  });

  test('a file that is not JSON is not changed', async () => {
    writeConfig('{"profile": ');
    await expect(changeSettings(directory, (settings) => settings)).rejects.toThrow('config.json is not valid JSON');
    expect(readFileSync(join(directory, 'config.json'), 'utf8')).toBe('{"profile": ');
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test('a directory that cannot be created is reported with advice', async () => {
    writeFileSync(join(parent, 'file'), '');
    const refused = changeSettings(join(parent, 'file', 'forgectl'), (settings) => settings);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toMatchObject({
      message: expect.stringContaining(
        `Cannot change the settings in ${parent}/file/forgectl: the directory does not exist.`,
      ),
      advice: 'Make the directory writable, or choose another with FORGECTL_CONFIG_DIR.',
    });
  });

  const adder = fileURLToPath(new URL('../../support/add-profiles.ts', import.meta.url));
  const runAdders = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        promisify(execFile)(process.execPath, [adder, directory, `p${index}`]),
      ),
    );

  test('concurrent changes by several processes lose nothing', async () => {
    await runAdders(5);
    expect(Object.keys(readConfig().profiles).sort()).toEqual(
      ['p0', 'p1', 'p2', 'p3', 'p4'].flatMap((name) => ['0', '1', '2', '3'].map((n) => `${name}.${n}`)),
    );
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test('the stale lock of a dead process loses no changes', async () => {
    mkdirSync(join(directory, 'settings.lock'), { recursive: true });
    utimesSync(join(directory, 'settings.lock'), 1, 1);
    await runAdders(5);
    expect(Object.keys(readConfig().profiles)).toHaveLength(20);
    expect(readdirSync(directory)).toEqual(['config.json']);
  });

  test('a process that dies while it removes a stale lock does not block others', async () => {
    for (const name of ['settings.lock', 'settings.lock.stale']) {
      mkdirSync(join(directory, name), { recursive: true });
      utimesSync(join(directory, name), 1, 1);
    }
    await changeSettings(directory, (settings) => withProfile(settings, 'default', {}));
    expect(readdirSync(directory)).toEqual(['config.json']);
  });
});

describe('profile names', () => {
  test.each(['default', 'ghe.example.com', 'a_b-1', '__proto__'])('%s is valid', (name) => {
    expect(checkProfileName(name)).toBe(name);
  });

  test.each(['', 'a b', 'a/b', '../x', 'ä', 'a\n'])('%j is invalid', (name) => {
    expect(failure(() => checkProfileName(name)).message).toBe(
      'Profile names contain only letters, digits, dots, underscores and hyphens.',
    );
  });
});

describe('setting values', () => {
  test.each([
    ['base-url', 'ghe.example.com', 'https://ghe.example.com/api/v3'],
    ['base-url', 'http://127.0.0.1:4010/api/v3/', 'http://127.0.0.1:4010/api/v3'],
    ['api-version', '2026-03-10', '2026-03-10'],
    ['vendor', 'acme-hub', 'acme-hub'],
    ['alerts-segment', 'depalerts', 'depalerts'],
    ['output', 'ndjson', 'ndjson'],
    ['concurrency', '100', 100],
    ['timeout', '1m', '1m'],
    ['max-wait', '0', '0'],
    ['ca-file', '/etc/ssl/ca.pem', '/etc/ssl/ca.pem'],
    ['proxy', 'http://user:pass@proxy.example.com:3128', 'http://user:pass@proxy.example.com:3128'],
  ] as const)('%s accepts %s', (key, text, value) => {
    expect(checkSetting(key, text)).toBe(value);
  });

  test.each([
    ['base-url', 'http://ghe.example.com', 'must start with https://'],
    ['api-version', 'latest', 'api-version must be a date, such as 2022-11-28.'],
    ['vendor', 'Acme Hub', 'vendor must be lowercase letters, digits and hyphens, such as github.'],
    ['alerts-segment', '../x', 'alerts-segment must be lowercase letters, digits and hyphens, such as dependabot.'],
    ['output', 'xml', 'output must be one of table, tsv, csv, json, ndjson, yaml.'],
    ['concurrency', '0', 'concurrency must be a whole number from 1 to 100.'],
    ['concurrency', '101', 'concurrency must be a whole number from 1 to 100.'],
    ['concurrency', '1.5', 'concurrency must be a whole number from 1 to 100.'],
    ['timeout', 'soon', 'timeout must be a duration such as 500ms, 30s, 5m, 1h or 7d.'],
    ['max-wait', '-1s', 'max-wait must be a duration such as 500ms, 30s, 5m, 1h or 7d.'],
    [
      'proxy',
      'socks5://proxy.example.com',
      'proxy must be an http:// or https:// URL, such as http://proxy.example.com:3128.',
    ],
  ] as const)('%s rejects %s, and lists the allowed values', (key, text, message) => {
    expect(() => checkSetting(key, text)).toThrow(message);
  });

  test('an invalid proxy is rejected without its password', () => {
    expect(() => checkSetting('proxy', 'ftp://user:hunter2@proxy.example.com')).not.toThrow(/hunter2/);
    expect(() => checkSetting('proxy', 'ftp://user:hunter2@proxy.example.com')).toThrow('proxy must be an http');
  });
});
