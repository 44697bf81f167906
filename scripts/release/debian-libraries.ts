/** Shared libraries and certificates from Debian: the only files in the container image besides forgectl. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { write } from './files.ts';

const suites = ['http://deb.debian.org/debian trixie', 'http://deb.debian.org/debian-security trixie-security'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
/** The libraries that Node names, what gcc's need for their licences, and certificates. */
const packages = ['libc6', 'libgcc-s1', 'libstdc++6', 'libatomic1', 'gcc-14-base', 'ca-certificates'];
/** The files of them that are needed, and the licences, some of which are links to those of gcc-14-base. */
const needed = [
  'usr/lib/*/*.so*',
  'usr/lib/ld-linux-*',
  'usr/lib64/*',
  'usr/share/doc/*/copyright',
  'usr/share/doc/lib{gcc-s1,stdc++6,atomic1}',
];

/** Writes the files of Debian's packages for an architecture to a new folder. Returns the packages with their versions. */
export function unpackLibraries(architecture: string, folder: string): string[] {
  const archives = `build/debian/${architecture}`;
  download(architecture, archives);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'usr/lib'), { recursive: true });
  symlinkSync('usr/lib', join(folder, 'lib'));
  if (architecture === 'amd64') symlinkSync('usr/lib64', join(folder, 'lib64'));
  const unpacked = `${folder}-unpacked`;
  const versions = packages.map((name) => {
    const [archive = '', ...others] = globSync(join(archives, `${name}_*.deb`));
    if (archive === '' || others.length > 0) throw new Error(`${archives} does not have one archive of ${name}.`);
    execFileSync('dpkg-deb', ['--extract', archive, unpacked]);
    const control = execFileSync('dpkg-deb', ['--field', archive], { encoding: 'utf8' });
    // Where scanners look for packages in images without a package manager.
    write(join(folder, 'var/lib/dpkg/status.d', name), control);
    return `${name} ${/^Version: (.*)$/m.exec(control)?.[1]}`;
  });
  for (const path of globSync(needed, { cwd: unpacked }))
    cpSync(join(unpacked, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  const certificates = globSync(join(unpacked, 'usr/share/ca-certificates/mozilla/*.crt')).sort();
  const texts = certificates.map((file) => readFileSync(file, 'utf8'));
  write(join(folder, 'etc/ssl/certs/ca-certificates.crt'), texts.join(''));
  rmSync(unpacked, { recursive: true });
  return versions;
}

/** Downloads the newest packages, checked by apt with Debian's keys, without the lists and settings of this machine. */
function download(architecture: string, folder: string): void {
  const state = resolve('build/parts/apt', architecture);
  rmSync(folder, { recursive: true, force: true });
  for (const path of [folder, join(state, 'lists/partial'), join(state, 'cache/archives/partial')])
    mkdirSync(path, { recursive: true });
  const sources = join(state, 'sources.list');
  write(sources, suites.map((suite) => `deb [signed-by=${keyring}] ${suite} main\n`).join(''));
  write(join(state, 'status'), '');
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': 'root',
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': join(state, 'cache'),
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '/dev/null',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  execFileSync('apt-get', ['-qq', ...flags, 'update'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', ['-qq', ...flags, 'download', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
