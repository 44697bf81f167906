import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { privateDirectory, readPrivateFile, writePrivateFile } from '../../src/disk/private-files.ts';
import { temporaryDirectory } from '../support/run.ts';

/** Only root can give files to others. */
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

let parent: string;

beforeEach(async () => {
  parent = await temporaryDirectory();
});

describe.skipIf(process.platform === 'win32')('a private directory', () => {
  it('is created with its parents, for its owner only, whatever the umask', () => {
    const before = process.umask(0o777);
    try {
      expect(privateDirectory(join(parent, 'a', 'own'), 'below')).toBe(join(parent, 'a', 'own', 'below'));
    } finally {
      process.umask(before);
    }
    for (const path of ['a', 'a/own', 'a/own/below']) expect(statSync(join(parent, path)).mode & 0o777).toBe(0o700);
  });

  it('may be below a link, which is resolved', () => {
    mkdirSync(join(parent, 'real'));
    symlinkSync('real', join(parent, 'link'));
    expect(privateDirectory(join(parent, 'link', 'own'))).toBe(join(parent, 'real', 'own'));
  });

  it.each(['own', 'own/below'])('is rejected if %s is a link', (path) => {
    mkdirSync(join(parent, 'elsewhere'));
    if (path !== 'own') mkdirSync(join(parent, 'own'));
    symlinkSync(join(parent, 'elsewhere'), join(parent, path));
    expect(() => privateDirectory(join(parent, 'own'), 'below')).toThrow(`${join(parent, path)} is a symbolic link`);
    expect(readdirSync(join(parent, 'elsewhere'))).toEqual([]);
  });

  it('is rejected if it is a file', () => {
    writeFileSync(join(parent, 'own'), 'mine');
    expect(() => privateDirectory(join(parent, 'own'))).toThrow(`${join(parent, 'own')} is not a directory`);
  });

  it.each([
    ['own', 0o770],
    ['own/below', 0o702],
    // The sticky bit keeps others from renaming files of the user, not from creating some.
    ['own', 0o1777],
    ['.', 0o777],
    ['.', 0o770],
  ])('is rejected if %s has the mode %o', (path, mode) => {
    mkdirSync(join(parent, 'own/below'), { recursive: true, mode: 0o700 });
    chmodSync(join(parent, path), mode);
    expect(() => privateDirectory(join(parent, 'own'), 'below')).toThrow(
      `${path === '.' ? parent : join(parent, path)} is writable by others`,
    );
  });

  it('is accepted below a sticky directory that everyone may write to', () => {
    chmodSync(parent, 0o1777);
    expect(privateDirectory(join(parent, 'own'))).toBe(join(parent, 'own'));
  });

  it.skipIf(!isRoot).each(['.', 'own', 'own/below'])('is rejected if %s belongs to another user', (path) => {
    mkdirSync(join(parent, 'own/below'), { recursive: true, mode: 0o700 });
    chownSync(join(parent, path), nobody, nobody);
    expect(() => privateDirectory(join(parent, 'own'), 'below')).toThrow('belongs to another user');
  });
});

describe('a private file', () => {
  it('is written for its owner only, whatever the umask, and replaces the old file', () => {
    const path = join(parent, 'file');
    writeFileSync(path, 'old', { mode: 0o644 });
    const before = process.umask(0o777);
    try {
      writePrivateFile(path, Buffer.from('n'), Buffer.from('ew'));
    } finally {
      process.umask(before);
    }
    expect(readPrivateFile(path, 3).toString()).toBe('new');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(parent)).toEqual(['file']);
  });

  it('leaves nothing behind if it cannot be renamed', () => {
    mkdirSync(join(parent, 'file'));
    expect(() => writePrivateFile(join(parent, 'file'), Buffer.from('new'))).toThrow();
    expect(readdirSync(parent)).toEqual(['file']);
  });

  it('of more bytes than expected is rejected', () => {
    writePrivateFile(join(parent, 'file'), Buffer.alloc(1025));
    expect(() => readPrivateFile(join(parent, 'file'), 1024)).toThrow('file is larger than 1 KiB');
  });

  const refused = 'must be a regular file that you own, with mode 0600';

  it.skipIf(process.platform === 'win32').each<[what: string, make: (path: string) => void, reason: string]>([
    ['others may read', (path) => chmodSync(path, 0o640), refused],
    ['has a second name', (path) => linkSync(path, `${path}.other`), refused],
    ['is a named pipe', (path) => execFileSync('sh', ['-c', 'rm "$1"; mkfifo -m 600 "$1"', 'sh', path]), refused],
    ['is a link', (path) => execFileSync('sh', ['-c', 'mv "$1" "$1.real"; ln -s "$1.real" "$1"', 'sh', path]), 'ELOOP'],
  ])('is not one that %s', (_what, make, reason) => {
    const path = join(parent, 'file');
    writePrivateFile(path, Buffer.from('text'));
    make(path);
    expect(() => readPrivateFile(path, 100)).toThrow(reason);
  });

  it.skipIf(!isRoot)('is not one of another user', () => {
    const path = join(parent, 'file');
    writePrivateFile(path, Buffer.from('text'));
    chownSync(path, nobody, nobody);
    expect(() => readPrivateFile(path, 100)).toThrow(refused);
  });

  it.skipIf(!existsSync('/dev/null'))('is no device', () => {
    expect(lstatSync('/dev/null').isFile()).toBe(false);
    expect(() => readPrivateFile('/dev/null', 100)).toThrow(refused);
    expect(readFileSync('/dev/null')).toHaveLength(0);
  });
});
