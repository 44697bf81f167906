/** The key of a sandbox is removed at its end, long after it was written: somebody else may have replaced it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hasDescriptors } from '../../src/disk/directory.ts';
import { KeyFile } from '../../src/topics/sandbox-files.ts';
import { temporaryDirectory } from '../support/run.ts';

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
  vi.stubEnv('TMPDIR', directory);
});

afterEach(() => vi.unstubAllEnvs());

it('The key and its directory are for their owner only, and are removed together', () => {
  const file = KeyFile.write('key');
  expect(readFileSync(file.path, 'utf8')).toBe('key');
  expect([file.path, dirname(file.path)].map((path) => statSync(path).mode & 0o777)).toEqual([0o600, 0o700]);
  file.remove();
  expect(readdirSync(directory)).toEqual([]);
});

it('A file in place of the key is not removed', () => {
  const file = KeyFile.write('key');
  rmSync(file.path);
  writeFileSync(file.path, 'mine');
  file.remove();
  expect(readFileSync(file.path, 'utf8')).toBe('mine');
});

it.skipIf(process.platform === 'win32')(
  'A directory or a link in place of that of the key is not removed, nor is anything in it',
  () => {
    for (const replace of [mkdirSync, (path: string) => symlinkSync('other', path)]) {
      const file = KeyFile.write('key');
      const folder = dirname(file.path);
      const other = join(directory, 'other');
      mkdirSync(other, { recursive: true });
      writeFileSync(join(other, basename(file.path)), 'mine');
      renameSync(folder, join(directory, 'moved'));
      replace(folder);
      file.remove();
      expect(existsSync(folder)).toBe(true);
      expect(readFileSync(join(other, basename(file.path)), 'utf8')).toBe('mine');
      if (hasDescriptors) expect(readdirSync(join(directory, 'moved'))).toEqual([]);
      rmSync(join(directory, 'moved'), { recursive: true });
    }
  },
);
