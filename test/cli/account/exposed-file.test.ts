import { type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { exposureNotice } from '../../../src/cli/account/exposed-file.ts';
import { temporaryDirectory } from '../../support/run.ts';

/** Where the file is: its owner, and why it cannot be written. */
const disk = vi.hoisted(() => ({ uid: 0, code: '' }));

vi.mock('node:fs', async (load) => {
  const fs = await load<typeof import('node:fs')>();
  const accessSync = () => {
    if (disk.code !== '') throw Object.assign(new Error('denied'), { code: disk.code });
  };
  return { ...fs, accessSync, statSync: (path: string): Stats => Object.assign(fs.statSync(path), { uid: disk.uid }) };
});

let file: string;

beforeEach(async () => {
  file = join(await temporaryDirectory(), 'token');
  writeFileSync(file, 'x', { mode: 0o644 });
});
afterEach(() => vi.restoreAllMocks());

it.each([
  ['on the disk of the user', 1000, 1000, '', true],
  ['that the user has write-protected', 1000, 1000, 'EACCES', true],
  ['of another user', 1000, 1001, 'EACCES', true],
  ['of root, for root', 0, 0, '', true],
  ['that Kubernetes or Docker mounts, for root', 0, 0, 'EROFS', false],
  ['that Kubernetes or Docker mounts, for another user', 65_532, 0, 'EACCES', false],
])('is given, or not, for a file that others can read, %s', (_, user, owner, code, isReported) => {
  vi.spyOn(process, 'geteuid').mockReturnValue(user);
  Object.assign(disk, { uid: owner, code });
  expect(exposureNotice(file, 'the token')).toBe(
    isReported
      ? `Other users can access the token in ${file} (mode 644). Limit it to yourself: chmod 600 ${file}`
      : undefined,
  );
});
