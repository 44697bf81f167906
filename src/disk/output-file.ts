/** Writes files chosen by users, or below a folder chosen by users, completely or not at all. */
import { randomBytes } from 'node:crypto';
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { Directory, fileName, isTrusted, ObstacleError, type OpenOptions } from './directory.ts';
import { restoreDefaultInterrupt } from './interrupt.ts';

/** The content of a file, whole or in pieces. */
type Content = string | Uint8Array | Iterable<string>;

interface OutputOptions {
  /** Replaces a regular file of that name. A function is asked again once the new file is complete. */
  readonly replace: boolean | (() => boolean);
  /** Mode 0600, whatever the umask; otherwise the umask decides. */
  readonly isPrivate: boolean;
  /** Writes to a named pipe or a character device of that name, too (default: true). */
  readonly mayStream?: boolean;
}

/**
 * Writes a file that the user named. Until it is complete and on disk it has another name in the same directory, and it is
 * removed if it cannot be completed. Links in the path of the directory are followed if they belong to the user or root;
 * a link in place of the file is not. Named pipes and character devices of the user or root are written to, and so are
 * descriptors of this process, such as /dev/stdout. Throws ObstacleError and the system's errors.
 */
export function writeOutputFile(file: string, content: Content, options: OutputOptions): void {
  const descriptor = descriptorOf(file);
  if (descriptor !== undefined) {
    withDefaultInterrupt(() => writeToDescriptor(descriptor, content));
    return;
  }
  const directory = Directory.open(dirname(file));
  try {
    const name = nameOf(file);
    if (options.mayStream !== false && isStream(statIn(directory, name)))
      withDefaultInterrupt(() => writeToStream(directory.at(name), file, content));
    else writeIn(directory, name, content, options, file);
  } finally {
    directory.close();
  }
}

/**
 * Throws ObstacleError or an error of the system if `writeOutputFile` certainly cannot write a file, for a message before
 * any request.
 */
export function requireOutputFile(file: string, { replace }: Pick<OutputOptions, 'replace'>): void {
  const descriptor = descriptorOf(file);
  if (descriptor !== undefined) {
    fstatSync(descriptor);
    return;
  }
  const directory = Directory.open(dirname(file));
  try {
    const name = nameOf(file);
    const found = statIn(directory, name);
    if (!isStream(found)) requireFree(file, found, mayReplace(replace));
    if (isStream(found)) accessSync(directory.at(name), constants.W_OK);
    else directory.requireWritable();
  } finally {
    directory.close();
  }
}

/**
 * Writes a file below a folder that the user named, which is created with the directories below it. None of these may be a
 * link. The umask decides the mode. Throws ObstacleError and the system's errors.
 */
export function writeFileBelow(
  folder: string,
  names: readonly string[],
  content: string,
  { replace }: Pick<OutputOptions, 'replace'>,
): void {
  inDirectoryBelow(folder, names.slice(0, -1), { create: true }, (directory) =>
    writeIn(directory, fileName(names.at(-1) ?? ''), content, { replace, isPrivate: false }),
  );
}

/**
 * Throws ObstacleError or an error of the system if `writeFileBelow` certainly cannot write a file; without names, any file
 * in the folder.
 */
export function requireFileBelow(
  folder: string,
  names: readonly string[],
  { replace }: Pick<OutputOptions, 'replace'>,
): void {
  const last = names.at(-1);
  try {
    inDirectoryBelow(folder, names.slice(0, -1), { create: 'later' }, (directory) => {
      if (last !== undefined) {
        const name = fileName(last);
        requireFree(join(directory.path, name), statIn(directory, name), mayReplace(replace));
      }
      directory.requireWritable();
    });
  } catch (error) {
    // Missing directories are created.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function inDirectoryBelow(
  folder: string,
  names: readonly string[],
  options: OpenOptions,
  work: (directory: Directory) => void,
): void {
  let directory = Directory.open(folder, options);
  try {
    for (const name of names) {
      const next = directory.enter(name, options);
      directory.close();
      directory = next;
    }
    work(directory);
  } finally {
    directory.close();
  }
}

/** Returns the last component of the path of a file. Throws ObstacleError for the path of a directory. */
export function nameOf(file: string): string {
  if (file === '' || file.endsWith('/') || file.endsWith(sep)) throw new ObstacleError(file, 'is a directory');
  return basename(file);
}

/** Writes a file in a directory; `path` names it in errors. */
function writeIn(
  directory: Directory,
  name: string,
  content: Content,
  { replace, isPrivate }: OutputOptions,
  path: string = join(directory.path, name),
): void {
  requireFree(path, statIn(directory, name), mayReplace(replace));
  // Policies skip files that begin with a dot, in case a crash leaves one.
  const draft = `.forgectl-${randomBytes(8).toString('hex')}.tmp`;
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;
  const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
  const descriptor = openSync(directory.at(draft), flags, isPrivate ? 0o600 : 0o666);
  try {
    try {
      if (isPrivate) fchmodSync(descriptor, 0o600);
      writeAll(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    moveInto(directory, draft, name, { replace, path });
  } catch (error) {
    removeIfPossible(directory.at(draft));
    throw error;
  }
}

/** Removes a file, if there is one. A directory may accept new files, but keep them: that must not hide another error. */
export function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays.
  }
}

/**
 * Gives a complete file its name in the same directory; `path` names it in errors. Throws ObstacleError for anything of
 * that name that must not be replaced, and the system's errors.
 */
export function moveInto(
  directory: Directory,
  draft: string,
  name: string,
  { replace, path }: Pick<OutputOptions, 'replace'> & { readonly path: string },
): void {
  directory.requireSame();
  // Right before the rename, which would replace any file that appeared meanwhile.
  const replaces = mayReplace(replace);
  requireFree(path, statIn(directory, name), replaces);
  const [from, to] = [directory.at(draft), directory.at(name)];
  if (!replaces && linked(from, to, path)) removeIfPossible(from);
  else renameSync(from, to);
}

const mayReplace = (replace: OutputOptions['replace']): boolean =>
  typeof replace === 'function' ? replace() : replace;

/**
 * Gives a file a second name, which unlike a rename never replaces a file that appeared meanwhile. Returns false if the file
 * system has no hard links.
 */
function linked(from: string, to: string, path: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new ObstacleError(path, alreadyExists);
    return false;
  }
}

/** The only obstacle that the user can remove by allowing the file to be replaced. */
export const alreadyExists = 'already exists';

/** Returns the reason why a file cannot replace the existing one, worded to follow its name; undefined if it can. */
export function obstacleOf(found: BigIntStats | undefined, replace: boolean): string | undefined {
  if (!found) return undefined;
  if (found.isDirectory()) return 'is a directory';
  if (found.isSymbolicLink()) return 'is a symbolic link';
  if (!found.isFile()) return 'is not a regular file';
  return replace ? undefined : alreadyExists;
}

function requireFree(path: string, found: BigIntStats | undefined, replace: boolean): void {
  const obstacle = obstacleOf(found, replace);
  if (obstacle !== undefined) throw new ObstacleError(path, obstacle);
}

const statIn = (directory: Directory, name: string): BigIntStats | undefined =>
  lstatSync(directory.at(name), { bigint: true, throwIfNoEntry: false });

/** Returns whether a file is written to instead of replaced. Another user could read from its own. */
const isStream = (found: BigIntStats | undefined): boolean =>
  found !== undefined && (found.isFIFO() || found.isCharacterDevice()) && isTrusted(found);

/** Lets Ctrl-C end the process while a pipe has no reader, or a slow one. */
function withDefaultInterrupt(work: () => void): void {
  const listenAgain = restoreDefaultInterrupt();
  try {
    work();
  } finally {
    listenAgain();
  }
}

function writeToStream(at: string, path: string, content: Content): void {
  const descriptor = openSync(at, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    if (!isStream(fstatSync(descriptor, { bigint: true }))) throw new ObstacleError(path, 'is not a regular file');
    writeAll(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, content: Content): void {
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
  for (const piece of pieces) writeFileSync(descriptor, piece);
}

/** Returns the descriptor of this process that a path stands for, such as 1 for /dev/stdout. */
function descriptorOf(file: string): number | undefined {
  if (process.platform === 'win32') return undefined;
  const [all, number] = /^\/dev\/(?:stdout|stderr|fd\/(\d{1,9}))$/.exec(file) ?? [];
  if (all === undefined) return undefined;
  return number === undefined ? { '/dev/stdout': 1, '/dev/stderr': 2 }[all] : Number(number);
}

function writeToDescriptor(descriptor: number, content: Content): void {
  // Later output to the same file must not overwrite it.
  if (fstatSync(descriptor).isFile()) {
    writeAll(descriptor, content);
    return;
  }
  // Pipes that Node has made non-blocking reject data that does not fit. When opened again, they block.
  const again = openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY);
  try {
    writeAll(again, content);
  } finally {
    closeSync(again);
  }
}
