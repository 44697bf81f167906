/**
 * Directories that stay the same while files are written to them, even if another process renames components of their paths or replaces them with links.
 *
 * On Linux, a directory is a descriptor, opened component by component without following links, and names are resolved below
 * it, as paths in /proc/self/fd. Elsewhere, and without /proc, each component is checked not to be a link, and the directory
 * is compared by device and inode right before a file gets its name: another process that replaces it is noticed, except
 * between that check and the rename.
 */
import {
  accessSync,
  type BigIntStats,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  statfsSync,
} from 'node:fs';
import { isAbsolute, join, parse, sep } from 'node:path';

/** The reason why nothing can be written at a path, worded to follow it. */
export class ObstacleError extends Error {
  readonly path: string;
  readonly obstacle: string;
  constructor(path: string, obstacle: string) {
    super(`${path} ${obstacle}`);
    this.path = path;
    this.obstacle = obstacle;
  }
}

/** The limit of Linux. */
const mostLinks = 40;

/** Opens directories that the user cannot list, too. Node does not export this value of Linux. */
const O_PATH = 0o10000000;

/** Whether descriptors have paths: /proc may be missing, and closed to a node with capabilities of its own. */
export const hasDescriptors = process.platform === 'linux' && existsSync('/proc/self/fd/.');

/** The types of the file systems of /proc and /sys. */
const kernelFileSystems: readonly number[] = [0x9fa0, 0x62656572];

export interface OpenOptions {
  /** Creates missing directories; the umask decides their mode. `later` only requires that the first one can be created. */
  readonly create?: boolean | 'later';
}

export class Directory {
  /** The path in messages. */
  readonly path: string;
  readonly #descriptor: number | undefined;
  readonly #found: BigIntStats;

  private constructor(path: string, real: string) {
    this.path = path;
    this.#descriptor = hasDescriptors
      ? openSync(real, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      : undefined;
    this.#found =
      this.#descriptor === undefined
        ? lstatSync(real, { bigint: true })
        : fstatSync(this.#descriptor, { bigint: true });
    if (this.#found.isDirectory()) return;
    throw new ObstacleError(path, this.#found.isSymbolicLink() ? 'is a symbolic link' : 'is not a directory');
  }

  /**
   * Opens a directory that the user named. Links in its path are followed if they belong to the user or root; those of other
   * users could lead anywhere. Throws ObstacleError and the system's errors.
   */
  static open(path: string, options: OpenOptions = {}): Directory {
    const names = namesIn(path);
    let directory = Directory.#start(path);
    let links = 0;
    try {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const target = directory.#ownLink(name);
        if (target === undefined) directory = directory.#replacedBy(directory.#enter(name, options));
        else if (++links > mostLinks)
          throw new ObstacleError(join(directory.path, name), 'contains a loop of symbolic links');
        else {
          names.unshift(...namesIn(target));
          if (isAbsolute(target)) directory = directory.#replacedBy(Directory.#start(target));
        }
      }
      return directory;
    } catch (error) {
      directory.close();
      throw error;
    }
  }

  static #start(path: string): Directory {
    const root = parse(path).root || '.';
    return new Directory(root, root);
  }

  /** Opens a directory in this one without following a link. Throws ObstacleError and the system's errors. */
  enter(name: string, options: OpenOptions = {}): Directory {
    return this.#enter(fileName(name), options);
  }

  #enter(name: string, { create = false }: OpenOptions): Directory {
    const path = join(this.path, name);
    try {
      return new Directory(path, this.at(name));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTDIR' || code === 'ELOOP')
        throw new ObstacleError(path, this.#isLink(name) ? 'is a symbolic link' : 'is not a directory');
      if (code === 'ENOENT' && create === 'later') this.requireWritable();
      if (code !== 'ENOENT' || create !== true) throw error;
    }
    try {
      mkdirSync(this.at(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return new Directory(path, this.at(name));
  }

  #isLink(name: string): boolean {
    return lstatSync(this.at(name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  }

  /** Returns the target of a link of the user or root; undefined for anything else. Throws ObstacleError. */
  #ownLink(name: string): string | undefined {
    const at = this.at(name);
    const found = lstatSync(at, { bigint: true, throwIfNoEntry: false });
    if (!found?.isSymbolicLink()) return undefined;
    const path = join(this.path, name);
    if (!isTrusted(found)) throw new ObstacleError(path, 'is a symbolic link of another user');
    const target = readlinkSync(at);
    const after = lstatSync(at, { bigint: true });
    if (after.ino !== found.ino || after.ctimeNs !== found.ctimeNs)
      throw new ObstacleError(path, 'was replaced by another process');
    return target;
  }

  #replacedBy(next: Directory): Directory {
    this.close();
    return next;
  }

  /** Returns the path by which the system finds a name in this directory. */
  at(name: string): string {
    return this.#descriptor === undefined ? join(this.path, name) : `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  /** Throws ObstacleError if the path now leads to another directory. A descriptor always leads to the same one. */
  requireSame(): void {
    if (this.#descriptor !== undefined) return;
    const { dev, ino } = lstatSync(this.path, { bigint: true });
    if (dev !== this.#found.dev || ino !== this.#found.ino)
      throw new ObstacleError(this.path, 'was replaced by another process');
  }

  /** Throws ObstacleError or an error of the system if the directory certainly cannot have new files. */
  requireWritable(): void {
    accessSync(this.at('.'), constants.W_OK);
    // To root, these look writable.
    if (process.platform === 'linux' && kernelFileSystems.includes(statfsSync(this.at('.')).type))
      throw new ObstacleError(this.path, 'cannot contain new files');
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

const hasOwners = process.geteuid !== undefined;

/** Returns whether only the user or root can have made a file. Windows has no owners to check. */
export const isTrusted = ({ uid }: Pick<BigIntStats, 'uid'>): boolean =>
  !hasOwners || uid === 0n || uid === BigInt(process.geteuid?.() ?? 0);

const separators = sep === '/' ? /\/+/ : /[\\/]+/;

function namesIn(path: string): string[] {
  const names = path.slice(parse(path).root.length).split(separators);
  return names.filter((name) => name !== '' && name !== '.');
}

/** Returns a name that is not a path. Callers check names from outside before they come here. */
export function fileName(name: string): string {
  if (name === '' || name === '.' || name === '..' || separators.test(name) || name.includes('\0'))
    throw new Error('A name in a directory must not be a path.');
  return name;
}
