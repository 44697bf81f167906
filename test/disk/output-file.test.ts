/** Files that users name. Others may have planted links, and exchange directories while a file is written. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasAppendOnly } from '../support/append-only.ts';
import { temporaryDirectory } from '../support/run.ts';

/** Only root can give files to others. */
const isRoot = process.getuid?.() === 0;
const nobody = 65534;

let parent: string;
let at: (...names: string[]) => string;

beforeEach(async () => {
  parent = await temporaryDirectory();
  at = (...names) => join(parent, ...names);
});

function withUmask(mask: number): void {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
}

const mode = (path: string) => statSync(path).mode & 0o7777;
const once = { replace: false, isPrivate: false };
const over = { replace: true, isPrivate: false };

const own = process.platform;

// Linux has descriptors of directories; other systems compare paths.
describe.skipIf(own === 'win32').each(own === 'linux' ? ['linux', 'darwin'] : [own])('on %s', (platform) => {
  let disk: typeof import('../../src/disk/output-file.ts') & typeof import('../../src/disk/directory.ts');

  beforeAll(async () => {
    vi.resetModules();
    Object.defineProperty(process, 'platform', { value: platform });
    disk = { ...(await import('../../src/disk/output-file.ts')), ...(await import('../../src/disk/directory.ts')) };
  });
  afterAll(() => {
    Object.defineProperty(process, 'platform', { value: own });
    vi.resetModules();
  });

  describe('a file that the user named', () => {
    it('is new, and has the mode of the umask', () => {
      withUmask(0o027);
      disk.writeOutputFile(at('report.json'), 'new', once);
      expect(readFileSync(at('report.json'), 'utf8')).toBe('new');
      expect([mode(at('report.json')), statSync(at('report.json')).nlink]).toEqual([0o640, 1]);
      expect(readdirSync(parent)).toEqual(['report.json']);
    });

    it.each([0o000, 0o777])('is for its owner only if it is private, with a umask of %o', (mask) => {
      withUmask(mask);
      disk.writeOutputFile(at('plan.ndjson'), 'new', { replace: false, isPrivate: true });
      expect(mode(at('plan.ndjson'))).toBe(0o600);
    });

    it('replaces another one only if that is allowed, and never its content', () => {
      writeFileSync(at('a'), 'earlier');
      const earlier = openSync(at('a'), 'r');
      onTestFinished(() => closeSync(earlier));
      expect(() => disk.requireOutputFile(at('a'), once)).toThrow(`${at('a')} already exists`);
      expect(() => disk.writeOutputFile(at('a'), 'new', once)).toThrow(`${at('a')} already exists`);
      expect(readFileSync(at('a'), 'utf8')).toBe('earlier');
      disk.requireOutputFile(at('a'), over);
      disk.writeOutputFile(at('a'), 'new', over);
      expect(readFileSync(at('a'), 'utf8')).toBe('new');
      expect(readFileSync(earlier, 'utf8')).toBe('earlier');
      expect(readdirSync(parent)).toEqual(['a']);
    });

    it('replaces no file that appears while it is written, unless that is allowed, too', () => {
      writeFileSync(at('a'), 'earlier');
      function* content() {
        yield 'new';
        renameSync(at('precious'), at('a'));
      }
      const replace = () => readFileSync(at('a'), 'utf8') === 'earlier';
      writeFileSync(at('precious'), 'mine');
      expect(() => disk.writeOutputFile(at('a'), content(), { ...once, replace })).toThrow(`${at('a')} already exists`);
      expect(readFileSync(at('a'), 'utf8')).toBe('mine');
      writeFileSync(at('precious'), 'earlier');
      expect(() => disk.writeOutputFile(at('a'), content(), { ...once, replace })).toThrow(`${at('a')} already exists`);
      writeFileSync(at('a'), 'earlier');
      disk.writeOutputFile(at('a'), content(), { ...once, replace });
      expect(readFileSync(at('a'), 'utf8')).toBe('new');
      expect(readdirSync(parent)).toEqual(['a']);
    });

    it.skipIf(!hasAppendOnly)('is complete in a directory that keeps its files', () => {
      mkdirSync(at('kept'));
      execFileSync('chattr', ['+a', at('kept')]);
      try {
        disk.writeOutputFile(at('kept/a'), 'new', once);
        expect(() => disk.writeOutputFile(at('kept/a'), 'newer', over)).toThrow('EPERM');
      } finally {
        execFileSync('chattr', ['-a', at('kept')]);
      }
      expect(readFileSync(at('kept/a'), 'utf8')).toBe('new');
    });

    it.each<[what: string, make: (path: string) => void, obstacle: string]>([
      ['a link of the user', (path) => symlinkSync('precious', path), 'is a symbolic link'],
      ['a link that leads nowhere', (path) => symlinkSync('nowhere', path), 'is a symbolic link'],
      ['a directory', (path) => mkdirSync(path), 'is a directory'],
    ])('is rejected in place of %s', (_what, make, obstacle) => {
      writeFileSync(at('precious'), 'mine');
      make(at('a'));
      for (const options of [once, over]) {
        expect(() => disk.requireOutputFile(at('a'), options)).toThrow(`${at('a')} ${obstacle}`);
        expect(() => disk.writeOutputFile(at('a'), 'new', options)).toThrow(`${at('a')} ${obstacle}`);
      }
      expect(readFileSync(at('precious'), 'utf8')).toBe('mine');
      expect(readdirSync(parent)).toEqual(['a', 'precious']);
    });

    it.each(['new/', ''])('is rejected with the path of a directory: %j', (path) => {
      expect(() => disk.writeOutputFile(path && at(path), 'new', over)).toThrow('is a directory');
    });

    it('may be below links of the user, relative and absolute, and above a link’s directory', () => {
      mkdirSync(at('real/deep'), { recursive: true });
      symlinkSync('real', at('relative'));
      symlinkSync(at('relative/deep'), at('absolute'));
      disk.writeOutputFile(at('relative/a'), 'new', once);
      disk.writeOutputFile(`${parent}/absolute/../b`, 'new', once);
      expect(readdirSync(at('real')).sort()).toEqual(['a', 'b', 'deep']);
    });

    it('is rejected below a loop of links', () => {
      symlinkSync('b', at('a'));
      symlinkSync('a', at('b'));
      expect(() => disk.writeOutputFile(at('a/file'), 'new', once)).toThrow('contains a loop of symbolic links');
    });

    it('leaves nothing behind if it cannot be written', () => {
      expect(() => disk.writeOutputFile(at('no/a'), 'new', once)).toThrow('ENOENT');
      expect(() => disk.requireOutputFile(at('no/a'), once)).toThrow('ENOENT');
      writeFileSync(at('file'), '');
      expect(() => disk.writeOutputFile(at('file/a'), 'new', once)).toThrow(`${at('file')} is not a directory`);
      expect(readdirSync(parent)).toEqual(['file']);
    });

    it.skipIf(!isRoot).each([0o1777, 0o777, 0o755])(
      'is not written through a link of another user, mode %o',
      (bits) => {
        mkdirSync(at('shared'));
        chmodSync(at('shared'), bits);
        mkdirSync(at('target'));
        writeFileSync(at('target/precious'), 'mine');
        symlinkSync(at('target/precious'), at('shared/file'));
        symlinkSync(at('target'), at('shared/folder'));
        for (const link of ['file', 'folder']) lchownSync(at('shared', link), nobody, nobody);
        const through = at('shared/folder/precious');
        expect(() => disk.writeOutputFile(at('shared/file'), 'evil', over)).toThrow('shared/file is a symbolic link');
        expect(() => disk.requireOutputFile(at('shared/file'), over)).toThrow('shared/file is a symbolic link');
        expect(() => disk.writeOutputFile(through, 'evil', over)).toThrow(
          `${at('shared/folder')} is a symbolic link of another user`,
        );
        expect(() => disk.requireOutputFile(through, over)).toThrow('shared/folder is a symbolic link of another user');
        expect(readFileSync(at('target/precious'), 'utf8')).toBe('mine');
        expect([readdirSync(at('shared')), readdirSync(at('target'))]).toEqual([['file', 'folder'], ['precious']]);
      },
    );

    it('is written to a named pipe or a device of the user or root, which stays', () => {
      execFileSync('mkfifo', [at('pipe')]);
      const reader = openSync(at('pipe'), constants.O_RDWR);
      onTestFinished(() => closeSync(reader));
      disk.requireOutputFile(at('pipe'), once);
      disk.writeOutputFile(at('pipe'), 'new', once);
      const read = Buffer.alloc(10);
      expect(read.toString('utf8', 0, readSync(reader, read))).toBe('new');
      expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
      disk.writeOutputFile('/dev/null', 'new', once);
      expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    });

    it('can be interrupted while it is written to a device or a descriptor', () => {
      const listener = () => {};
      process.on('SIGINT', listener);
      onTestFinished(() => void process.off('SIGINT', listener));
      const log = openSync(at('log'), 'w');
      onTestFinished(() => closeSync(log));
      for (const file of ['/dev/null', `/dev/fd/${log}`]) {
        const seen: boolean[] = [];
        const pieces = (function* () {
          seen.push(process.listeners('SIGINT').includes(listener));
          yield 'new';
        })();
        disk.writeOutputFile(file, pieces, once);
        expect([...seen, process.listeners('SIGINT').includes(listener)]).toEqual([false, true]);
      }
    });

    it.skipIf(!isRoot)('is not written to a named pipe of another user', () => {
      execFileSync('mkfifo', [at('pipe')]);
      chownSync(at('pipe'), nobody, nobody);
      const reader = openSync(at('pipe'), constants.O_RDWR | constants.O_NONBLOCK);
      onTestFinished(() => closeSync(reader));
      expect(() => disk.requireOutputFile(at('pipe'), over)).toThrow('is not a regular file');
      expect(() => disk.writeOutputFile(at('pipe'), 'secret', over)).toThrow('is not a regular file');
      expect(() => readSync(reader, Buffer.alloc(10))).toThrow('EAGAIN');
    });

    it.skipIf(!existsSync('/dev/fd'))('is appended to the existing content of a descriptor', () => {
      const descriptor = openSync(at('log'), 'w');
      onTestFinished(() => closeSync(descriptor));
      writeFileSync(descriptor, 'before ');
      disk.requireOutputFile(`/dev/fd/${descriptor}`, once);
      disk.writeOutputFile(`/dev/fd/${descriptor}`, 'new ', once);
      writeFileSync(descriptor, 'after');
      expect(readFileSync(at('log'), 'utf8')).toBe('before new after');
    });

    it.skipIf(!existsSync('/dev/full'))('reports a full device', () => {
      expect(() => disk.writeOutputFile('/dev/full', 'new', once)).toThrow('ENOSPC');
    });
  });

  it.each([
    [once, 'linkSync'],
    [over, 'renameSync'],
  ])('a file is on disk before it gets its name: %j', async (how, named) => {
    const calls: string[] = [];
    vi.doMock('node:fs', async (original) => {
      const fs = await original<typeof import('node:fs')>();
      const noted = (name: 'fsyncSync' | 'linkSync' | 'renameSync') => ({
        [name]: (...words: never[]) => {
          calls.push(name);
          return (fs[name] as (...words: never[]) => void)(...words);
        },
      });
      return { ...fs, ...noted('fsyncSync'), ...noted('linkSync'), ...noted('renameSync') };
    });
    onTestFinished(() => vi.doUnmock('node:fs'));
    vi.resetModules();
    const { writeOutputFile } = await import('../../src/disk/output-file.ts');
    writeOutputFile(at('new'), 'text', how);
    expect(calls).toEqual(['fsyncSync', named]);
  });

  describe('a file below a folder', () => {
    it('is created with the folders above it, and replaces another one', () => {
      withUmask(0o027);
      disk.requireFileBelow(at('new/policy'), ['acme', 'a.yaml'], once);
      disk.writeFileBelow(at('new/policy'), ['acme', 'a.yaml'], 'one', once);
      disk.writeFileBelow(at('new/policy'), ['acme', 'a.yaml'], 'two', over);
      expect(readFileSync(at('new/policy/acme/a.yaml'), 'utf8')).toBe('two');
      expect(['new', 'new/policy/acme', 'new/policy/acme/a.yaml'].map((path) => mode(at(path)))).toEqual([
        0o750, 0o750, 0o640,
      ]);
      expect(readdirSync(at('new/policy/acme'))).toEqual(['a.yaml']);
    });

    it('replaces another one only if that is allowed, also behind the parent of a link', () => {
      mkdirSync(at('elsewhere/deep'), { recursive: true });
      writeFileSync(at('elsewhere/a.yaml'), 'mine');
      symlinkSync('elsewhere/deep', at('link'));
      const folder = `${parent}/link/..`;
      expect(() => disk.requireFileBelow(folder, ['a.yaml'], once)).toThrow('already exists');
      expect(() => disk.writeFileBelow(folder, ['a.yaml'], 'new', once)).toThrow('already exists');
      expect(readFileSync(at('elsewhere/a.yaml'), 'utf8')).toBe('mine');
    });

    it('may be below a link of the user that is the folder itself', () => {
      mkdirSync(at('real'));
      symlinkSync('real', at('policy'));
      disk.writeFileBelow(at('policy'), ['a.yaml'], 'new', over);
      expect(readdirSync(at('real'))).toEqual(['a.yaml']);
    });

    it.each(['acme', 'acme/rulesets', 'acme/rulesets/a.yaml'])('is rejected if %s is a link', (...names) => {
      const link = at('policy', ...names.filter(Boolean));
      mkdirSync(join(link, '..'), { recursive: true });
      mkdirSync(at('elsewhere/rulesets'), { recursive: true });
      symlinkSync(at('elsewhere'), link);
      const file = ['acme', 'rulesets', 'a.yaml'];
      expect(() => disk.requireFileBelow(at('policy'), file, over)).toThrow(`${link} is a symbolic link`);
      expect(() => disk.writeFileBelow(at('policy'), file, 'new', over)).toThrow(`${link} is a symbolic link`);
      expect([readdirSync(at('elsewhere')), readdirSync(at('elsewhere/rulesets'))]).toEqual([['rulesets'], []]);
    });

    it('is rejected in place of a pipe', () => {
      mkdirSync(at('policy'));
      execFileSync('mkfifo', [at('policy/a.yaml')]);
      expect(() => disk.writeFileBelow(at('policy'), ['a.yaml'], 'new', over)).toThrow('is not a regular file');
    });

    it.each(['..', '.', '', 'a/b', 'a\0b'])('is rejected with %j as a name', (name) => {
      for (const names of [[name, 'a.yaml'], [name]])
        expect(() => disk.writeFileBelow(at('policy'), names, 'new', over)).toThrow('must not be a path');
    });
  });

  it('no file is written to a directory that is replaced by a link', () => {
    mkdirSync(at('policy'));
    mkdirSync(at('elsewhere'));
    writeFileSync(at('elsewhere/a'), 'precious');
    writeFileSync(at('elsewhere/draft'), 'of another');
    const directory = disk.Directory.open(at('policy'));
    onTestFinished(() => directory.close());
    writeFileSync(directory.at('draft'), 'new');
    renameSync(at('policy'), at('moved'));
    symlinkSync('elsewhere', at('policy'));
    const move = () => disk.moveInto(directory, 'draft', 'a', { replace: true, path: 'policy/a' });
    if (platform === 'linux') {
      move();
      expect([readdirSync(at('moved')), readFileSync(at('moved/a'), 'utf8')]).toEqual([['a'], 'new']);
    } else expect(move).toThrow(`${at('policy')} was replaced by another process`);
    expect(readFileSync(at('elsewhere/a'), 'utf8')).toBe('precious');
    expect(readdirSync(at('elsewhere'))).toEqual(['a', 'draft']);
  });
});

it.skipIf(own !== 'linux')('directories that cannot be listed can be passed through', () => {
  mkdirSync(at('closed/open'), { recursive: true, mode: 0o755 });
  chmodSync(parent, 0o755);
  chmodSync(at('closed'), 0o711);
  if (isRoot) chownSync(at('closed/open'), nobody, nobody);
  runAsUser(`writeOutputFile('closed/open/a', 'new', { replace: false, isPrivate: true });`);
  expect(readFileSync(at('closed/open/a'), 'utf8')).toBe('new');
});

it.skipIf(own === 'win32')('a folder without permission is rejected before it gets files or folders', () => {
  mkdirSync(at('policy'), { mode: 0o555 });
  chmodSync(parent, 0o755);
  for (const [folder, ...names] of [['policy', 'a.yaml'], ['policy'], ['policy/new/acme', 'a.yaml']])
    expect(() =>
      runAsUser(`requireFileBelow(${JSON.stringify(folder)}, ${JSON.stringify(names)}, { replace: true });`),
    ).toThrow('EACCES');
});

/** Runs code with the functions for files in another process, which is not root. */
function runAsUser(code: string): void {
  const module = new URL('../../src/disk/output-file.ts', import.meta.url).href;
  const script = `const { writeOutputFile, requireFileBelow } = await import('${module}'); ${code}`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: parent,
    stdio: 'pipe',
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
}
