/** The part file of a download: survives interruptions, and is renamed when the download is complete. */
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Directory, ObstacleError } from '../../disk/directory.ts';
import { moveInto, nameOf, obstacleOf } from '../../disk/output-file.ts';
import { whyUnwritable } from '../../disk/system-errors.ts';
import { FileError } from '../errors.ts';
import { isValidator } from './download.ts';

export class PartFile {
  readonly #file: string;
  readonly #directory: Directory;
  #handle: FileHandle;
  /** Of the open file, also once it is closed. */
  #identity: Stats;
  #size: number;
  #validator: string | undefined;

  private constructor(
    file: string,
    directory: Directory,
    handle: FileHandle,
    { found, validator }: { readonly found: Stats; readonly validator: string | undefined },
  ) {
    this.#file = file;
    this.#directory = directory;
    this.#handle = handle;
    this.#identity = found;
    this.#size = found.size;
    this.#validator = validator;
  }

  /**
   * Opens the part file of `file` (`FILE.part`) with the bytes of an earlier run. Throws FileError, also for a file of that
   * name without a validator file: every download creates that first, if only an empty one.
   */
  static async open(file: string): Promise<PartFile> {
    return writing(`${file}.part`, async () => {
      const directory = Directory.open(dirname(file));
      try {
        const path = directory.at(`${nameOf(file)}.part`);
        const stored = await writing(validatorPath(`${file}.part`), () => readValidator(path));
        const earlier = await openPrivate(path);
        if (earlier && stored === undefined) {
          await earlier.close();
          throw notOurs();
        }
        const validator = stored || undefined;
        if (validator === undefined) await (await replace(validatorPath(path))).close();
        const handle = earlier ?? (await replace(path));
        return new PartFile(file, directory, handle, { found: await handle.stat(), validator });
      } catch (error) {
        directory.close();
        throw error;
      }
    });
  }

  /** Path of the part file, for messages. */
  get path(): string {
    return `${this.#file}.part`;
  }

  /** Path by which the system finds it. */
  get #at(): string {
    return this.#directory.at(`${nameOf(this.#file)}.part`);
  }

  /** Bytes received so far. */
  get size(): number {
    return this.#size;
  }

  /** Validator of the bytes, an ETag or a date; without it the download cannot be resumed. */
  get validator(): string | undefined {
    return this.#size > 0 ? this.#validator : undefined;
  }

  /** Starts over with bytes of the version that `validator` identifies. Throws FileError. */
  async restart(validator: string | undefined): Promise<void> {
    await writing(this.path, async () => {
      // Emptied first, so that after an interruption the old validator never belongs to other bytes.
      const stored = await replace(validatorPath(this.#at));
      try {
        // In a new file: another download to the same name may be writing to this one.
        const handle = await replace(this.#at);
        await this.#handle.close();
        this.#handle = handle;
        this.#identity = await handle.stat();
        if (validator !== undefined) await stored.writeFile(validator);
      } finally {
        await stored.close();
      }
    });
    this.#size = 0;
    this.#validator = validator;
  }

  /** Appends bytes. Throws FileError. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writing(this.path, () =>
        this.#handle.write(bytes, done, bytes.length - done, this.#size),
      );
      done += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /**
   * Syncs the part file to disk and gives it the name of the download. Replaces only a regular file, and only if `force` is
   * true. Throws FileError.
   */
  async finish({ force }: { readonly force: boolean }): Promise<void> {
    const path = this.#file;
    const name = nameOf(path);
    await writing(path, async () => {
      await this.#handle.sync();
      await this.#requireUntouched();
      await this.#handle.close();
      try {
        moveInto(this.#directory, `${name}.part`, name, { replace: force, path });
      } catch (error) {
        if (error instanceof ObstacleError) throw new FileError(`${error.message}. It was not replaced.`);
        throw error;
      }
      // Replaced between the check and the rename.
      if (!(await this.#isOwn(name)))
        throw new FileError(`Another program changed ${path} during the download. It is not the downloaded file.`);
      await remove(validatorPath(this.#at));
    });
  }

  /** Throws FileError if another program has replaced, removed or changed the part file. */
  async #requireUntouched(): Promise<void> {
    if ((await this.#isOwn(`${nameOf(this.#file)}.part`)) && (await this.#handle.stat()).size === this.#size) return;
    throw new FileError(`Another program changed ${this.path} during the download.`);
  }

  /** Returns whether a name in the directory is that of the file that is or was open. */
  async #isOwn(name: string): Promise<boolean> {
    const { ino, dev } = this.#identity;
    const named = await lstat(this.#directory.at(name)).catch(() => undefined);
    return named?.ino === ino && named.dev === dev;
  }

  /** Closes the part file, and removes it if the download cannot be resumed. Throws FileError. */
  async close(): Promise<void> {
    await this.#handle.close();
    try {
      if (this.validator !== undefined || !(await this.#isOwn(`${nameOf(this.#file)}.part`))) return;
      await writing(this.path, async () => {
        await remove(this.#at);
        await remove(validatorPath(this.#at));
      });
    } finally {
      this.#directory.close();
    }
  }
}

/** In bytes: more than the headers of a response may have. */
const largestValidator = 64 * 1024;

const validatorPath = (path: string) => `${path}.etag`;

/** Returns why a download cannot be renamed to `file`, as in `acme.tar.gz is a directory`; undefined if it can. */
export const obstacleAt = async (file: string, force: boolean): Promise<string | undefined> =>
  obstacleOf(await lstat(file, { bigint: true }).catch(() => undefined), force);

/** Returns an empty text if the download cannot be resumed; undefined if there is no file. Throws for the file of somebody else. */
async function readValidator(path: string): Promise<string | undefined> {
  const handle = await openPrivate(validatorPath(path));
  if (!handle) return undefined;
  try {
    if ((await handle.stat()).size > largestValidator) throw notOurs();
    const validator = await handle.readFile('utf8');
    if (validator !== '' && !isValidator(validator)) throw notOurs();
    return validator;
  } finally {
    await handle.close();
  }
}

const notOurs = () => new Error('it was not created by forgectl');

/**
 * Opens a file that no other user can have written to; returns undefined if there is none. Throws for anything else, such as
 * links, pipes, devices, and files that others own or can open.
 */
async function openPrivate(path: string): Promise<FileHandle | undefined> {
  // Windows lacks both flags.
  const flags = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  if (!handle) return undefined;
  const found = await handle.stat();
  // Windows has no owners and modes either.
  const user = process.getuid?.();
  const isPrivate = user === undefined || (found.uid === user && (found.mode & 0o777) === 0o600);
  if (found.isFile() && found.nlink === 1 && isPrivate) return handle;
  await handle.close();
  throw notOurs();
}

/** Creates a file that only its owner can open, replacing anything of that name. */
async function replace(path: string): Promise<FileHandle> {
  await remove(path);
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  // Restores permissions that the umask removed.
  await handle.chmod(0o600);
  return handle;
}

/** Removes a file, if there is one. A directory is an error. */
async function remove(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw error;
    if (error instanceof ObstacleError) throw new FileError(`Cannot write ${path}: ${error.message}.`);
    throw new FileError(`Cannot write ${path}: ${whyUnwritable(error) ?? (error as Error).message}.`, { cause: error });
  }
}
