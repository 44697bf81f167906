/** Directories in which files can be created, but neither renamed nor removed. Only root can make them, on some file systems of Linux. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function canMake(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'forgectl-test-'));
  try {
    return spawnSync('chattr', ['+a', directory]).status === 0;
  } finally {
    spawnSync('chattr', ['-a', directory]);
    rmdirSync(directory);
  }
}

export const hasAppendOnly = canMake();
