/** Debian packages of the executables for Linux, with man page, completions and licences. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, globSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { executableName } from './executables.ts';
import { sourceDate, version, write } from './files.ts';

/** Debian's names of the platforms that get a package. */
export const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' } as const;
export type LinuxPlatform = keyof typeof architectures;

const maintainer = 'the forgectl authors <authors@forgectl.invalid>';

/** Completion scripts by the paths where the shells look for them. */
const completions = {
  bash: 'usr/share/bash-completion/completions/forgectl',
  zsh: 'usr/share/zsh/vendor-completions/_forgectl',
  fish: 'usr/share/fish/vendor_completions.d/forgectl.fish',
} as const;

export const debianName = (platform: LinuxPlatform): string => `forgectl_${version}_${architectures[platform]}.deb`;

/** Makes the Debian package of a platform beside its executable in `folder`, which also has one for this machine. */
export function makeDebianPackage(platform: LinuxPlatform, folder: string): string {
  const root = `build/parts/${architectures[platform]}`;
  rmSync(root, { recursive: true, force: true });
  const put = (path: string, content: string | Uint8Array) => write(join(root, path), content);
  const doc = (name: string) => `usr/share/doc/forgectl/${name}`;
  put(doc('copyright'), copyright());
  put(doc('changelog.gz'), gzipSync(changelog(), { level: 9 }));
  put(doc('THIRD_PARTY_LICENSES.gz'), gzipSync(readFileSync(join(folder, 'THIRD_PARTY_LICENSES')), { level: 9 }));
  put('usr/share/man/man1/forgectl.1.gz', gzipSync(readFileSync('man/forgectl.1'), { level: 9 }));
  put('usr/share/lintian/overrides/forgectl', readFileSync(new URL('debian/lintian-overrides', import.meta.url)));
  for (const [shell, path] of Object.entries(completions)) put(path, completion(shell, folder));
  put('usr/bin/forgectl', '');
  copyFileSync(join(folder, executableName(platform)), join(root, 'usr/bin/forgectl'));
  chmodSync(join(root, 'usr/bin/forgectl'), 0o755);
  const files = globSync('usr/**', { cwd: root }).filter((path) => lstatSync(join(root, path)).isFile());
  const sums = files.sort().map((path) => `${md5(readFileSync(join(root, path)))}  ${path}\n`);
  const size = files.reduce((bytes, path) => bytes + lstatSync(join(root, path)).size, 0);
  put('DEBIAN/md5sums', sums.join(''));
  put('DEBIAN/control', control(platform, Math.ceil(size / 1024)));
  const file = join(folder, debianName(platform));
  // Compressed with one thread: the number of threads changes the bytes.
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z3', '--threads-max=1', root, file], {
    env: { ...process.env, SOURCE_DATE_EPOCH: String(sourceDate()) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(root, { recursive: true });
  return file;
}

/** The dependencies are the libraries that Node names, at the versions of its oldest supported system. */
const control = (platform: LinuxPlatform, kibibytes: number): string => `Package: forgectl
Version: ${version}
Architecture: ${architectures[platform]}
Maintainer: ${maintainer}
Installed-Size: ${kibibytes}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1 | libgcc1, libstdc++6 (>= 8)
Recommends: ca-certificates
Section: admin
Priority: optional
Description: administer a self-managed source-code hosting platform
 forgectl administers organizations, repositories, rulesets, teams, access and
 more over the REST API of a platform that is compatible with GitHub Enterprise
 Server, from terminals, scripts and CI. It keeps settings in files, with
 plans, guards and an undo, and runs one command on thousands of repositories.
`;

function copyright(): string {
  const [, holder = '', terms = ''] =
    /^MIT License\n\nCopyright \(c\) (.*)\n\n([\s\S]*)$/.exec(readFileSync('LICENSE', 'utf8')) ?? [];
  const licence = terms
    .trim()
    .split('\n')
    .map((line) => ` ${line || '.'}`);
  const template = readFileSync(new URL('debian/copyright', import.meta.url), 'utf8');
  return template.replace('@COPYRIGHT@', holder).replace('@LICENCE@', licence.join('\n'));
}

const changelog = (): string => `forgectl (${version}) stable; urgency=medium

  * See CHANGELOG.md of this version.

 -- ${maintainer}  ${new Date(sourceDate() * 1000).toUTCString().replace('GMT', '+0000')}
`;

function completion(shell: string, folder: string): string {
  const program = join(folder, executableName('linux-x64'));
  return execFileSync(program, ['autocomplete', shell], { encoding: 'utf8', env: { HOME: '/nonexistent' } });
}

const md5 = (content: Uint8Array): string => createHash('md5').update(content).digest('hex');
