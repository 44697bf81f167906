/** Directories and files that only the user or root can have changed. Windows has no owners and modes to check. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { sizeText } from './regular-file.ts';

/** A file or directory that another user may have written. */
export class UntrustedError extends Error {
  /** Worded to follow the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(`${path} ${reason}`);
    this.reason = reason;
  }
}

/** A private file that is larger than forgectl writes it. */
export class OversizedError extends UntrustedError {}

const hasOwners = process.geteuid !== undefined;
const writableByOthers = 0o022;
const sticky = 0o1000;

/** Returns whether a file belongs to the user; on Windows, every file does. */
export const isOurs = ({ uid }: Stats): boolean => uid === process.geteuid?.() || !hasOwners;

/**
 * Returns the real path of `directory` or, with `below`, of a directory below it. Missing ones are created for their owner
 * alone. From `directory` downwards each belongs to the user, without links and without write access for others. Links
 * above are resolved once; there owners are the user or root, and others can write only where the sticky bit keeps them
 * from renaming what is not theirs. Throws UntrustedError and the system's errors.
 */
export function privateDirectory(directory: string, ...below: readonly string[]): string {
  let path = realPath(dirname(directory));
  for (const above of ancestors(path)) requireShared(above);
  for (const name of [basename(directory), ...below]) {
    path = join(path, name);
    requireOwn(path);
  }
  return path;
}

/** Resolves the links in the existing part of a path. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || path === dirname(path)) throw error;
    return join(realPath(dirname(path)), basename(path));
  }
}

/** The path and the directories above it, from the root downwards. */
function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestors(dirname(path)), path];
}

function requireShared(path: string): void {
  const found = madeDirectory(path);
  if (!isOurs(found) && found.uid !== 0) throw new UntrustedError(path, 'belongs to another user');
  if (hasOwners && found.mode & writableByOthers && !(found.mode & sticky))
    throw new UntrustedError(path, 'is writable by others');
}

function requireOwn(path: string): void {
  const found = madeDirectory(path);
  if (!isOurs(found)) throw new UntrustedError(path, 'belongs to another user');
  if (hasOwners && found.mode & writableByOthers) throw new UntrustedError(path, 'is writable by others');
}

/**
 * Returns the reason why another user may have changed a file, which may be a link; undefined if only the user or root
 * can have. Throws the system's errors.
 */
export function whyUntrusted(file: string): string | undefined {
  const path = realPath(file);
  for (const each of ancestors(path)) {
    const found = statSync(each);
    if (!isOurs(found) && found.uid !== 0) return `${each} belongs to another user`;
    if (hasOwners && found.mode & writableByOthers && !(found.mode & sticky)) return `${each} is writable by others`;
  }
  return undefined;
}

function madeDirectory(path: string): Stats {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) {
    makeDirectory(path);
    return lstatSync(path);
  }
  if (found.isSymbolicLink()) throw new UntrustedError(path, 'is a symbolic link');
  if (!found.isDirectory()) throw new UntrustedError(path, 'is not a directory');
  return found;
}

/** Creates a directory for its owner alone, whatever the umask, unless it exists. */
function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
    chmodSync(path, 0o700);
  } catch (error) {
    // Another run has created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Creates a directory and its parents for the owner only. Throws the system's errors. Node's `recursive` never ends below
 * directories such as /proc, which cannot be written and report that they do not exist.
 */
export function makeDirectories(path: string): void {
  const missing: string[] = [];
  for (let at = resolve(path); !statSync(at, { throwIfNoEntry: false }) && at !== dirname(at); at = dirname(at))
    missing.unshift(at);
  for (const directory of missing) makeDirectory(directory);
}

/** Returns whether `found` is a regular file of the user, with one link and mode 0600. */
export const isPrivateFile = (found: Stats): boolean =>
  found.isFile() && isOurs(found) && (!hasOwners || ((found.mode & 0o777) === 0o600 && found.nlink === 1));

/** The problem with any other file, worded to follow its path. */
export const notPrivate = 'must be a regular file that you own, with mode 0600';

/**
 * Reads a private file of a private directory. Checks and reads the same open file; a named pipe does not block. Throws
 * UntrustedError for any other file, OversizedError for one of more than `maxBytes`, and the system's errors.
 */
export function readPrivateFile(path: string, maxBytes: number): Buffer {
  // Windows has neither flag.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!isPrivateFile(found)) throw new UntrustedError(path, notPrivate);
    if (found.size > maxBytes) throw new OversizedError(path, `is larger than ${sizeText(maxBytes)}`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates an empty private file, unless it exists. Throws UntrustedError if it exists and is not private, and the
 * system's errors. `at` is the path by which the system finds the file, if its directory is open.
 */
export function createPrivateFile(path: string, at = path): Stats {
  try {
    const descriptor = openSync(at, 'wx', 0o600);
    try {
      fchmodSync(descriptor, 0o600);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(at);
  if (!isPrivateFile(found)) throw new UntrustedError(path, notPrivate);
  return found;
}

/** The suffix of a file until it is complete. */
export const draftSuffix = /\.tmp-[0-9a-f]{16}$/;

/** Writes a private file completely or not at all. Throws the system's errors. */
export function writePrivateFile(path: string, ...parts: readonly Uint8Array[]): void {
  const draft = `${path}.tmp-${randomBytes(8).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    try {
      fchmodSync(descriptor, 0o600);
      for (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
