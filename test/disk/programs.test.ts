import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { programNamed, programsWith, readProgram } from '../../src/disk/programs.ts';
import { reportScript, writeExtension } from '../support/extensions.ts';
import { temporaryDirectory } from '../support/run.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65534;

let parent: string;
let bin: string;
let file: string;

beforeEach(async () => {
  parent = await temporaryDirectory();
  bin = join(parent, 'bin');
  file = writeExtension(bin, 'report');
});

const problemOf = (path = bin) => programNamed('forgectl-report', path)?.problem?.replaceAll(parent, 'PARENT');

describe('a program', () => {
  it('is found by its name in the folders of PATH, in their order, with the SHA-256 of its file', () => {
    writeExtension(join(parent, 'other'), 'report', '#!/bin/sh\n');
    const program = programNamed('forgectl-report', `${parent}/none:${bin}:${parent}/other`);
    expect(program).toEqual({ name: 'forgectl-report', path: file, problem: undefined });
    expect(program && readProgram(program)).toMatchObject({
      file,
      sha256: 'd44944c7d3ff8d33a2c25cfc57b50e50463fa6b8eaa2119201b47da262f48d77',
    });
    expect(programNamed('forgectl-other', bin)).toBeUndefined();
    expect(programNamed('forgectl-report', undefined)).toBeUndefined();
  });

  it('is no folder, and no file without permission to run it', () => {
    mkdirSync(join(bin, 'forgectl-folder'));
    writeFileSync(join(bin, 'forgectl-text'), '');
    expect(programsWith('forgectl-', bin).map(({ name }) => name)).toEqual(['forgectl-report']);
  });

  it('is nothing that the system cannot reach, such as a loop of links', () => {
    symlinkSync('forgectl-loop', join(bin, 'forgectl-loop'));
    const unreachable = `${parent}/${'x'.repeat(300)}`;
    expect(programsWith('forgectl-', `${unreachable}:${bin}`).map(({ name }) => name)).toEqual(['forgectl-report']);
    expect(programNamed('forgectl-loop', `${unreachable}:${bin}`)).toBeUndefined();
  });

  it('that is larger than 1 GiB is not run', () => {
    truncateSync(file, 1024 ** 3 + 1);
    expect(problemOf()).toBe('is larger than 1 GiB');
  });

  it('that may be run takes precedence over one that may not', () => {
    chmodSync(writeExtension(join(parent, 'open'), 'report'), 0o777);
    expect(programNamed('forgectl-report', `${parent}/open:.:${bin}`)).toMatchObject({
      path: file,
      problem: undefined,
    });
  });

  it('may be a link of the user to a file elsewhere', () => {
    mkdirSync(join(parent, 'links'));
    symlinkSync('../bin/forgectl-report', join(parent, 'links/forgectl-report'));
    const program = programNamed('forgectl-report', join(parent, 'links'));
    expect(program && readProgram(program).file).toBe(file);
  });
});

describe('a program is refused', () => {
  function enter(folder: string) {
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(folder);
  }

  it.each(['', '.', './', 'bin/..', '../bin'])('in the relative folder “%s” of PATH', (folder) => {
    enter(bin);
    mkdirSync('bin');
    expect(problemOf(folder)).toBe(`is in a relative folder of PATH, “${folder}”`);
  });

  it('in the working directory, by any name', () => {
    symlinkSync(bin, join(parent, 'link'));
    mkdirSync(join(parent, 'links'));
    symlinkSync(file, join(parent, 'links/forgectl-report'));
    enter(bin);
    for (const folder of [bin, join(parent, 'link'), `${bin}/../bin/`, join(parent, 'links')])
      expect(problemOf(folder)).toBe('is in the working directory');
    process.chdir(parent);
    expect(problemOf()).toBeUndefined();
  });

  it.runIf(process.platform === 'linux')('through /proc, /dev and /sys, where names depend on the process', () => {
    enter(parent);
    for (const folder of ['/proc/self/cwd/bin', '//proc/self/../self/cwd/bin', `/proc/${process.pid}/root${bin}`])
      expect(problemOf(folder)).toMatch(/^leads through \/proc$/);
    symlinkSync('/proc/self/cwd/bin', join(parent, 'link'));
    expect(problemOf(join(parent, 'link'))).toBe('leads through /proc');
    mkdirSync(join(parent, 'links'));
    symlinkSync('/proc/self/cwd/bin/forgectl-report', join(parent, 'links/forgectl-report'));
    expect(problemOf(join(parent, 'links'))).toBe('leads through /proc');
  });

  it.each([
    ['the file', 'bin/forgectl-report', 0o775, 'can be written by others'],
    ['its folder', 'bin', 0o777, 'is in PARENT/bin, which others can write to'],
    ['its folder, with the sticky bit', 'bin', 0o1777, 'is in PARENT/bin, which others can write to'],
    ['a folder above', '.', 0o770, 'is in PARENT, which others can write to'],
  ])('if others can write to %s', (_, path, mode, problem) => {
    chmodSync(join(parent, path), mode);
    expect(problemOf()).toBe(problem);
  });

  it('if others can write to a folder that a link leads through', () => {
    mkdirSync(join(parent, 'open'));
    symlinkSync(file, join(parent, 'open/way'));
    mkdirSync(join(parent, 'links'));
    symlinkSync('../open/way', join(parent, 'links/forgectl-report'));
    expect(problemOf(join(parent, 'links'))).toBeUndefined();
    chmodSync(join(parent, 'open'), 0o777);
    expect(problemOf(join(parent, 'links'))).toBe('is in PARENT/open, which others can write to');
  });

  it.runIf(isRoot)('if it, a folder or a link on its path belongs to another user', () => {
    mkdirSync(join(parent, 'links'));
    symlinkSync(file, join(parent, 'links/forgectl-report'));
    lchownSync(join(parent, 'links/forgectl-report'), nobody, nobody);
    expect(problemOf(join(parent, 'links'))).toBe('leads through a link of another user, PARENT/links/forgectl-report');
    chownSync(file, nobody, nobody);
    expect(problemOf()).toBe('belongs to another user');
    chownSync(bin, nobody, nobody);
    expect(problemOf()).toBe('is in PARENT/bin, which belongs to another user');
  });

  it('if its interpreter has a relative path', () => {
    writeFileSync(file, '#! bin/sh\n');
    const program = programNamed('forgectl-report', bin);
    expect(() => program && readProgram(program)).toThrow('names its interpreter by a relative path');
  });
});

describe('a program that was read', () => {
  const read = () => {
    const program = programNamed('forgectl-report', bin);
    if (!program) throw new Error('not found');
    return readProgram(program);
  };

  it.each<readonly [string, () => void]>([
    ['has other contents', () => writeFileSync(file, `${reportScript}rm -rf ~\n`)],
    [
      'has other contents of the same length and time',
      () => {
        writeFileSync(file, reportScript.replace('report', 'REPORT'));
        utimesSync(file, new Date(0), new Date(0));
      },
    ],
    ['was replaced by a file with the same contents', () => renameSync(writeExtension(parent, 'new'), file)],
    [
      'was replaced by a link',
      () => {
        renameSync(file, join(parent, 'moved'));
        symlinkSync(join(parent, 'moved'), file);
      },
    ],
    ['can now be written by others', () => chmodSync(file, 0o777)],
  ])('is not the same if it %s', (_, change) => {
    utimesSync(file, new Date(0), new Date(0));
    const program = read();
    expect(program.requireSame()).toBeUndefined();
    change();
    expect(() => program.requireSame()).toThrow(/was changed by another process|can be written by others/);
  });
});
