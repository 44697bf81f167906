/** Extensions: which files run, who allowed them, what they get, and how they end. */
import { chmodSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { allowedFile, reportScript, writeAllowed, writeExtension } from '../support/extensions.ts';
import { hasPython, inTerminal, start } from '../support/process.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const secret = (name: string) => ['ghp', name, 'x'.repeat(24)].join('_');

/** Of `reportScript`. */
const sha256 = 'd44944c7d3ff8d33a2c25cfc57b50e50463fa6b8eaa2119201b47da262f48d77';

let parent: string;
let bin: string;
let settings: string;

beforeEach(async () => {
  parent = await temporaryDirectory();
  [bin, settings] = [join(parent, 'bin'), join(parent, 'settings')];
});

const surroundings = (env: Readonly<Record<string, string>> = {}) => ({
  PATH: `${bin}:/usr/bin:/bin`,
  HOME: parent,
  FORGECTL_CONFIG_DIR: settings,
  ...env,
});

const forgectl = async (words: readonly string[], env?: Readonly<Record<string, string>>, cwd = parent) => {
  const { stdout, stderr, ...ended } = await start(words, { env: surroundings(env), cwd }).ended;
  return { ...ended, stdout, stderr: stderr.replaceAll(parent, 'PARENT') };
};

const allow = (...words: readonly string[]) =>
  run(['extensions', 'allow', ...words], { configDir: settings, env: surroundings() });

const refusal = (name: string, state: string, hash: string) =>
  `forgectl: The extension “${name}” ${state}: PARENT/bin/forgectl-${name} (SHA-256 ${hash}). Nothing was run.\nTo allow this file: forgectl extensions allow ${name} --sha256 ${hash}\n`;

describe('an extension', () => {
  it('runs without a terminal only if its file was allowed, and asks again once it has changed', async () => {
    const file = writeExtension(bin, 'report');
    const refused = { code: 2, signal: null, stdout: '', stderr: refusal('report', 'has not run before', sha256) };
    expect(await forgectl(['report', '--yes-extension', '--yes'])).toEqual(refused);
    expect(await allow('report', '--sha256', sha256)).toMatchObject({ code: 0 });
    expect(await forgectl(['report'])).toEqual({ code: 0, signal: null, stdout: 'report\n', stderr: '' });
    expect(statSync(join(settings, 'extensions.json')).mode & 0o777).toBe(0o600);
    writeFileSync(file, `${reportScript}echo more\n`);
    const { stderr, code } = await forgectl(['report']);
    expect({ stderr, code }).toEqual({
      code: 2,
      stderr: expect.stringContaining('has changed since it was allowed'),
    });
    expect(await forgectl(['--yes-extension', 'report'])).toMatchObject({ code: 0, stdout: 'report\nmore\n' });
    expect(await forgectl(['report'])).toMatchObject({ code: 0, stdout: 'report\nmore\n' });
  });

  it('is not known by its contents alone: another file with them asks, too', async () => {
    writeExtension(bin, 'report');
    writeAllowed(settings, { report: allowedFile(join(parent, 'elsewhere/forgectl-report'), sha256) });
    expect(await forgectl(['report'])).toMatchObject({ code: 2, stdout: '' });
  });

  it.runIf(hasPython)('shows at a terminal its path and SHA-256, and runs after a yes', async () => {
    writeExtension(bin, 'report');
    const at = (keys: string) => inTerminal(['report'], [['Run it?', keys]], { env: surroundings(), columns: 200 });
    const denied = await at('n\r');
    expect(denied).toMatchObject({ code: 2, shown: expect.stringContaining('Nothing was run.') });
    expect(denied.shown).toContain(`${bin}/forgectl-report\r\n  SHA-256 ${sha256}\r\n`);
    expect(await at('y\r')).toMatchObject({ code: 0, shown: expect.stringMatching(/report\r\n$/), restored: true });
    expect(await forgectl(['report'])).toMatchObject({ code: 0, stdout: 'report\n' });
  });

  it('never replaces a command, a topic or an alias', async () => {
    for (const name of ['version', 'orgs', 'mine']) writeExtension(bin, name);
    writeProfiles(settings, { profiles: {}, aliases: { mine: 'config path' } });
    const within = (words: readonly string[]) => run(words, { configDir: settings, env: surroundings() });
    for (const name of ['version', 'orgs', 'mine'])
      expect(await within(['--yes-extension', name])).toMatchObject({ code: 2, stdout: '' });
    expect((await within(['mine'])).stdout).toBe(`${settings}/config.json\n`);
    expect(await allow('orgs')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('“forgectl orgs” is a command of forgectl, not an extension.\n'),
    });
  });

  it('is not run from the working directory or a folder of others, even if it was allowed', async () => {
    const file = writeExtension(bin, 'report');
    writeAllowed(settings, { report: allowedFile(file, sha256) });
    const why = (problem: string) =>
      `forgectl: The extension “report” was not run: PARENT/bin/forgectl-report ${problem}.\nInstall it in a folder that only you or root can change.\n`;
    expect(await forgectl(['report'], {}, bin)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: why('is in the working directory'),
    });
    chmodSync(bin, 0o777);
    expect(await forgectl(['--yes-extension', 'report'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: why('is in PARENT/bin, which others can write to'),
    });
    expect(await forgectl(['--yes-extension', 'report'], { PATH: '.:bin:/proc/self/cwd/bin' })).toMatchObject({
      code: 2,
      stdout: '',
    });
  });

  it.each([
    [
      'readable by others',
      (path: string) => chmodSync(path, 0o644),
      'must be a regular file that you own, with mode 0600',
    ],
    [
      'a link',
      (path: string) => {
        renameSync(path, `${path}.target`);
        symlinkSync(`${path}.target`, path);
      },
      'extensions.json: it is a symbolic link.',
    ],
    [
      'of another version',
      (path: string) => writeFileSync(path, '{"version":2,"extensions":{}}'),
      'has version 2; this forgectl reads version 1.',
    ],
    [
      'larger than a mebibyte',
      (path: string) => writeFileSync(path, ' '.repeat(1024 * 1024 + 1)),
      'extensions.json is larger than 1 MiB.\nMove it away, and allow the extensions again: ',
    ],
    ['without hashes', (path: string) => writeFileSync(path, '{"version":1,"extensions":{"report":{}}}'), 'SHA-256'],
  ])('is not run if the file of those allowed is %s', async (_, change, message) => {
    writeAllowed(settings, { report: allowedFile(writeExtension(bin, 'report'), sha256) });
    change(join(settings, 'extensions.json'));
    const { code, stdout, stderr } = await run(['report'], { configDir: settings, env: surroundings() });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(await run(['extensions', 'list'], { configDir: settings, env: surroundings() })).toMatchObject({ code: 2 });
  });
});

describe('the environment of an extension', () => {
  const tokens = {
    FORGECTL_TOKEN: secret('own'),
    FORGECTL_TOKEN_FILE: '/nonexistent/token',
    FORGECTL_TOKEN_1: secret('one'),
    FORGECTL_APP_ID: '41',
    FORGECTL_APP_PRIVATE_KEY: secret('key'),
    FORGECTL_APP_SIGN_COMMAND: '["sign"]',
    GH_TOKEN: secret('hosted'),
    GITHUB_TOKEN: secret('runner'),
    GH_ENTERPRISE_TOKEN: secret('enterprise'),
    GITHUB_ENTERPRISE_TOKEN: secret('other'),
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret('oidc'),
    ACTIONS_RUNTIME_TOKEN: secret('runtime'),
  };
  const baseUrl = 'https://ghe.example.com/api/v3';

  async function variables(words: readonly string[], env: Readonly<Record<string, string>>) {
    const { stdout, stderr, code } = await forgectl(words, env);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const lines = stdout.trim().split('\n');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  beforeEach(() => {
    writeExtension(bin, 'env', '#!/bin/sh\nexec env\n');
    writeProfiles(settings, {
      active: 'work',
      profiles: {
        work: {
          'base-url': baseUrl,
          output: 'yaml',
          token: { storage: 'file', origin: 'https://ghe.example.com' },
        },
      },
      tokens: { work: { origin: 'https://ghe.example.com', token: secret('stored') } },
    });
  });

  it('has the platform, the profile and the output format, and no token or key', async () => {
    const env = await variables(['--yes-extension', 'env'], { ...tokens, FORGECTL_BASE_URL: baseUrl, KEPT: 'yes' });
    expect(env).toMatchObject({
      FORGECTL_BASE_URL: baseUrl,
      FORGECTL_PROFILE: 'work',
      FORGECTL_OUTPUT: 'yaml',
      FORGECTL_CONFIG_DIR: settings,
      KEPT: 'yes',
    });
    for (const name of Object.keys(tokens)) expect(env).not.toHaveProperty(name);
    expect(JSON.stringify(env)).not.toMatch(/ghp_/);
    expect(await variables(['-o', 'csv', '--base-url', 'ghe2.example.com', 'env'], {})).toMatchObject({
      FORGECTL_BASE_URL: 'https://ghe2.example.com/api/v3',
      FORGECTL_OUTPUT: 'csv',
    });
  });

  it('has with --token the token in use and no other, for its own platform only', async () => {
    await allow('env', '--token');
    const stored = await variables(['env'], { GH_TOKEN: tokens.GH_TOKEN });
    expect(stored).toMatchObject({ FORGECTL_TOKEN: secret('stored'), FORGECTL_BASE_URL: baseUrl });
    expect(stored).not.toHaveProperty('GH_TOKEN');
    expect(await variables(['--base-url', 'https://other.example.com', 'env'], {})).not.toHaveProperty(
      'FORGECTL_TOKEN',
    );
    await allow('env');
    expect(await variables(['env'], {})).not.toHaveProperty('FORGECTL_TOKEN');
  });

  it('loses the token if its file changes', async () => {
    await allow('env', '--token');
    writeExtension(bin, 'env', '#!/bin/sh\n# new\nexec env\n');
    expect(await variables(['--yes-extension', 'env'], {})).not.toHaveProperty('FORGECTL_TOKEN');
  });

  it('has no relative folders in PATH', async () => {
    expect((await variables(['--yes-extension', 'env'], { PATH: `.:${bin}:bin:/usr/bin:/proc/self/cwd` })).PATH).toBe(
      `${bin}:/usr/bin`,
    );
  });
});

describe('the end of an extension', () => {
  it('is an error if its interpreter is missing', async () => {
    writeExtension(bin, 'dos', '#!/bin/sh\r\nexit 0\r\n');
    expect(await forgectl(['--yes-extension', 'dos'])).toMatchObject({
      code: 2,
      stderr:
        'forgectl: The extension “dos” cannot be started: the interpreter in the first line of PARENT/bin/forgectl-dos does not exist.\n',
    });
  });

  it('is that of forgectl: exit code, signal, and all arguments and streams', async () => {
    writeExtension(
      bin,
      'end',
      '#!/bin/sh\nprintf "<%s>" "$@"; cat; echo error >&2; [ "$1" = kill ] && kill -USR1 $$; exit 42\n',
    );
    const { child, ended } = start(['--yes-extension', 'end', '--json', '', 'a b', '--', '--help'], {
      env: surroundings(),
    });
    child.stdin.end('input');
    expect(await ended).toEqual({
      code: 42,
      signal: null,
      stdout: '<--json><><a b><--><--help>input',
      stderr: 'error\n',
    });
    const killed = start(['end', 'kill'], { env: surroundings() });
    killed.child.stdin.end();
    expect(await killed.ended).toMatchObject({ code: null, signal: 'SIGUSR1' });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('comes with %s, which it may handle', async (signal) => {
    writeExtension(
      bin,
      'wait',
      `#!/bin/sh\ntrap 'echo handled; exit 7' ${signal.slice(3)}\necho ready\nwhile :; do sleep 0.02; done\n`,
    );
    const { child, ended } = start(['--yes-extension', 'wait'], { env: surroundings() });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 7, signal: null, stdout: 'ready\nhandled\n' });
  });

  it.runIf(hasPython)('comes once with Ctrl-C at a terminal, by the signal', async () => {
    writeExtension(bin, 'wait', '#!/bin/sh\necho ready\nexec sleep 60\n');
    writeExtension(
      bin,
      'count',
      "#!/bin/sh\ntrap 'n=$((n+1)); echo got $n' INT\necho ready\nread a; read b; echo total $n\n",
    );
    const env = surroundings();
    expect(await inTerminal(['--yes-extension', 'wait'], [['ready', '\x03']], { env })).toMatchObject({ code: 130 });
    const { shown } = await inTerminal(
      ['--yes-extension', 'count'],
      [
        ['ready', '\x03'],
        ['got 1', 'x\ry\r'],
      ],
      { env },
    );
    expect(shown).toContain('total 1');
  });
});
