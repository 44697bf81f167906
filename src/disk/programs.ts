/**
 * Programs in the folders of PATH that only the user or root can have placed there. A program is checked component by component,
 * links included, and is identified by the SHA-256 of the file that is opened.
 */
import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';
import { delimiter, dirname, isAbsolute, join, parse } from 'node:path';
import { isTrusted } from './directory.ts';
import { UntrustedError } from './private-files.ts';
import { whyUnreadable } from './system-errors.ts';

/** A program in a folder of PATH. */
export interface Program {
  readonly name: string;
  readonly path: string;
  /** Why it must not be run, worded to follow the path; undefined if it may be. */
  readonly problem: string | undefined;
}

/** A program that was read. */
export interface ReadProgram {
  /** Without links; this file is run. */
  readonly file: string;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Throws UntrustedError if the path now leads to another file, or the file has changed. */
  requireSame(): void;
}

const isWindows = process.platform === 'win32';
const suffix = isWindows ? '.exe' : '';
const hasOwners = process.geteuid !== undefined;
const writableByOthers = 0o022n;
const sticky = 0o1000n;
const executable = 0o111n;

/** The limit of Linux. */
const mostLinks = 40;

const chunkBytes = 1024 * 1024;

/** In bytes: far larger than programs, and still read in seconds. */
const largestProgram = 1024n ** 3n;

/** Returns the program that a name stands for: the first that may be run, else the first of all; undefined if there is none. */
export function programNamed(name: string, path: string | undefined): Program | undefined {
  const all = foldersIn(path).flatMap((folder) => programIn(folder, `${name}${suffix}`) ?? []);
  return all.find(({ problem }) => problem === undefined) ?? all[0];
}

/** Returns as `programNamed` does for each name that begins with a prefix, in the order of names. */
export function programsWith(prefix: string, path: string | undefined): Program[] {
  const names = foldersIn(path).flatMap((folder) => filesIn(folder).filter((file) => file.startsWith(prefix)));
  const ended = names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, name.length - suffix.length));
  return [...new Set(ended)].sort().flatMap((name) => programNamed(name, path) ?? []);
}

/** Empty parts mean the current folder. */
const foldersIn = (path = ''): readonly string[] => [...new Set(path.split(delimiter))];

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder || '.');
  } catch {
    return [];
  }
}

/** Returns an executable file in a folder; undefined if there is none. */
function programIn(folder: string, file: string): Program | undefined {
  const path = join(folder || '.', file);
  const name = file.slice(0, file.length - suffix.length);
  const found = statOf(path);
  if (!found?.isFile() || (hasOwners && !(found.mode & executable))) return undefined;
  if (!isAbsolute(folder)) return { name, path, problem: `is in a relative folder of PATH, “${folder}”` };
  try {
    trustedFile(path);
    return { name, path, problem: undefined };
  } catch (error) {
    return { name, path, problem: reasonOf(error) };
  }
}

/** Returns undefined for what cannot be reached, as shells do: folders of PATH may be those of other users. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Returns why a program cannot be used, worded to follow its path. */
export function reasonOf(error: unknown): string {
  if (error instanceof ProgramError) return error.reason;
  const why = whyUnreadable(error);
  if (why === undefined) throw error;
  return `cannot be read: ${why}`;
}

class ProgramError extends UntrustedError {}

/**
 * Reads a program. Throws UntrustedError if anybody but the user and root could have placed it, and the system's errors.
 */
export function readProgram({ path }: Program): ReadProgram {
  const file = trustedFile(path);
  const { sha256, identity } = withProgram(file, (descriptor, identity) => ({ sha256: hashOf(descriptor), identity }));
  const requireSame = () => {
    if (trustedFile(path) === file && withProgram(file, (_, now) => now) === identity) return;
    throw new ProgramError(path, 'was changed by another process');
  };
  return { file, sha256, requireSame };
}

/** Opens a file once and checks what was opened. Its identity changes with its contents, its mode and its owner. */
function withProgram<T>(file: string, work: (descriptor: number, identity: string) => T): T {
  // Windows has neither of the last two flags.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const identityOf = () => {
      const found = fstatSync(descriptor, { bigint: true });
      requireOwn(file, found);
      return [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(' ');
    };
    const before = identityOf();
    const result = work(descriptor, before);
    if (identityOf() === before) return result;
    throw new ProgramError(file, 'was changed by another process');
  } finally {
    closeSync(descriptor);
  }
}

function hashOf(descriptor: number): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let isFirst = true;
  for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
    const read = chunk.subarray(0, length);
    // The system would look for the interpreter in the current folder.
    if (isFirst && /^#![ \t]*[^/ \t]/.test(read.toString('latin1', 0, 256)))
      throw new ProgramError('', 'names its interpreter by a relative path');
    isFirst = false;
    hash.update(read);
  }
  return hash.digest('hex');
}

/**
 * Returns the path of a file without links. Throws UntrustedError if anybody but the user and root could lead the path
 * elsewhere, if it leads through the working directory's other names, or if the file is in a folder that others can write to,
 * or in the working directory.
 */
function trustedFile(path: string): string {
  const inPath = dirname(path);
  const folder = followed(inPath);
  requireClosed(folder);
  const file = followed(path);
  requireClosed(dirname(file));
  requireOwn(file, lstatSync(file, { bigint: true }));
  return file;
}

/** Follows a path link by link. */
function followed(path: string): string {
  const { root } = parse(path);
  let at = root;
  let links = 0;
  const names = namesIn(path, root);
  requireFolder(at, lstatSync(at, { bigint: true }));
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(at, name);
    // Their links depend on the process: /proc/self/cwd is the working directory.
    if (/^\/(?:proc|dev|sys)(?:\/|$)/.test(next)) throw new ProgramError(path, `leads through ${next}`);
    const found = lstatSync(next, { bigint: true });
    if (found.isSymbolicLink()) {
      if (!isTrusted(found)) throw new ProgramError(path, `leads through a link of another user, ${next}`);
      if (++links > mostLinks) throw new ProgramError(path, 'contains a loop of symbolic links');
      const target = readlinkSync(next);
      if (isAbsolute(target)) at = parse(target).root;
      names.unshift(...namesIn(target, parse(target).root));
    } else {
      if (found.isDirectory()) requireFolder(next, found);
      at = next;
    }
  }
  return at;
}

const namesIn = (path: string, root: string): string[] =>
  path
    .slice(root.length)
    .split(isWindows ? /[\\/]+/ : /\/+/)
    .filter((name) => name !== '' && name !== '.');

/** Where the sticky bit is set, others cannot rename what is not theirs. */
function requireFolder(path: string, found: BigIntStats): void {
  if (!isTrusted(found)) throw new ProgramError(path, `is in ${path}, which belongs to another user`);
  if (hasOwners && found.mode & writableByOthers && !(found.mode & sticky))
    throw new ProgramError(path, `is in ${path}, which others can write to`);
}

/** Throws UntrustedError for a folder in which others can create files, and for the working directory. */
function requireClosed(folder: string): void {
  const found = statSync(folder, { bigint: true });
  if (hasOwners && found.mode & writableByOthers)
    throw new ProgramError(folder, `is in ${folder}, which others can write to`);
  const here = statSync('.', { bigint: true, throwIfNoEntry: false });
  if (here && found.dev === here.dev && found.ino === here.ino)
    throw new ProgramError(folder, 'is in the working directory');
}

function requireOwn(file: string, found: BigIntStats): void {
  if (!found.isFile()) throw new ProgramError(file, 'is not a regular file');
  if (!isTrusted(found)) throw new ProgramError(file, 'belongs to another user');
  if (hasOwners && found.mode & writableByOthers) throw new ProgramError(file, 'can be written by others');
  if (found.size > largestProgram) throw new ProgramError(file, 'is larger than 1 GiB');
}
