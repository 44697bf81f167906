import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

let configDir: string;
const read = () => JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
const config = (words: readonly string[], env: Record<string, string> = {}) =>
  run(['config', ...words], { configDir, env });

beforeEach(async () => {
  configDir = await temporaryDirectory();
});

const work = () =>
  writeProfiles(configDir, {
    active: 'work',
    profiles: {
      work: {
        'base-url': 'https://a.example/api/v3',
        concurrency: 4,
        proxy: 'http://user:hunter2@proxy.example:3128',
        token: { storage: 'file', origin: 'https://a.example', login: 'ada' },
      },
      home: {},
    },
  });

describe('config path', () => {
  test('prints the path of the settings, even before they exist', async () => {
    expect(await config(['path'])).toEqual({ stdout: `${configDir}/config.json\n`, stderr: '', code: 0 });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
    expect(JSON.parse((await config(['path', '--json'])).stdout)).toBe(`${configDir}/config.json`);
  });

  test('works if the settings cannot be read', async () => {
    writeFileSync(join(configDir, 'config.json'), '{');
    expect((await config(['path', '-o', 'tsv'])).stdout).toBe(`${configDir}/config.json\n`);
  });
});

describe('config set', () => {
  test('changes a setting of the active profile', async () => {
    work();
    expect(await config(['set', 'timeout', '2m'])).toEqual({
      stdout: 'profile\twork\nkey\ttimeout\nvalue\t2m\n',
      stderr: '',
      code: 0,
    });
    expect(read().profiles.work).toMatchObject({ timeout: '2m', concurrency: 4 });
  });

  test('creates the first profile, default, and makes it active', async () => {
    const { stdout } = await config(['set', 'output', 'json', '-o', 'table']);
    expect(stdout).toBe('Profile  default\nSetting  output\nValue    json\n');
    expect(read()).toEqual({ profile: 'default', profiles: { default: { output: 'json' } } });
  });

  test('creates a named profile and leaves the active one unchanged', async () => {
    work();
    const { stdout } = await config(['set', 'base-url', 'ghe.example.com', '--profile', 'new', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'new',
      key: 'base-url',
      value: 'https://ghe.example.com/api/v3',
    });
    expect(read().profile).toBe('work');
    expect(read().profiles.new).toEqual({ 'base-url': 'https://ghe.example.com/api/v3' });
  });

  test('stores a number as a number', async () => {
    await config(['set', 'concurrency', '8']);
    expect(read().profiles.default).toEqual({ concurrency: 8 });
  });

  test('stores the full path of a file', async () => {
    const file = join(configDir, 'ca.pem');
    writeFileSync(file, selfSignedCertificate().cert);
    await config(['set', 'ca-file', file]);
    expect(read().profiles.default).toEqual({ 'ca-file': file });
  });

  test.each([
    ['output', 'xml', 'output must be one of table, tsv, csv, json, ndjson, yaml.'],
    ['concurrency', '0', 'concurrency must be a whole number from 1 to 100.'],
    ['timeout', 'soon', 'timeout must be a duration such as 500ms, 30s, 5m, 1h or 7d.'],
    ['timeout', '0s', 'timeout must be longer than 0s.'],
    ['api-version', 'latest', 'api-version must be a date, such as 2022-11-28.'],
    ['vendor', 'A B', 'vendor must be lowercase letters, digits and hyphens, such as github.'],
    ['proxy', 'ftp://u:hunter2@p', 'proxy must be an http:// or https:// URL, such as http://proxy.example.com:3128.'],
    ['proxy', 'http:/u:hunter2@p', 'proxy must be an http:// or https:// URL, such as http://proxy.example.com:3128.'],
    ['ca-file', '/nowhere/ca.pem', 'Cannot read ca-file /nowhere/ca.pem: no such file.'],
  ])('rejects an invalid value and lists the allowed ones: %s %s', async (key, value, message) => {
    expect(await config(['set', key, value])).toEqual({ stdout: '', stderr: `forgectl: ${message}\n`, code: 2 });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  test('rejects a directory instead of a file', async () => {
    mkdirSync(join(configDir, 'certs'));
    const file = join(configDir, 'certs');
    expect(await config(['set', 'ca-file', file])).toEqual({
      stdout: '',
      stderr: `forgectl: Cannot read ca-file ${file}: it is a directory.\n`,
      code: 2,
    });
  });

  test.each([
    ['nothing', '', 'contains no certificate'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', 'contains no certificate'],
    ['a page', '<html>Not found</html>', 'contains no certificate'],
    [
      'a broken one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'contains an invalid certificate',
    ],
  ])('rejects a certificate file that contains %s', async (_what, text, why) => {
    const file = join(configDir, 'ca.pem');
    writeFileSync(file, text);
    expect(await config(['set', 'ca-file', file])).toEqual({
      stdout: '',
      stderr: `forgectl: ca-file ${file} ${why}. Expected PEM text that starts with -----BEGIN CERTIFICATE-----.\n`,
      code: 2,
    });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  test.each([['colour'], ['__proto__'], ['token'], ['profile']])(
    'rejects the unknown setting %s and lists the known ones',
    async (key) => {
      const { stderr, code } = await config(['set', key, 'x']);
      expect(code).toBe(2);
      expect(stderr).toContain(
        'KEY must be one of base-url, api-version, vendor, alerts-segment, output, concurrency, timeout, max-wait, ca-file, proxy',
      );
    },
  );

  test('does not send a profile’s token to another platform', async () => {
    work();
    const { stdout, stderr, code } = await config(['set', 'base-url', 'https://b.example']);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '',
      stderr: [
        'forgectl: Profile work has a token for https://a.example, which must not be sent to https://b.example. Nothing was changed.',
        'Log out first with “forgectl auth logout work”, or create another profile with “forgectl auth login --profile NAME --base-url https://b.example/api/v3”.',
        '',
      ].join('\n'),
      code: 2,
    });
    expect(read().profiles.work['base-url']).toBe('https://a.example/api/v3');
  });

  test('allows another path on the same platform', async () => {
    work();
    expect((await config(['set', 'base-url', 'https://a.example/other'])).code).toBe(0);
    expect(read().profiles.work['base-url']).toBe('https://a.example/other');
  });

  test('warns if the environment overrides the setting', async () => {
    work();
    const { stderr } = await config(['set', 'vendor', 'acme'], { FORGECTL_VENDOR: 'other' });
    expect(stderr).toBe('FORGECTL_VENDOR is set and takes precedence over the setting.\n');
  });

  test('masks the password of a proxy in its output', async () => {
    const { stdout } = await config(['set', 'proxy', 'http://user:hunter2@proxy.example:3128']);
    expect(stdout).toBe('profile\tdefault\nkey\tproxy\nvalue\thttp://user:********@proxy.example:3128\n');
    expect(read().profiles.default.proxy).toBe('http://user:hunter2@proxy.example:3128');
  });

  test('requires a value', async () => {
    const { stderr, code } = await config(['set', 'timeout']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/VALUE/i);
  });
});

describe('config set, at a terminal', () => {
  test('prompts for the value according to its type', async () => {
    const configDir = await temporaryDirectory();
    const words = await run(['config', 'set', '--plain'], {
      configDir,
      person: [
        ['5. output', '5\r'],
        ['4. json', '4\r'],
      ],
    });
    expect(words.stderr).toContain('\n  forgectl config set --plain output json\n');
    const text = await run(['config', 'set', 'timeout'], {
      configDir,
      person: [
        ['(VALUE)', 'soon\r'],
        ['timeout must be a duration', '\x152m\r'],
      ],
    });
    expect(text.stderr).toContain('\n  forgectl config set timeout 2m\n');
  });
});

describe('config get', () => {
  test.each([
    ['base-url', 'https://a.example/api/v3'],
    ['concurrency', '4'],
    ['timeout', '30s'],
    ['max-wait', '60s'],
    ['api-version', '2022-11-28'],
    ['vendor', 'github'],
    ['alerts-segment', 'dependabot'],
    ['ca-file', ''],
  ])('prints the effective value: %s is %j', async (key, value) => {
    work();
    expect(await config(['get', key])).toEqual({ stdout: `${value}\n`, stderr: '', code: 0 });
  });

  test('prefers the value of the environment to that of the profile', async () => {
    work();
    const env = { FORGECTL_BASE_URL: 'https://env.example' };
    expect((await config(['get', 'base-url'], env)).stdout).toBe('https://env.example/api/v3\n');
  });

  test('prints the value of the named profile', async () => {
    work();
    expect((await config(['get', 'concurrency', '--profile', 'home'])).stdout).toBe('\n');
    expect((await config(['get', 'base-url', '--profile', 'nobody'])).code).toBe(2);
  });

  test('prints a string as JSON', async () => {
    work();
    expect((await config(['get', 'base-url', '--json'])).stdout).toBe('"https://a.example/api/v3"\n');
  });

  test('masks the password of a proxy by default', async () => {
    work();
    expect((await config(['get', 'proxy'])).stdout).toBe('http://user:********@proxy.example:3128\n');
    expect((await config(['get', 'proxy', '--show-secrets'])).stdout).toBe('http://user:hunter2@proxy.example:3128\n');
  });

  test('works without a profile', async () => {
    expect((await config(['get', 'vendor'])).stdout).toBe('github\n');
  });
});

describe('config list', () => {
  test('shows all settings with their sources', async () => {
    work();
    const env = { FORGECTL_VENDOR: 'acme' };
    const { stdout } = await run(['config', 'list'], { configDir, env, tty: true });
    expect(stdout).toBe(
      [
        'SETTING         VALUE                                    SOURCE',
        'base-url        https://a.example/api/v3                 profile',
        'api-version     2022-11-28                               default',
        'vendor          acme                                     environment',
        'alerts-segment  dependabot                               default',
        'output          -                                        -',
        'concurrency     4                                        profile',
        'timeout         30s                                      default',
        'max-wait        60s                                      default',
        'ca-file         -                                        -',
        'proxy           http://user:********@proxy.example:3128  profile',
        '',
      ].join('\n'),
    );
  });

  test('lists exact values in a pipe and as JSON', async () => {
    work();
    expect((await config(['list'])).stdout.split('\n')[0]).toBe('base-url\thttps://a.example/api/v3\tprofile');
    const listed = JSON.parse((await config(['list', '--json'])).stdout);
    expect(listed).toHaveLength(10);
    expect(listed[4]).toEqual({ key: 'output', value: null, source: null });
    expect(listed[5]).toEqual({ key: 'concurrency', value: 4, source: 'profile' });
  });

  test('shows the proxy of the environment, without its password', async () => {
    work();
    const env = { https_proxy: 'http://u:secret@env-proxy.example:3128' };
    const { stdout } = await config(['list', '--jq', '.[] | select(.key == "proxy")'], env);
    expect(JSON.parse(stdout)).toEqual({
      key: 'proxy',
      value: 'http://u:********@env-proxy.example:3128',
      source: 'environment',
    });
  });

  test.each([
    ['u:hunter2@proxy.example:3128', 'http://u:********@proxy.example:3128'],
    ['http://proxy.example:3128/?key=hunter2#hunter2', 'http://proxy.example:3128'],
    ['http://u:hunter2/hunter2@proxy.example', '********'],
    ['http://u:hunter2 x@proxy.example', 'http://u:********@proxy.example'],
    ['https:u:hunter2@proxy.example', 'http://https:********@proxy.example'],
    ['//u:hunter2@proxy.example', 'http://u:********@proxy.example'],
  ])('shows only the used part of the proxy %s, without its password', async (https_proxy, shown) => {
    work();
    expect((await config(['get', 'proxy'], { https_proxy })).stdout).toBe(`${shown}\n`);
    const { stdout } = await config(['list', '--jq', '.[] | select(.key == "proxy").value'], { https_proxy });
    expect(stdout).toBe(`${shown}\n`);
    expect((await config(['get', 'proxy', '--show-secrets'], { https_proxy })).stdout).toBe(`${https_proxy}\n`);
    if (!https_proxy.startsWith('http')) return;
    expect((await config(['set', 'proxy', https_proxy])).stdout).not.toContain('hunter2');
  });

  test('reports the file that it cannot read', async () => {
    writeFileSync(join(configDir, 'config.json'), '{\n  "profiles": nonsense\n}\n');
    const { stderr, code } = await config(['list', '-o', 'tsv']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `forgectl: ${configDir}/config.json is not valid JSON (line 2).\nFix it, or move it away to start over: ${configDir}/config.json\n`,
    );
  });
});

describe('config unset', () => {
  test('removes a setting and restores its default', async () => {
    work();
    expect(await config(['unset', 'concurrency'])).toEqual({
      stdout: 'profile\twork\nkey\tconcurrency\n',
      stderr: '',
      code: 0,
    });
    expect(read().profiles.work).not.toHaveProperty('concurrency');
    expect(read().profiles.work.token).toMatchObject({ login: 'ada' });
  });

  test('prints it as details and as JSON', async () => {
    work();
    expect((await run(['config', 'unset', 'proxy'], { configDir, tty: true })).stdout).toBe(
      'Profile  work\nSetting  proxy\n',
    );
    expect(JSON.parse((await config(['unset', 'proxy', '--json'])).stdout)).toEqual({ profile: 'work', key: 'proxy' });
  });

  test('does the same for a setting that is not set', async () => {
    work();
    expect((await config(['unset', 'timeout'])).code).toBe(0);
  });

  test('requires a profile', async () => {
    const { stderr, code } = await config(['unset', 'timeout']);
    expect(code).toBe(2);
    expect(stderr).toContain('No profile, and therefore no settings.');
    expect((await config(['unset', 'timeout', '--profile', 'nobody'])).code).toBe(2);
  });
});

test('the output setting selects the output format, and --output overrides it', async () => {
  await config(['set', 'output', 'json']);
  expect((await config(['get', 'vendor'])).stdout).toBe('"github"\n');
  expect((await config(['get', 'vendor', '-o', 'tsv'])).stdout).toBe('github\n');
});

test('errors are JSON if the output setting selects JSON', async () => {
  await config(['set', 'output', 'json']);
  const { stderr, code } = await run(['auth', 'switch', 'nobody'], { configDir });
  expect(code).toBe(2);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'usage' } });
});
