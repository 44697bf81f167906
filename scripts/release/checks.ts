/** Checks of the files of a release. Each names the programs that it needs, with the packages of Debian that have them. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { smoke } from '../smoke.ts';
import { architectures, debianName, type LinuxPlatform } from './debian.ts';
import { executableName } from './executables.ts';
import { version, write } from './files.ts';
import { imageName, imageRoot, imageUser } from './image.ts';
import { sbomProblems } from './sbom.ts';

export interface Check {
  readonly name: string;
  /** Programs that the check runs, by Debian's packages. */
  readonly programs: Readonly<Record<string, string>>;
  readonly asRoot?: boolean;
  /** Throws if the files in the folder are wrong. */
  run(folder: string): void | Promise<void>;
}

const linux: readonly LinuxPlatform[] = ['linux-x64', 'linux-arm64'];

export const checks: readonly Check[] = [
  {
    name: 'The executable for Linux x64 works',
    programs: {},
    run: (folder) => smoke([resolve(folder, executableName('linux-x64'))]),
  },
  {
    name: 'The executable for Linux arm64 works in an emulator',
    programs: { 'qemu-aarch64-static': 'qemu-user-static' },
    run: (folder) =>
      smoke([
        'qemu-aarch64-static',
        '-L',
        resolve(imageRoot('linux-arm64')),
        resolve(folder, executableName('linux-arm64')),
      ]),
  },
  { name: 'The executables for macOS and Windows have the headers of their systems', programs: {}, run: checkHeaders },
  {
    name: 'install.sh installs an executable, and none with a wrong checksum',
    programs: { curl: 'curl' },
    run: checkInstallation,
  },
  {
    name: 'install.sh follows the rules of shellcheck',
    programs: { shellcheck: 'shellcheck' },
    run: (folder) => run('shellcheck', join(folder, 'install.sh')),
  },
  {
    name: 'The Debian packages follow the rules of lintian',
    programs: { lintian: 'lintian' },
    run: (folder) =>
      run(
        'lintian',
        '--fail-on',
        'error',
        '--allow-root',
        ...linux.map((platform) => join(folder, debianName(platform))),
      ),
  },
  {
    name: 'The Debian package installs and removes',
    programs: { dpkg: 'dpkg' },
    asRoot: true,
    run: checkDebianPackage,
  },
  {
    name: 'skopeo reads the image, for both architectures',
    programs: { skopeo: 'skopeo' },
    run: (folder) => {
      for (const architecture of Object.values(architectures))
        run('skopeo', '--override-arch', architecture, 'inspect', `oci-archive:${join(folder, imageName)}:${version}`);
    },
  },
  {
    name: 'The image works, unprivileged, with read-only files',
    programs: { skopeo: 'skopeo', umoci: 'umoci', unshare: 'util-linux' },
    asRoot: true,
    run: checkImage,
  },
  {
    name: 'The bill of materials follows the schema of CycloneDX',
    programs: {},
    run: async (folder) => assert.deepEqual(await sbomProblems(folder), []),
  },
];

function run(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Magic numbers of Mach-O (`mach-o/loader.h`) and PE, and the processors after them. */
function checkHeaders(folder: string): void {
  const start = (name: string) => {
    const bytes = Buffer.alloc(4096);
    readSync(openSync(join(folder, name), 'r'), bytes);
    return bytes;
  };
  const processors = { 'macos-x64': 0x01000007, 'macos-arm64': 0x0100000c } as const;
  for (const [platform, processor] of Object.entries(processors)) {
    const bytes = start(executableName(platform as keyof typeof processors));
    assert.deepEqual([bytes.readUInt32LE(0), bytes.readUInt32LE(4)], [0xfeedfacf, processor], platform);
  }
  const windows = start(executableName('windows-x64'));
  const header = windows.readUInt32LE(0x3c);
  assert.deepEqual(
    [windows.toString('latin1', 0, 2), windows.toString('latin1', header, header + 4)],
    ['MZ', 'PE\0\0'],
  );
  assert.equal(windows.readUInt16LE(header + 4), 0x8664);
}

async function checkInstallation(folder: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'forgectl-release-'));
  let sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
  const server = createServer(({ url = '' }, response) => {
    response.end(url === '/SHA256SUMS' ? sums : readFileSync(join(folder, url)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    FORGECTL_INSTALL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  const install = async () => {
    const [code] = await once(spawn('sh', [join(folder, 'install.sh')], { env, stdio: 'ignore' }), 'exit');
    return code;
  };
  const installed = join(home, '.local/bin/forgectl');
  try {
    assert.equal(await install(), 0);
    assert.match(spawnSync(installed, ['--version'], { encoding: 'utf8' }).stdout, new RegExp(`^forgectl/${version} `));
    rmSync(installed);
    sums = sums.replaceAll(/^./gm, (digit) => (digit === '0' ? '1' : '0'));
    assert.equal(await install(), 1);
    assert.throws(() => readFileSync(installed));
  } finally {
    server.close();
    rmSync(home, { recursive: true });
  }
}

/** Installs the package in an empty folder that claims to have its dependencies, and removes it from there. */
function checkDebianPackage(folder: string): void {
  const root = mkdtempSync(join(tmpdir(), 'forgectl-release-'));
  const dpkg = (...words: readonly string[]) => run('dpkg', `--root=${root}`, '--log=/dev/null', ...words);
  try {
    mkdirSync(join(root, 'var/lib/dpkg/info'), { recursive: true });
    mkdirSync(join(root, 'var/lib/dpkg/updates'));
    const present = { libatomic1: 12, libc6: 2.28, 'libgcc-s1': 12, 'libstdc++6': 12 };
    for (const name of Object.keys(present)) write(join(root, `var/lib/dpkg/info/${name}.list`), '');
    const installed = Object.entries(present).map(
      ([name, version]) =>
        `Package: ${name}\nStatus: install ok installed\nMaintainer: -\nArchitecture: amd64\nVersion: ${version}\nDescription: -\n`,
    );
    write(join(root, 'var/lib/dpkg/status'), `${installed.join('\n')}\n`);
    dpkg('--install', join(folder, debianName('linux-x64')));
    const program = join(root, 'usr/bin/forgectl');
    assert.match(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout, new RegExp(`^forgectl/${version} `));
    dpkg('--purge', 'forgectl');
    assert.throws(() => readFileSync(join(root, 'usr')), { code: 'ENOENT' });
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Runs the unpacked image as a container engine does: another root, another user, nothing to write to but /tmp. */
async function checkImage(folder: string): Promise<void> {
  const bundle = mkdtempSync(join(tmpdir(), 'forgectl-release-'));
  try {
    run('skopeo', 'copy', '--quiet', `oci-archive:${join(folder, imageName)}:${version}`, `oci:${bundle}/oci:image`);
    run('umoci', 'unpack', '--image', `${bundle}/oci:image`, `${bundle}/unpacked`);
    const temporary = join(bundle, 'tmp');
    mkdirSync(temporary);
    chownSync(temporary, imageUser, imageUser);
    const script = `mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && mount --bind "$2" "$1/tmp" || exit
root=$1; shift 2
exec chroot --userspec=${imageUser}:${imageUser} "$root" /usr/bin/forgectl "$@"`;
    await smoke(['unshare', '--mount', 'sh', '-c', script, 'sh', `${bundle}/unpacked/rootfs`, temporary], {
      shell: false,
    });
  } finally {
    rmSync(bundle, { recursive: true });
  }
}
