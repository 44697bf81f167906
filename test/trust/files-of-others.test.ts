/** Files of a repository that may be anyone's: links out of it, pipes, devices and secrets in its lockfiles and policies. */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readRegularFile, readRegularFileBelow } from '../../src/disk/regular-file.ts';
import { classicToken } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { temporaryDirectory } from '../support/run.ts';

/** Stands for a password in a file such as ~/.netrc; assembled, so that it is found nowhere else. */
const password = ['hunter', '2', 'netrc'].join('-');

let parent: string;
let folder: string;

/** Makes a checkout with these files, beside a file with a password. */
async function checkoutWith(files: Readonly<Record<string, string>>): Promise<void> {
  parent = await temporaryDirectory();
  folder = join(parent, 'checkout');
  writeFileSync(join(parent, 'netrc'), `machine ghe.example.com\nlogin mona\npassword ${password}\n`);
  mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const env = () => ({ FORGECTL_CONFIG_DIR: join(parent, 'settings'), XDG_CACHE_HOME: join(parent, 'cache') });

/** Runs forgectl in the checkout. Returns what it prints on stderr, and requires exit code 2 and no password. */
async function refused(...words: readonly string[]): Promise<string> {
  const { code, signal, stdout, stderr } = await start(words, { env: env(), cwd: folder }).ended;
  expect({ code, signal }).toEqual({ code: 2, signal: null });
  expect(stdout + stderr).not.toContain(password);
  return stderr.replaceAll(parent, 'PARENT');
}

const commit = ['--sha', 'f'.repeat(40), '--ref', 'refs/heads/main', '--job-id', '7', '--correlator', 'nightly'];
const snapshot = (...files: readonly string[]) => refused('snapshots', 'create', ...files, ...commit);
const fifo = (name: string) => execFileSync('mkfifo', [join(folder, name)]);
const link = (to: string, name: string) => symlinkSync(to, join(folder, name));

const yarn = { 'yarn.lock': 'ms@1:\n  version "1.0.0"\n' };

/** Its size is 0, and reading it waits for the kernel. */
const kernelLog = '/proc/kmsg';

describe.skipIf(process.platform === 'win32')('a lockfile', () => {
  it('is not read through a link that leads out of the checkout', async () => {
    await checkoutWith({ 'web/README.md': '' });
    link('../netrc', 'requirements.txt');
    link('..', 'up');
    writeFileSync(join(parent, 'requirements.txt'), password);
    expect(await snapshot('requirements.txt')).toBe(
      'forgectl: requirements.txt resolves to a file outside of PARENT/checkout.\n',
    );
    expect(await snapshot('up/requirements.txt')).toBe(
      'forgectl: up/requirements.txt resolves to a file outside of PARENT/checkout.\n',
    );
  });

  it('outside of checkouts is not read through a link to another folder', async () => {
    await checkoutWith({});
    mkdirSync(join(parent, 'plain'));
    symlinkSync('../netrc', join(parent, 'plain/requirements.txt'));
    expect(await snapshot('../plain/requirements.txt')).toBe(
      'forgectl: ../plain/requirements.txt resolves to a file outside of PARENT/plain.\n',
    );
  });

  it('is an error if it is a link to itself', async () => {
    await checkoutWith({});
    symlinkSync('Cargo.lock', join(folder, 'Cargo.lock'));
    expect(await refused('snapshots', 'create', 'Cargo.lock', ...commit)).toMatch(
      /^forgectl: Cannot read Cargo\.lock: /,
    );
  });

  it('is read through a link within the checkout', async () => {
    await checkoutWith({ 'lock/requirements.txt': 'idna==3.7\n' });
    link('lock/requirements.txt', 'requirements.txt');
    const words = ['snapshots', 'create', 'requirements.txt', ...commit, '--jq', '.manifests[].resolved | keys[]'];
    const { stdout, stderr } = await start(words, { env: env(), cwd: folder }).ended;
    expect([stdout, stderr]).toEqual(['pkg:pypi/idna@3.7\n', '']);
  });

  it.each(['a pipe', 'a device'])('is not read from %s', async (what) => {
    await checkoutWith({});
    if (what === 'a pipe') fifo('yarn.lock');
    else link('/dev/zero', 'yarn.lock');
    expect(await snapshot('yarn.lock')).toBe(
      what === 'a pipe'
        ? 'forgectl: yarn.lock is not a regular file.\n'
        : 'forgectl: yarn.lock resolves to a file outside of PARENT/checkout.\n',
    );
  });

  it.each([
    ['requirements.txt', `idna==3.7\nmachine ghe.example.com password ${password}\n`, 'line 2: not a requirement'],
    ['go.mod', `module a\n${password} v1\n`, 'line 2: unknown directive'],
    ['go.mod', `module a\nrequire (\n\n/ ${password}\n)\n`, 'line 4: not a package: it has no name'],
    [
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'\n${password}: 1\n${password}: 2\n`,
      'line 3, column 1: not valid YAML: duplicated mapping key',
    ],
    ['mix.lock', `%{"${password}": {:path, "a"}}`, 'line 1: a package from neither Hex nor Git'],
    ['pubspec.lock', `packages:\n  ${password}:\n    version: "1"\n`, 'line 2: a package without version or source'],
  ])('is reported by line, without its text: %s', async (name, text, problem) => {
    await checkoutWith({ [name]: text });
    expect(await snapshot(name)).toBe(`forgectl: ${name}, ${problem}.\n`);
  });
});

describe.skipIf(process.platform === 'win32')('a file next to a lockfile', () => {
  it.each<[what: string, make: () => void, problem: string]>([
    [
      'a link out of the checkout',
      () => link('../netrc', 'package.json'),
      'resolves to a file outside of PARENT/checkout',
    ],
    ['a device', () => link('/dev/zero', 'package.json'), 'resolves to a file outside of PARENT/checkout'],
    ['a pipe', () => fifo('package.json'), 'is not a regular file'],
    ['a folder', () => mkdirSync(join(folder, 'package.json')), 'cannot be read: it is a directory'],
    [
      'a huge file',
      () => {
        writeFileSync(join(folder, 'package.json'), '');
        truncateSync(join(folder, 'package.json'), 50 * 1024 * 1024 + 1);
      },
      'is larger than 50 MiB',
    ],
  ])('is an error if it is %s', async (_, make, problem) => {
    await checkoutWith(yarn);
    make();
    expect(await snapshot('yarn.lock')).toBe(`forgectl: yarn.lock: package.json ${problem}.\n`);
  });

  it('is an error if requirements.txt includes it', async () => {
    await checkoutWith({ 'requirements.txt': 'idna==3.7\n-r base.txt\n' });
    link('../netrc', 'base.txt');
    expect(await snapshot('requirements.txt')).toBe(
      'forgectl: requirements.txt: base.txt resolves to a file outside of PARENT/checkout.\n',
    );
  });

  it('is an error if go.work uses it', async () => {
    await checkoutWith({ 'go.work': 'use ./api\n', 'api/README.md': '' });
    link('../../netrc', 'api/go.mod');
    expect(await snapshot('go.work')).toBe(
      'forgectl: go.work: api/go.mod resolves to a file outside of PARENT/checkout.\n',
    );
  });

  /** Returns the manifests of the snapshot of yarn.lock in the checkout. */
  async function manifests(): Promise<string> {
    const words = ['snapshots', 'create', 'yarn.lock', ...commit, '--jq', '.manifests | keys[]'];
    const { stdout, stderr } = await start(words, { env: env(), cwd: folder }).ended;
    return stdout + stderr;
  }

  it.each([
    ['repeated braces', '{a,b}'.repeat(28)],
    ['many stars', `${'*a'.repeat(30)}b`],
    ['braces with dots', '{,.}./*'],
    ['nested groups', '+(+(+(a)))b'],
    ['endless text', 'a'.repeat(5000)],
    ['endless slashes', `a${'/'.repeat(1e6)}b`],
  ])('is not searched for with a pattern of %s', async (_, pattern) => {
    await checkoutWith({ ...yarn, 'package.json': JSON.stringify({ workspaces: [pattern] }) });
    mkdirSync(join(folder, 'a'.repeat(200)));
    expect(await snapshot('yarn.lock')).toBe('forgectl: yarn.lock: workspace pattern not supported.\n');
  });

  it.each(['p{1..100000000}', '{..,.}/**'])('is not searched for with a pattern of two dots: %s', async (pattern) => {
    await checkoutWith({
      ...yarn,
      'package.json': JSON.stringify({ workspaces: [pattern], dependencies: { ms: '1' } }),
    });
    expect(await manifests()).toBe('yarn.lock\n');
  });

  it('is searched for with the usual patterns of workspaces', async () => {
    const dependencies = { ms: '1' };
    const projects = ['packages/a', 'apps/web', 'libs/x-core/y'].map((name) => [
      `${name}/package.json`,
      JSON.stringify({ dependencies }),
    ]);
    const workspaces = ['packages/*', '{apps,tools}/*', 'libs/**', 'docs/*-core-*'];
    await checkoutWith({
      ...yarn,
      ...Object.fromEntries(projects),
      'package.json': JSON.stringify({ workspaces, dependencies }),
    });
    expect(await manifests()).toBe(
      'apps/web/package.json\nlibs/x-core/y/package.json\npackages/a/package.json\nyarn.lock\n',
    );
  });

  it('is not searched for in folders whose paths are too long', async () => {
    await checkoutWith({ ...yarn, 'package.json': '{"workspaces": ["**"], "dependencies": {"ms": "1"}}' });
    // 20 names of 250 characters are more than the 4096 of a path.
    const make = 'for (let at = 0; at < 20; at++) { fs.mkdirSync("d".repeat(250)); process.chdir("d".repeat(250)); }';
    execFileSync(process.execPath, ['-e', make], { cwd: folder });
    onTestFinished(() => void execFileSync('rm', ['-r', join(folder, 'd'.repeat(250))]));
    expect(await manifests()).toBe('package.json\nyarn.lock\n');
  });

  it('is not searched for behind a link out of the checkout', async () => {
    await checkoutWith({ ...yarn, 'package.json': '{"workspaces": ["all/**"], "dependencies": {"ms": "1"}}' });
    // The search of the whole disk takes minutes.
    link('/', 'all');
    expect(await manifests()).toBe('yarn.lock\n');
  });
});

it.skipIf(process.platform === 'win32')('a file that a command finds in a repository must be regular', async () => {
  await checkoutWith({});
  for (const name of ['audit.yaml', 'pipe']) fifo(name);
  for (const name of ['policy', 'link.yml']) link(name === 'policy' ? '/' : '../netrc', name);
  const options = { env: { ...env(), FORGECTL_TOKEN: classicToken }, cwd: folder };
  const said = async (line: string) => {
    const { stdout, stderr, code } = await start(line.split(' '), options).ended;
    return `${code} ${(stdout + stderr).split('\n')[0]}`;
  };
  const imported = 'policy import safe-settings --organization acme';
  const lines = ['audit acme', `${imported} pipe`, `${imported} link.yml`, 'audit merge pipe', 'policy validate'];
  expect(await Promise.all(lines.map(said))).toEqual([
    '2 forgectl: audit.yaml is not a regular file.',
    '2 forgectl: pipe is not a regular file.',
    '2 forgectl: link.yml resolves to a file outside of the current folder.',
    '2 forgectl: pipe is not a regular file.',
    '2 forgectl: policy resolves to a folder outside of the current folder.',
  ]);
});

describe.skipIf(process.platform === 'win32')('a policy file', () => {
  const policy = 'organizations: [acme]\nsettings:\n  company: Acme\n';

  it.each<[what: string, named: string]>([
    ['in a folder', 'policy'],
    ['that is named', 'policy/link.yaml'],
  ])('%s is not read through a link out of its folder', async (_, named) => {
    await checkoutWith({ 'policy/a.yaml': policy });
    link('../../netrc', 'policy/link.yaml');
    const all = [refused('policy', 'validate', named), refused('policy', 'explain', 'acme', named)];
    for (const said of await Promise.all(all))
      expect(said).toContain('forgectl: policy/link.yaml resolves to a file outside of policy.');
  });

  it.each<[what: string, make: () => void, problem: string]>([
    ['a pipe', () => fifo('policy/b.yaml'), 'is not a regular file'],
    ['a device', () => link('/dev/zero', 'policy/b.yaml'), 'resolves to a file outside of policy'],
  ])('in a folder is an error if it is %s', async (_, make, problem) => {
    await checkoutWith({ 'policy/a.yaml': policy });
    make();
    expect(await refused('policy', 'validate', 'policy')).toContain(`forgectl: policy/b.yaml ${problem}.`);
  });

  it('is not read under more names than memory has room for', async () => {
    await checkoutWith({ 'policy/0.yaml': '#'.repeat(1024 * 1024) });
    for (let name = 1; name <= 64; name++) linkSync(join(folder, 'policy/0.yaml'), join(folder, `policy/${name}.yaml`));
    expect(await refused('policy', 'validate')).toContain(
      'forgectl: Together, the policy files have more than 64 MiB.',
    );
  });

  it('is read through links within its folder, as Kubernetes mounts it', async () => {
    await checkoutWith({ 'policy/..2026_11_22/a.yaml': policy });
    link('..2026_11_22', 'policy/..data');
    link('..data/a.yaml', 'policy/a.yaml');
    const { stderr, code } = await start(['policy', 'validate', 'policy'], { env: env(), cwd: folder }).ended;
    expect([stderr, code]).toEqual(['No errors in 1 file.\n', 0]);
  });

  it.each([
    ['policy validate <(cat policy/a.yaml)', 'No errors in 1 file.\n'],
    ['policy validate /dev/stdin < policy/a.yaml', 'No errors in 1 file.\n'],
    ['policy validate ../netrc.yaml', 'No errors in 1 file.\n'],
  ])('that is given explicitly may be a pipe, and be anywhere: %s', async (line, said) => {
    await checkoutWith({ 'policy/a.yaml': policy });
    writeFileSync(join(parent, 'netrc.yaml'), policy);
    const { stderr, code } = await bash(line);
    expect([stderr, code]).toEqual([said, 0]);
  });

  it('that is given explicitly may not be a pipe in a folder', async () => {
    await checkoutWith({});
    fifo('policy.yaml');
    link('/dev/tty', 'link.yaml');
    const all = ['validate', 'plan', 'apply'].map((verb) => refused('policy', verb, 'policy.yaml'));
    const linked = refused('policy', 'validate', 'link.yaml');
    for (const said of await Promise.all(all)) expect(said).toContain('forgectl: policy.yaml is not a regular file.');
    expect(await linked).toContain('forgectl: link.yaml resolves to a file outside of the current folder.');
  });

  it('that is given explicitly may not be endless', async () => {
    await checkoutWith({});
    expect(await refused('policy', 'validate', '/dev/zero')).toContain('/dev/zero is not a regular file.');
  });

  it.skipIf(!isReadable(kernelLog))('that is given explicitly may not wait for the kernel', async () => {
    await checkoutWith({});
    expect(await refused('policy', 'validate', kernelLog)).toContain(kernelLog);
  });
});

it.skipIf(process.platform === 'win32').each([
  ['out of the checkout', '../fleet', 'policy resolves to a folder outside of the current folder.'],
  ['to a missing folder', '../missing', 'policy is a link that leads to no folder.'],
])('no policy is written to an unnamed folder policy that is a link %s', async (_, to, problem) => {
  await checkoutWith({ 'org.yaml': 'orgs:\n  acme:\n    name: Acme\n', '../fleet/acme/profile.yaml': '# real\n' });
  link(to, 'policy');
  const imported = ['policy', 'import', 'peribolos', 'org.yaml', '--allow-losses', '--force'];
  for (const words of [['policy', 'export', 'acme', '--force'], imported])
    expect(await refused(...words)).toBe(`forgectl: ${problem}\nName the folder with --dir.\n`);
  expect(existsSync(join(parent, 'missing'))).toBe(false);
  expect(readdirSync(join(parent, 'fleet'), { recursive: true }).sort()).toEqual(['acme', 'acme/profile.yaml']);
  expect(readFileSync(join(parent, 'fleet/acme/profile.yaml'), 'utf8')).toBe('# real\n');
  const named = await start([...imported, '--dir', '../fleet'], { env: env(), cwd: folder }).ended;
  expect(named.code).toBe(0);
});

describe.skipIf(process.platform === 'win32')('a path of policy apply', () => {
  it('may be a pipe with a policy, which is read from its start', async () => {
    await checkoutWith({ 'bad.yaml': 'settings: 1\norganizations: [acme]\n' });
    const { stdout, stderr, code } = await bash('policy apply --yes <(cat bad.yaml)');
    expect(stdout + stderr).toMatch(/\/dev\/fd\/\d+:1:1: settings must be an object/);
    expect(code).toBe(2);
  });

  it('may not be a pipe with the name of a saved plan', async () => {
    await checkoutWith({});
    fifo('plan.ndjson');
    expect(await refused('policy', 'apply', 'plan.ndjson', '--yes')).toBe(
      'forgectl: plan.ndjson is not a regular file. Nothing was sent.\n',
    );
  });
});

it.skipIf(!isReadable(kernelLog))('a file that is not a plan does not keep policy apply waiting', async () => {
  await checkoutWith({});
  link(kernelLog, 'policy.yaml');
  expect(await refused('policy', 'apply', 'policy.yaml')).toContain(
    'forgectl: policy.yaml resolves to a file outside of the current folder.',
  );
});

function isReadable(file: string): boolean {
  try {
    closeSync(openSync(file, 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Runs a command line of forgectl in bash, which has process substitution. */
function bash(line: string) {
  const through = ['bash', '-c', `"$@" ${line}`, 'bash'];
  return start([], { env: { ...env(), FORGECTL_TOKEN: classicToken }, cwd: folder, through }).ended;
}

it('a file beside a lockfile is not read endlessly often', async () => {
  const members = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`${'./'.repeat(at)}m`, {}]));
  await checkoutWith({ 'deno.lock': JSON.stringify({ version: '5', workspace: { members } }), 'm/deno.json': '' });
  truncateSync(join(folder, 'm/deno.json'), 50 * 1024 * 1024);
  expect(await refused('snapshots', 'create', 'deno.lock', ...commit)).toBe(
    'forgectl: deno.lock: the files beside it have more than 200 MiB.\n',
  );
});

describe.skipIf(process.platform === 'win32')('a private key', () => {
  const login = ['auth', 'login', '--base-url', 'http://127.0.0.1:9/api/v3', '--app-id', '7', '--private-key-file'];

  it('may come from a pipe', async () => {
    await checkoutWith({});
    const { stderr } = await bash(`${login.join(' ')} <(echo no key)`);
    expect(stderr).toContain(' is not a private key in PEM format.');
  });

  it('may not be endless', async () => {
    await checkoutWith({});
    expect(await refused(...login, '/dev/zero')).toContain('/dev/zero (--private-key-file) is larger than 1 MiB.');
  });

  it('can be interrupted while a pipe without a writer is opened', async () => {
    await checkoutWith({});
    fifo('pipe');
    const running = start([...login, 'pipe'], { env: env(), cwd: folder });
    const writer = await open(join(folder, 'pipe'), 'w');
    running.child.kill('SIGINT');
    const { code, signal } = await running.ended;
    expect({ code, signal }).toEqual({ code: null, signal: 'SIGINT' });
    await writer.close();
  });
});

describe.skipIf(process.platform === 'win32')('the reader of regular files', () => {
  beforeAll(() => checkoutWith({ 'a.txt': 'four' }));

  it('reads through links, up to a limit', () => {
    link('a.txt', 'link.txt');
    expect(readRegularFile(join(folder, 'link.txt'), 4).toString()).toBe('four');
    expect(() => readRegularFile(join(folder, 'link.txt'), 3)).toThrow('is larger than');
    expect(readRegularFileBelow(folder, join(folder, 'link.txt'), 4).toString()).toBe('four');
  });

  it.runIf(process.platform === 'linux').each(['the file', 'its folder'])(
    'does not follow a link that replaces %s after the check',
    (what) => {
      mkdirSync(join(folder, what));
      const file = join(folder, what, 'netrc');
      writeFileSync(file, 'four');
      vi.spyOn(realpathSync, 'native').mockImplementation((path) => {
        const real = realpathSync(path);
        if (path !== file) return real;
        const replaced = what === 'the file' ? file : join(folder, what);
        renameSync(replaced, `${replaced}.old`);
        symlinkSync(what === 'the file' ? join(parent, 'netrc') : parent, replaced);
        return real;
      });
      onTestFinished(() => void vi.restoreAllMocks());
      expect(() => readRegularFileBelow(folder, file, 1024)).toThrow(`resolves to a file outside of ${folder}`);
    },
  );

  it('counts the bytes that it reads: files of /proc have no size', () => {
    if (process.platform !== 'linux') return;
    expect(() => readRegularFile('/proc/self/status', 1024 / 8)).toThrow('is larger than 0.125 KiB');
  });

  it('opens neither pipes nor devices', () => {
    fifo('pipe.txt');
    for (const path of [join(folder, 'pipe.txt'), '/dev/zero'])
      expect(() => readRegularFile(path, 4)).toThrow('is not a regular file');
  });
});
