/** Files are written whole or not at all, for their owner alone; what goes wrong with one is told in a line. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { type ProcessOptions, start } from '../support/process.ts';
import { writeProfiles } from '../support/profiles.ts';
import { run, temporaryDirectory } from '../support/run.ts';

const platform = () =>
  scriptedPlatform({
    'GET /orgs/acme': { headers: { etag: '"1"' }, body: { login: 'acme' } },
    'GET /user': { headers: { 'x-oauth-scopes': 'repo' }, body: { login: 'ada' } },
    'GET /user/migrations/7/archive': { status: 302, headers: { location: '/archive' } },
    'GET /archive': { headers: { etag: '"1"' }, body: 'x'.repeat(500_000) },
  });

/** Whether a disk of a few kilobytes can be had: on Linux, where users may have a namespace of their own. */
const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** A shell that sets a limit to the size of files, in its blocks: the nearest thing to a full disk that every system has. */
const withFilesUpTo = (blocks: number): NonNullable<ProcessOptions['through']> => [
  'sh',
  '-c',
  `ulimit -f ${blocks}; exec "$@"`,
  'sh',
];

const one = { profiles: { work: { 'base-url': 'https://ghe.example.com/api/v3' } }, active: 'work' };

describe('a full disk', () => {
  it.skipIf(!canMount)('leaves the settings unchanged, and no other file', async () => {
    const disk = await temporaryDirectory();
    // Outside of this shell nobody sees the disk, so that the shell looks at what is left on it.
    const script = [
      'mount -t tmpfs -o size=32k none "$DISK"',
      `echo '${JSON.stringify(one)}' > "$DISK/config.json"`,
      'dd if=/dev/zero of="$DISK/filler" 2> /dev/null',
      '"$@"; code=$?',
      'cat "$DISK/config.json"; ls -A "$DISK"; exit $code',
    ].join('\n');
    const { code, stdout, stderr } = await start(['config', 'set', 'timeout', '9s'], {
      env: { DISK: disk, FORGECTL_CONFIG_DIR: disk },
      through: ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, 'sh'],
    }).ended;
    expect(stderr).toMatch(
      /^forgectl: Cannot change the settings in \S+: the disk is full\.\nFree some space, or choose another directory.*\n$/,
    );
    expect(stdout).toBe(`${JSON.stringify(one)}\nconfig.json\nfiller\n`);
    expect(code).toBe(1);
  });

  it.skipIf(!canMount).each([
    [
      '8k',
      [
        'snapshots',
        'create',
        '--job-id',
        '1',
        '--correlator',
        'build',
        '--sha',
        'c0ffee'.padEnd(40, '0'),
        '--ref',
        'refs/heads/main',
        '--file',
        'DISK/new.json',
      ],
      'Cannot write DISK/new.json: the disk is full.',
    ],
    ['16k', ['sandbox', 'serve', '--state', 'DISK/state.db'], 'Cannot use DISK/state.db for state: the disk is full.'],
    ['36k', ['sandbox', 'serve', '--state', 'DISK/state.db'], 'Cannot use DISK/state.db for state: the disk is full.'],
    [
      '1m,nr_inodes=2',
      ['sandbox', 'serve', '--state', 'DISK/state.db'],
      'Cannot use DISK/state.db for state: the disk is full.',
    ],
  ])('of %s ends with one line, exit code 1: %j', async (size, words, message) => {
    const [disk, sources] = [await temporaryDirectory(), await temporaryDirectory()];
    const dependencies = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`node_modules/p${at}`, { version: '1.0.0' }]),
    );
    const lockfile = join(sources, 'package-lock.json');
    writeFileSync(lockfile, JSON.stringify({ lockfileVersion: 3, packages: { '': {}, ...dependencies } }));
    const { code, stdout, stderr } = await start(
      [...words.map((word) => word.replace('DISK', disk)), ...(words[0] === 'snapshots' ? [lockfile] : [])],
      {
        env: { FORGECTL_CONFIG_DIR: sources },
        through: [
          'unshare',
          '--map-root-user',
          '--mount',
          'sh',
          '-c',
          `mount -t tmpfs -o size=${size} none ${disk}; "$@"; code=$?; ls -A ${disk} | grep forgectl; exit $code`,
          'sh',
        ],
      },
    ).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `forgectl: ${message.replace('DISK', disk)}\n`,
    });
  });

  it('does not affect responses that cannot be cached', async () => {
    const configDir = await temporaryDirectory();
    const { env } = await platform();
    const { code, stdout, stderr } = await start(['orgs', 'get', 'acme', '--jq', '.login'], {
      env: { ...env, FORGECTL_CONFIG_DIR: configDir, XDG_CACHE_HOME: join(configDir, 'cache') },
      through: withFilesUpTo(0),
    }).ended;
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'acme\n', stderr: '' });
    expect(readdirSync(join(configDir, 'cache', 'forgectl', 'forgectl-cache-v1', 'responses'))).toEqual([]);
  });

  it.each([0, 20])('leaves no partial compiled code with %i free blocks', async (blocks) => {
    const HOME = await temporaryDirectory();
    const program = new URL('../../bin/run.js', import.meta.url).pathname;
    const [shell = '', ...limit] = withFilesUpTo(blocks);
    const version = spawnSync(shell, [...limit, process.execPath, program, 'version'], { env: { HOME } });
    expect({ status: version.status, stderr: version.stderr.toString() }).toEqual({ status: 0, stderr: '' });
    const files = readdirSync(HOME, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter(({ name }) => name.includes('.tmp-'))).toEqual([]);
    expect(files.map(({ name }) => name).includes('cache.key')).toBe(blocks > 0);
  });

  it('stops a download with one line, and leaves no file with its final name', async () => {
    const directory = await temporaryDirectory();
    const { env, baseUrl } = await platform();
    const file = join(directory, 'a');
    const { stderr, stdout } = await start(['migrations', 'download', '7', '--file', file], {
      env: { ...env, FORGECTL_BASE_URL: baseUrl, FORGECTL_CONFIG_DIR: directory },
      through: withFilesUpTo(100),
    }).ended;
    expect(stdout).toBe('');
    expect(stderr).toContain(`forgectl: Cannot write ${file}.part: the file is too large for the file system.\n`);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(existsSync(file)).toBe(false);
  });

  it
    .skipIf(!existsSync('/dev/full'))
    .each([
      [['orgs', 'get', 'acme']],
      [['sandbox', 'serve']],
      [['--help']],
      [['orgs', 'get', '--help']],
      [['config', 'path']],
      [['version', '-o', 'yaml']],
    ])('under standard output is reported in one line, exit code 1: %j', async (words) => {
    const { env } = await platform();
    const configDir = await temporaryDirectory();
    const { code, stderr } = await start(words, {
      env: { ...env, FORGECTL_CONFIG_DIR: configDir },
      through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'],
    }).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'forgectl: Cannot write the output: the disk is full.\n',
    });
  });

  it.skipIf(!existsSync('/dev/full'))('behind standard output is one JSON line with --json', async () => {
    const { code, stderr } = await start(['sandbox', 'serve', '--json'], {
      through: ['sh', '-c', 'exec "$@" > /dev/full', 'sh'],
    }).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: '{"error":{"code":"output","message":"Cannot write the output: the disk is full."}}\n',
    });
  });

  it.skipIf(!existsSync('/dev/full')).each(['--version', '-v', 'version'])(
    'behind standard output of the installed program is one line: %s',
    async (word) => {
      const program = new URL('../../bin/run.js', import.meta.url).pathname;
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', 'exec "$@" > /dev/full', 'sh', process.execPath, program, word],
        {
          env: { HOME: await temporaryDirectory() },
          encoding: 'utf8',
        },
      );
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: 'forgectl: Cannot write the output: the disk is full.\n',
      });
    },
  );

  it.skipIf(!existsSync('/dev/full'))('behind standard error changes nothing', async () => {
    const { env } = await platform();
    const configDir = await temporaryDirectory();
    const { code, stdout } = await start(['orgs', 'get', 'acme', '--debug', '--jq', '.login'], {
      env: { ...env, FORGECTL_CONFIG_DIR: configDir },
      through: ['sh', '-c', 'exec "$@" 2> /dev/full', 'sh'],
    }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'acme\n' });
  });
});

it('sandbox serve ends in one line if the private key of its app cannot be written', async () => {
  const missing = join(await temporaryDirectory(), 'missing');
  const { code, stderr } = await start(['sandbox', 'serve'], { env: { TMPDIR: missing } }).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `forgectl: Cannot write the private key of the app in ${missing}: the directory does not exist.\nChoose another directory for temporary files with TMPDIR.\n`,
  });
});

describe('a file in place of a directory', () => {
  it('is reported when settings change, and does not affect the cache', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'file');
    writeFileSync(file, 'mine');
    const changed = await run(['auth', 'login', '--with-token', '--insecure-storage'], {
      env: { FORGECTL_BASE_URL: (await platform()).baseUrl, FORGECTL_CONFIG_DIR: file },
      stdin: classicToken,
    });
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain(file);
    const { env } = await platform();
    const read = await run(['orgs', 'get', 'acme', '--jq', '.login'], { env: { ...env, XDG_CACHE_HOME: file } });
    expect(read).toEqual({ stdout: 'acme\n', stderr: '', code: 0 });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

describe.skipIf(!existsSync('/proc/self'))('a directory that is not writable', () => {
  it('is reported in one line when settings change', async () => {
    const { code, stdout, stderr } = await start(['config', 'set', 'output', 'json'], {
      env: { FORGECTL_CONFIG_DIR: '/proc/nope/deeper' },
    }).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'forgectl: Cannot change the settings in /proc/nope/deeper: the directory does not exist.\nMake the directory writable, or choose another with FORGECTL_CONFIG_DIR.\n',
    });
  });

  it('does not affect the cache or the compiled code', async () => {
    const configDir = await temporaryDirectory();
    const { env } = await platform();
    const { code, stdout } = await start(['orgs', 'get', 'acme', '--jq', '.login'], {
      env: { ...env, FORGECTL_CONFIG_DIR: configDir, XDG_CACHE_HOME: '/proc/nope' },
    }).ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'acme\n' });
    const run = new URL('../../bin/run.js', import.meta.url).pathname;
    const env2 = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      XDG_CACHE_HOME: '/proc/nope',
      FORGECTL_CONFIG_DIR: configDir,
    };
    const version = spawnSync(process.execPath, [run, 'version'], { env: env2, timeout: 20_000 });
    expect(version.status).toBe(0);
  });
});

describe('a deleted current directory', () => {
  it.skipIf(process.platform === 'win32')('is reported only when it matters', async () => {
    const { env } = await platform();
    const configDir = await temporaryDirectory();
    const program = new URL('../../bin/run.js', import.meta.url).pathname;
    const gone = 'd=$(mktemp -d); cd "$d"; rmdir "$d"; exec "$@"';
    const runThere = async (...words: string[]) => {
      const child = spawn('sh', ['-c', gone, 'sh', process.execPath, program, ...words], {
        env: { ...env, PATH: process.env.PATH, HOME: process.env.HOME, FORGECTL_CONFIG_DIR: configDir },
      });
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, stdout, stderr };
    };
    expect(await runThere('config', 'set', 'ca-file', 'ca.pem')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'forgectl: The current directory no longer exists.\nChange to another directory and run the command again.\n',
    });
    expect(await runThere('orgs', 'get', 'acme', '--jq', '.login')).toMatchObject({ code: 0, stdout: 'acme\n' });
  });
});

describe('a file named on the command line', () => {
  it.each([
    [['orgs', 'update', 'acme', '--input', 'gone.yaml'], 'Cannot read --input gone.yaml: no such file.'],
    [['orgs', 'update', 'acme', '--input', '.'], 'Cannot read --input .: it is a directory.'],
    [['api', 'POST', '/x', '--input', 'gone.json'], 'Cannot read --input gone.json: no such file.'],
    [['registries', 'seal', 'acme', '--secret-file', 'gone.txt'], 'Cannot read --secret-file gone.txt: no such file.'],
    [['comments', 'update', 'acme/site', '7', '--body-file', '.'], 'Cannot read --body-file .: it is a directory.'],
    [
      ['rulesets', 'create', 'acme', '--name', 'a', '--enforcement', 'active', '--rules', '@gone.json'],
      '--rules cannot be read from gone.json: no such file. Nothing was sent.',
    ],
  ])('that cannot be read is reported with its flag: %j', async (words, said) => {
    const { env, requests } = await platform();
    const { code, stdout, stderr } = await run(words, { env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(`forgectl: ${said}\n`);
    expect(requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.skipIf(!existsSync('/dev/zero'))('that never ends is rejected', async () => {
    const { env, requests } = await platform();
    for (const [words, said] of [
      [['orgs', 'update', 'acme', '--input', '/dev/zero'], '--input /dev/zero'],
      [['registries', 'seal', 'acme', '--secret-file', '/dev/zero'], '--secret-file /dev/zero'],
      [
        ['rulesets', 'create', 'acme', '--name', 'a', '--enforcement', 'active', '--rules', '@/dev/zero'],
        '--rules /dev/zero',
      ],
    ] as const)
      expect(await run(words, { env })).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`forgectl: ${said} is larger than 8 MiB.`),
      });
    expect(requests).toEqual([]);
  });

  it.each([
    ['{"name": "hunter2",\n oops', 'JSON (line 2).'],
    ['name: x\n  - hunter2: [\n', 'YAML (line 1, column 7): Nested mappings are not allowed in compact mappings.'],
    ['%YAML hunter2', 'YAML (line 1, column 7): Invalid directive.'],
    ['name: "\\Uhunter2"', 'YAML (line 1, column 8): Invalid escape sequence.'],
    ['name: !a!hunter2 x', 'YAML (line 1, column 7): Invalid tag, or a value that it does not allow.'],
    ['name: !<!hunter2 x', 'YAML (line 1, column 7): Invalid tag, or a value that it does not allow.'],
    ['name: |hunter2', 'YAML (line 1, column 8): Block scalar header includes extra characters.'],
    ['name: { "hunter2" "x" }', 'YAML (line 1, column 19): Missing , or : between flow map items.'],
    ['name: *hunter2', 'YAML: Unresolved alias (the anchor must be set before the alias).'],
  ])('that is invalid is rejected with the line number, without its contents: %j', async (text, said) => {
    const file = join(await temporaryDirectory(), 'body');
    writeFileSync(file, text);
    const { env } = await platform();
    const { code, stderr } = await run(['orgs', 'update', 'acme', '--input', file], { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`forgectl: --input ${file} is not valid ${said}`);
    expect(stderr).not.toContain('hunter2');
  });

  it('is read without a warning that repeats its keys', async () => {
    const file = join(await temporaryDirectory(), 'body');
    writeFileSync(file, '? [hunter2]\n: 1\n');
    const { stderr } = await start(['rulesets', 'lint', file]).ended;
    expect(stderr).toBe('forgectl: 2 errors and 1 warning in 1 file.\n');
  });
});

describe('a corrupt file', () => {
  it.each(['{"profile": "work",\n "profiles": {', 'null', '[]', '', '\x00\x01'])(
    'of settings is reported and not modified: %j',
    async (text) => {
      const configDir = await temporaryDirectory();
      const path = join(configDir, 'config.json');
      writeFileSync(path, text);
      for (const words of [
        ['config', 'set', 'timeout', '9s'],
        ['orgs', 'get', 'acme'],
        ['auth', 'list', '--json'],
      ]) {
        const { code, stderr } = await run(words, { configDir });
        expect({ words, code }).toEqual({ words, code: 2 });
        expect(stderr).toContain(path);
      }
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );
});

describe('parallel processes', () => {
  it('lose none of their changes', async () => {
    const configDir = await temporaryDirectory();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    writeProfiles(configDir, { profiles: Object.fromEntries(names.map((name) => [name, {}])) });
    const ends = await Promise.all(
      names.map(
        (name, index) =>
          start(['config', 'set', 'timeout', `${index + 1}s`, '--profile', name], {
            env: { FORGECTL_CONFIG_DIR: configDir },
          }).ended,
      ),
    );
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(names.map(() => ({ code: 0, stderr: '' })));
    const { profiles } = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
    expect(names.map((name) => profiles[name].timeout)).toEqual(['1s', '2s', '3s', '4s', '5s', '6s']);
    expect(readdirSync(configDir).sort()).toEqual(['cache.key', 'config.json', 'credentials.json']);
  });
});

describe('a write interrupted by a crash', () => {
  const drafts = [
    'credentials.json.tmp-0123456789abcdef',
    'config.json.tmp-0123456789abcdef',
    'cache.key.tmp-0123456789abcdef',
    'organizations.tmp-0123456789abcdef',
  ];
  const others = ['credentials.json.tmp-mine', 'credentials.json.bak', 'notes.tmp-0123456789abcdef'];

  it.each([
    ['logging in', ['auth', 'login', '--with-token', '--insecure-storage']],
    ['logging out', ['auth', 'logout', 'default']],
    ['changing a setting', ['config', 'set', 'timeout', '9s']],
  ])('leaves no token behind after %s', async (_what, words) => {
    const configDir = await temporaryDirectory();
    const { baseUrl } = await platform();
    const env = { FORGECTL_BASE_URL: baseUrl };
    const login = ['auth', 'login', '--with-token', '--insecure-storage'];
    await run(login, { configDir, env, stdin: classicToken });
    for (const name of [...drafts, ...others]) writeFileSync(join(configDir, name), `{"token": "${classicToken}"}`);
    expect(await run(words, { configDir, env, stdin: classicToken })).toMatchObject({ code: 0 });
    const left = readdirSync(configDir).filter((name) => name.includes('tmp') || name.includes('.bak'));
    expect(left.sort()).toEqual(others.toSorted());
  });

  it('does not remove directories or links of such a name', async () => {
    const configDir = await temporaryDirectory();
    const precious = join(await temporaryDirectory(), 'precious');
    writeFileSync(precious, 'mine');
    mkdirSync(join(configDir, 'config.json.tmp-0123456789abcdef'));
    symlinkSync(precious, join(configDir, 'credentials.json.tmp-0123456789abcdef'));
    await run(['config', 'set', 'timeout', '9s', '--profile', 'default'], { configDir });
    expect(readdirSync(configDir).sort()).toEqual([
      'config.json',
      'config.json.tmp-0123456789abcdef',
      'credentials.json.tmp-0123456789abcdef',
    ]);
  });
});

describe('the permissions of files', () => {
  const mode = (path: string) => statSync(path).mode & 0o777;

  it('are limited to the owner, even if the file was readable by others before', async () => {
    const configDir = join(await temporaryDirectory(), 'new');
    const { env, baseUrl } = await platform();
    const login = () =>
      run(['auth', 'login', '--with-token', '--insecure-storage'], {
        configDir,
        env: { FORGECTL_BASE_URL: baseUrl },
        stdin: classicToken,
      });
    expect((await login()).code).toBe(0);
    const files = ['config.json', 'credentials.json'].map((name) => join(configDir, name));
    expect([mode(configDir), ...files.map(mode)]).toEqual([0o700, 0o600, 0o600]);
    for (const file of files) chmodSync(file, 0o644);
    await login();
    expect(files.map(mode)).toEqual([0o600, 0o600]);
    await run(['orgs', 'get', 'acme'], { configDir, env });
    const cache = join(configDir, 'cache', 'forgectl', 'forgectl-cache-v1', 'responses');
    expect([mode(cache), ...readdirSync(cache).map((name) => mode(join(cache, name)))]).toEqual([0o700, 0o600]);
  });
});

describe('a file that a command writes', () => {
  const policy = 'organizations: [acme]\nsettings: { location: Oslo }\n';
  const writing = [
    ['policy plan POLICY --out FILE'],
    ['policy apply POLICY --yes --undo-out FILE'],
    ['policy apply POLICY --yes --journal FILE'],
    ['each --from TARGETS --yes --journal FILE -- orgs update {} --location Oslo'],
    ['snapshots sbom acme/site --file FILE --force'],
    ['snapshots create LOCKED --job-id 1 --correlator build --sha SHA --ref refs/heads/main --file FILE --force'],
    ['migrations download 7 --file FILE --force'],
  ];

  /** Runs a command that writes to FILE, in a sticky folder with two links to a folder of the user, or to a file in it. */
  async function writeThrough(line: string, file: 'link' | 'folder/new', uid: number) {
    const directory = await temporaryDirectory();
    const path = (name: string) => join(directory, name);
    mkdirSync(path('shared'));
    chmodSync(path('shared'), 0o1777);
    mkdirSync(path('mine'));
    writeFileSync(path('mine/precious'), 'precious');
    symlinkSync(path('mine/precious'), path('shared/link'));
    symlinkSync(path('mine'), path('shared/folder'));
    for (const link of ['shared/link', 'shared/folder']) lchownSync(path(link), uid, uid);
    writeFileSync(path('p.yaml'), policy);
    writeFileSync(path('targets'), 'acme\n');
    writeFileSync(path('package-lock.json'), '{"lockfileVersion":3,"packages":{"":{}}}');
    const { env } = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, location: 'Bergen' } },
      'PATCH /orgs/acme': { body: { login: 'acme', id: 1, location: 'Oslo' } },
      'GET /repos/acme/site/dependency-graph/sbom': { body: { sbom: { spdxVersion: 'SPDX-2.3', packages: [] } } },
      'GET /user/migrations/7/archive': { status: 302, headers: { location: '/archive' } },
      'GET /archive': { body: 'archive' },
    });
    const words = line
      .replace('FILE', path(`shared/${file}`))
      .replace('POLICY', path('p.yaml'))
      .replace('LOCKED', path('package-lock.json'))
      .replace('TARGETS', path('targets'))
      .replace('SHA', 'c0ffee'.padEnd(40, '0'));
    const { code, stderr } = await run(words.split(' '), { env: { ...env, XDG_STATE_HOME: path('state') } });
    expect(readFileSync(path('mine/precious'), 'utf8')).toBe('precious');
    expect(readdirSync(path('shared')).sort()).toEqual(['folder', 'link']);
    return { code, stderr, shared: path('shared'), left: readdirSync(path('mine')).sort() };
  }

  it.each(writing)('does not go through a link in its place: %s', async (line) => {
    const { code, stderr, shared, left } = await writeThrough(line, 'link', process.getuid?.() ?? 0);
    expect({ code, left }).toEqual({ code: 2, left: ['precious'] });
    expect(stderr).toContain(`${shared}/link`);
  });

  it.skipIf(process.getuid?.() !== 0).each(writing)(
    'does not go into a folder through a link of another user: %s',
    async (line) => {
      const { code, stderr, shared, left } = await writeThrough(line, 'folder/new', 65534);
      expect({ code, left }).toEqual({ code: 2, left: ['precious'] });
      expect(stderr).toContain(`${shared}/folder is a symbolic link of another user.`);
    },
  );

  it.each(writing)('may be in a folder that a link of the user leads to: %s', async (line) => {
    const { code, left } = await writeThrough(line, 'folder/new', process.getuid?.() ?? 0);
    expect({ code, left }).toMatchObject({ code: 0, left: expect.arrayContaining(['new', 'precious']) });
  });

  it('is a plan only in place of another plan, or of an empty file', async () => {
    const directory = await temporaryDirectory();
    const path = (name: string) => join(directory, name);
    const { env, requests } = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, location: 'Bergen' } },
    });
    writeFileSync(path('p.yaml'), policy);
    writeFileSync(path('empty'), '');
    const plan = (out: string) => run(['policy', 'plan', path('p.yaml'), '--out', path(out)], { env });
    const { code, stderr } = await plan('p.yaml');
    expect({ code, stderr, requests }).toEqual({
      code: 2,
      stderr: `forgectl: ${path('p.yaml')} already exists, and is not a saved plan. Nothing was sent.\nChoose another file.\n`,
      requests: [],
    });
    expect(readFileSync(path('p.yaml'), 'utf8')).toBe(policy);
    for (const _ of ['new', 'again']) expect(await plan('empty')).toMatchObject({ code: 0 });
  });

  it('replaces nothing that appeared during the requests: a plan or an export', async () => {
    const folder = await temporaryDirectory();
    const path = (name: string) => join(folder, name);
    const { env } = await scriptedPlatform({
      'GET /orgs/acme': () => {
        writeFileSync(path('out'), 'mine');
        mkdirSync(path('policy/acme'), { recursive: true });
        writeFileSync(path('policy/acme/profile.yaml'), 'mine');
        return { body: { login: 'acme', id: 1, location: 'Bergen' } };
      },
    });
    writeFileSync(path('p.yaml'), policy);
    expect(await run(['policy', 'plan', path('p.yaml'), '--out', path('out'), '--no-cache'], { env })).toMatchObject({
      code: 2,
      stderr: `forgectl: Cannot write ${path('out')}: it already exists.\n`,
    });
    rmSync(path('policy'), { recursive: true });
    const { code, stderr } = await run(['policy', 'export', 'acme', '--dir', path('policy'), '--no-cache'], { env });
    expect(stderr).toContain(
      `Cannot write ${path('policy/acme/profile.yaml')}: it already exists. Nothing was written.\n`,
    );
    expect(code).toBe(2);
    expect(['out', 'policy/acme/profile.yaml'].map((name) => readFileSync(path(name), 'utf8'))).toEqual([
      'mine',
      'mine',
    ]);
    expect([readdirSync(path('policy')), readdirSync(path('policy/acme'))]).toEqual([['acme'], ['profile.yaml']]);
  });

  it.skipIf(!existsSync('/dev/stdout'))('may be standard output, as a pipe or a file', async () => {
    const { env } = await scriptedPlatform({
      'GET /orgs/acme': { body: { login: 'acme', id: 1, location: 'Bergen' } },
    });
    const directory = await temporaryDirectory();
    const file = join(directory, 'p.yaml');
    writeFileSync(file, policy);
    const plan = (script: string) =>
      start(['policy', 'plan', file, '--no-cache', '--out', '/dev/stdout'], {
        env: { ...env, HOME: directory, OUT: join(directory, 'out') },
        through: ['sh', '-c', script, 'sh'],
      }).ended;
    const header = /^\{"plan":\d,/;
    expect(await plan('"$@" | cat')).toMatchObject({ code: 0, stdout: expect.stringMatching(header) });
    expect(await plan('echo first > "$OUT"; "$@" >> "$OUT"')).toMatchObject({ code: 0, stdout: '' });
    const [first, ...lines] = readFileSync(join(directory, 'out'), 'utf8').split('\n');
    expect([first, lines[0]]).toEqual(['first', expect.stringMatching(header)]);
    expect(readdirSync(directory).filter((name) => name.includes('tmp'))).toEqual([]);
  });
});

describe('a download', () => {
  it('does not follow a link in place of its partial file', async () => {
    const directory = await temporaryDirectory();
    const { env } = await platform();
    writeFileSync(join(directory, 'precious'), 'mine');
    symlinkSync(join(directory, 'precious'), join(directory, 'a.part'));
    const words = ['migrations', 'download', '7', '--file', join(directory, 'a')];
    const { code, stderr } = await run(words, { env });
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot write ${directory}/a.part: it is a symbolic link. Nothing was sent.\n`);
    expect(readFileSync(join(directory, 'precious'), 'utf8')).toBe('mine');
    rmSync(join(directory, 'a.part'));
    expect(await run(words, { env })).toMatchObject({ code: 0 });
    expect(readFileSync(join(directory, 'a'), 'utf8')).toBe('x'.repeat(500_000));
  });
});

it.each(['000', '777'])('the settings are private and usable with a umask of %s', async (umask) => {
  const configDir = join(await temporaryDirectory(), 'own');
  const through = ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'];
  for (const [key, value] of [
    ['base-url', 'https://ghe.example.com'],
    ['output', 'json'],
  ] as const) {
    const words = ['config', 'set', key, value, '--profile', 'default'];
    const { code, stderr } = await start(words, { env: { FORGECTL_CONFIG_DIR: configDir }, through }).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  }
  expect(statSync(configDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(configDir, 'config.json')).mode & 0o777).toBe(0o600);
});
