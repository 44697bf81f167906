import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Directory, hasDescriptors } from '../../src/disk/directory.ts';
import { FileLock } from '../../src/disk/file-lock.ts';
import { hotJournal } from '../support/hot-journal.ts';
import { temporaryDirectory } from '../support/run.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  path = join(directory, 'run.lock');
});

describe('a file lock', () => {
  it('is held once, and leaves no file', () => {
    const lock = FileLock.take(path);
    expect(FileLock.take(path)).toBeUndefined();
    expect(readdirSync(directory)).toEqual(['run.lock']);
    lock?.release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('leaves no file if it cannot be taken', () => {
    for (const name of ['n'.repeat(250), 'a'.repeat(255)])
      expect(() => FileLock.take(join(directory, name))).toThrow('ENAMETOOLONG');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not a file with content, and a journal beside it deletes nothing', () => {
    const victim = join(directory, 'victim.txt');
    writeFileSync(victim, 'mine');
    writeFileSync(path, '', { mode: 0o600 });
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE any (it)');
    database.close();
    const before = readFileSync(path);
    expect(() => FileLock.take(path)).toThrow(`${path} is not an empty file`);
    writeFileSync(`${path}-journal`, hotJournal(victim), { mode: 0o600 });
    expect(() => FileLock.take(path)).toThrow(`${path}-journal was not created by forgectl`);
    expect(readFileSync(path)).toEqual(before);
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it.skipIf(process.platform === 'win32')('is in the directory that the system finds behind a link', () => {
    mkdirSync(join(directory, 'elsewhere/deep'), { recursive: true });
    symlinkSync('elsewhere/deep', join(directory, 'link'));
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE any (it)');
    database.close();
    writeFileSync(`${path}-journal`, hotJournal(join(directory, 'victim.txt')), { mode: 0o600 });
    const before = [path, `${path}-journal`].map((file) => readFileSync(file));
    const lock = FileLock.take(`${directory}/link/../run.lock`);
    expect(lock).toBeDefined();
    expect(FileLock.take(join(directory, 'elsewhere/run.lock'))).toBeUndefined();
    lock?.release();
    expect(readdirSync(join(directory, 'elsewhere'))).toEqual(['deep']);
    expect([path, `${path}-journal`].map((file) => readFileSync(file))).toEqual(before);
  });

  it.each(['-journal', '-wal', '-shm'])('is not taken beside a %s file, which stays unchanged', (suffix) => {
    writeFileSync(`${path}${suffix}`, hotJournal(join(directory, 'victim.txt')), { mode: 0o600 });
    expect(() => FileLock.take(path)).toThrow(`${path}${suffix} was not created by forgectl`);
    expect(readdirSync(directory)).toEqual([`run.lock${suffix}`]);
  });

  it.skipIf(!hasDescriptors)('creates no file in a directory that replaces its own', () => {
    const [own, moved] = [join(directory, 'own'), join(directory, 'moved')];
    mkdirSync(own);
    const { open } = Directory;
    const opened = vi.spyOn(Directory, 'open').mockImplementationOnce((path) => {
      const found = open.call(Directory, path);
      renameSync(own, moved);
      mkdirSync(own);
      return found;
    });
    onTestFinished(() => opened.mockRestore());
    expect(() => FileLock.take(join(own, 'run.lock'))).toThrow(`${own} was replaced by another process`);
    expect(readdirSync(own)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('is not taken beside a link, even if it leads nowhere', () => {
    symlinkSync(join(directory, 'missing'), `${path}-journal`);
    expect(() => FileLock.take(path)).toThrow(`${path}-journal was not created by forgectl`);
    expect(existsSync(join(directory, 'missing'))).toBe(false);
  });
});
