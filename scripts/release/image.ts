/**
 * Container image for both architectures in the OCI image layout (https://github.com/opencontainers/image-spec), written
 * without a container engine: the executable, Debian's libraries and certificates, no shell.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { architectures, type LinuxPlatform } from './debian.ts';
import { unpackLibraries } from './debian-libraries.ts';
import { executableName } from './executables.ts';
import { sha256, sourceDate, version, write } from './files.ts';

export const imageName = `forgectl-${version}-image.tar`;

/** User and group of the image, in no range that systems assign. */
export const imageUser = 65532;
const home = 'home/forgectl';
const layout = 'build/parts/image';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Image {
  readonly manifest: Descriptor;
  readonly config: Descriptor;
  readonly layer: Descriptor;
}

/** Returns the folder that is the root of the image for a platform, once there is an image. */
export const imageRoot = (platform: LinuxPlatform): string => `build/parts/root-${architectures[platform]}`;

/** Makes the image of the executables in a folder, there. */
export function makeImage(folder: string): void {
  rmSync(layout, { recursive: true, force: true });
  const platforms: readonly LinuxPlatform[] = ['linux-x64', 'linux-arm64'];
  const images = platforms.map((platform) => imageFor(platform, folder));
  const manifests = images.map(({ manifest }, index) => ({
    ...manifest,
    platform: { os: 'linux', architecture: architectures[platforms[index] ?? 'linux-x64'] },
  }));
  const index = blob('index.v1+json', { schemaVersion: 2, mediaType: typeOf('index.v1+json'), manifests });
  const names = { 'org.opencontainers.image.ref.name': version, 'io.containerd.image.name': reference };
  put('index.json', { schemaVersion: 2, manifests: [{ ...index, annotations: names }] });
  put('oci-layout', { imageLayoutVersion: '1.0.0' });
  // Docker reads this if it keeps images in its own store, which has no images for several architectures.
  const legacy = images.map(({ config, layer }) => ({
    Config: pathOf(config),
    RepoTags: [reference],
    Layers: [pathOf(layer)],
  }));
  put('manifest.json', legacy.slice(0, 1));
  archive(layout, join(folder, imageName), [{ words: ['.'] }]);
  rmSync(layout, { recursive: true });
}

const reference = `localhost/forgectl:${version}`;

function imageFor(platform: LinuxPlatform, folder: string): Image {
  const architecture = architectures[platform];
  const root = imageRoot(platform);
  const packages = unpackLibraries(architecture, root);
  fill(root, join(folder, executableName(platform)), readFileSync(join(folder, 'THIRD_PARTY_LICENSES')));
  const tar = `${root}.tar`;
  archive(root, tar, [
    { words: [`--exclude=./${home}`, '--exclude=./tmp', '.'] },
    { owner: imageUser, words: [`./${home}`] },
    { mode: '1777', words: ['./tmp'] },
  ]);
  const content = readFileSync(tar);
  rmSync(tar);
  const layer = blob('layer.v1.tar+gzip', gzipSync(content));
  const created = new Date(sourceDate() * 1000).toISOString();
  const config = blob('config.v1+json', {
    created,
    architecture,
    os: 'linux',
    config: {
      User: `${imageUser}:${imageUser}`,
      Env: ['PATH=/usr/bin', `HOME=/${home}`],
      Entrypoint: ['/usr/bin/forgectl'],
      WorkingDir: `/${home}`,
      Labels: {
        'org.opencontainers.image.title': 'forgectl',
        'org.opencontainers.image.version': version,
        'org.opencontainers.image.licenses': 'MIT',
        'forgectl.debian-packages': packages.join(', '),
      },
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${sha256(content)}`] },
    history: [{ created, created_by: 'npm run release' }],
  });
  const manifest = blob('manifest.v1+json', {
    schemaVersion: 2,
    mediaType: typeOf('manifest.v1+json'),
    config,
    layers: [layer],
  });
  return { manifest, config, layer };
}

/** Adds all that is not Debian's to the root of an image. */
function fill(root: string, executable: string, licences: Uint8Array): void {
  mkdirSync(join(root, 'usr/bin'));
  copyFileSync(executable, join(root, 'usr/bin/forgectl'));
  write(join(root, 'usr/share/doc/forgectl/THIRD_PARTY_LICENSES'), licences);
  write(
    join(root, 'etc/passwd'),
    `root:x:0:0:root:/root:/usr/sbin/nologin\nforgectl:x:${imageUser}:${imageUser}:forgectl:/${home}:/usr/sbin/nologin\n`,
  );
  write(join(root, 'etc/group'), `root:x:0:\nforgectl:x:${imageUser}:\n`);
  write(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  mkdirSync(join(root, home), { recursive: true });
  mkdirSync(join(root, 'tmp'));
}

interface Part {
  readonly owner?: number;
  readonly mode?: string;
  /** What tar adds, and its other arguments. */
  readonly words: readonly string[];
}

/** Writes parts of a folder as tar, the same for the same files, whoever owns them here. */
function archive(folder: string, to: string, parts: readonly Part[]): void {
  rmSync(to, { force: true });
  for (const { owner = 0, mode = 'u+rw,go+r-w,a+X', words } of parts) {
    const same = ['--sort=name', '--format=ustar', `--mtime=@${sourceDate()}`, `--mode=${mode}`];
    const owners = ['--numeric-owner', `--owner=${owner}`, `--group=${owner}`];
    execFileSync('tar', ['--append', `--file=${to}`, `--directory=${folder}`, ...same, ...owners, ...words]);
  }
}

const typeOf = (name: string): string => `application/vnd.oci.image.${name}`;

const pathOf = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`;

/** Adds bytes or JSON to the layout. */
function blob(type: string, content: Uint8Array | object): Descriptor {
  const bytes = content instanceof Uint8Array ? content : Buffer.from(JSON.stringify(content));
  const descriptor = { mediaType: typeOf(type), digest: `sha256:${sha256(bytes)}`, size: bytes.length };
  write(join(layout, pathOf(descriptor)), bytes);
  return descriptor;
}

const put = (path: string, content: object): void => write(join(layout, path), JSON.stringify(content));
