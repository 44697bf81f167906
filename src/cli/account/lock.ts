/** Lets one process at a time change the files of a directory. */
import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../errors.ts';

/** A lock is held for milliseconds: one of this age was left behind by a crashed process. */
const staleAfterMs = 10_000;
const giveUpAfterMs = 60_000;
const longestPauseMs = 50;

/** Runs `work` under an exclusive lock. `work` is synchronous, so the lock is held only briefly. */
export async function withLock<T>(directory: string, work: () => T): Promise<T> {
  const lock = join(directory, 'settings.lock');
  const deadline = Date.now() + giveUpAfterMs;
  while (!make(lock)) {
    if (Date.now() > deadline)
      throw new UsageError(
        `${directory} is locked by another forgectl process.`,
        `If no other forgectl is running, remove ${lock}.`,
      );
    removeStale(lock);
    await sleep(1 + Math.random() * longestPauseMs);
  }
  try {
    return work();
  } finally {
    remove(lock);
  }
}

/** Creating a directory is atomic on every platform: only one of several attempts succeeds. */
function make(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function remove(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

const isStale = (path: string) =>
  Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY) > staleAfterMs;

/**
 * Removes a stale lock. Only one of several processes that find it may do so: a second one would remove the lock that
 * the first one then took. The right to remove is itself a lock, under which the age is checked again.
 */
function removeStale(lock: string): void {
  if (!isStale(lock)) return;
  const right = `${lock}.stale`;
  if (!make(right)) {
    if (isStale(right)) remove(right);
    return;
  }
  try {
    if (isStale(lock)) remove(lock);
  } finally {
    remove(right);
  }
}
