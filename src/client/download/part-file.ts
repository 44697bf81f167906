/** A download in the making: a file of its own that survives an interruption, until it gets its name. */
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { FileError } from '../errors.ts';
import { whyUnwritable } from '../system-errors.ts';

/** The file of one download. */
export class PartFile {
  readonly path: string;
  readonly #handle: FileHandle;
  #size: number;
  #validator: string | undefined;

  private constructor(path: string, handle: FileHandle, size: number, validator: string | undefined) {
    this.path = path;
    this.#handle = handle;
    this.#size = size;
    this.#validator = validator;
  }

  /**
   * Opens the part of `file`, `FILE.part`, with what an earlier run left in it. Anything else of that name is replaced.
   * Throws FileError.
   */
  static async open(file: string): Promise<PartFile> {
    const path = `${file}.part`;
    return writing(path, async () => {
      const handle = (await openPrivate(path, constants.O_RDWR)) ?? (await replace(path));
      const { size } = await handle.stat();
      return new PartFile(path, handle, size, await readValidator(path));
    });
  }

  /** Bytes that are there. */
  get size(): number {
    return this.#size;
  }

  /** What names the version that the bytes are of, an ETag or a date; without it they are good for nothing. */
  get validator(): string | undefined {
    return this.#size > 0 ? this.#validator : undefined;
  }

  /** Begins anew, with bytes of the version that `validator` names. Throws FileError. */
  async restart(validator: string | undefined): Promise<void> {
    await writing(this.path, async () => {
      // In this order, so that after an interruption no bytes stand beside a validator that is not theirs.
      await rm(validatorPath(this.path), { force: true });
      await this.#handle.truncate();
      if (validator !== undefined) await writeValidator(this.path, validator);
    });
    this.#size = 0;
    this.#validator = validator;
  }

  /** Adds bytes at the end. Throws FileError. */
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
   * Renames the part to `file` once everything is on the disk. Replaces only a regular file, and only if `force` is true.
   * Throws FileError.
   */
  async finish(file: string, { force }: { readonly force: boolean }): Promise<void> {
    await writing(file, async () => {
      await this.#handle.sync();
      await this.#requireUntouched();
      await this.#handle.close();
      const obstacle = await obstacleAt(file, force);
      if (obstacle) throw new FileError(`${file} ${obstacle}. It was not replaced.`);
      await rename(this.path, file);
      await rm(validatorPath(this.path), { force: true });
    });
  }

  /** Throws FileError where another program has replaced, removed or changed the part. */
  async #requireUntouched(): Promise<void> {
    const [opened, named] = await Promise.all([this.#handle.stat(), lstat(this.path).catch(() => undefined)]);
    if (named?.ino === opened.ino && named.dev === opened.dev && opened.size === this.#size) return;
    throw new FileError(`Another program changed ${this.path} during the download.`);
  }

  /** Ends the work on it; a part that cannot be gone on from goes away. */
  async close(): Promise<void> {
    await this.#handle.close();
    if (this.validator !== undefined) return;
    await rm(this.path, { force: true });
    await rm(validatorPath(this.path), { force: true });
  }
}

const validatorPath = (path: string) => `${path}.etag`;

/** What keeps a download from getting the name `file`, as in `acme.tar.gz is a directory`; undefined where nothing does. */
export async function obstacleAt(file: string, force: boolean): Promise<string | undefined> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return undefined;
  if (found.isDirectory()) return 'is a directory';
  if (found.isSymbolicLink()) return 'is a symbolic link';
  if (!found.isFile()) return 'is not a regular file';
  return force ? undefined : 'already exists';
}

async function readValidator(path: string): Promise<string | undefined> {
  const handle = await openPrivate(validatorPath(path), constants.O_RDONLY);
  if (!handle) return undefined;
  try {
    const validator = await handle.readFile('utf8');
    // It goes into a header.
    return /^[\x20-\x7e]+$/.test(validator) ? validator : undefined;
  } finally {
    await handle.close();
  }
}

async function writeValidator(path: string, validator: string): Promise<void> {
  const handle = await replace(validatorPath(path));
  try {
    await handle.writeFile(validator);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a file that nobody else can have written to. Undefined for everything else, which includes links, pipes, devices
 * and files that others own or may open.
 */
async function openPrivate(path: string, access: number): Promise<FileHandle | undefined> {
  // Windows has neither flag.
  const flags = access | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const handle = await open(path, flags).catch(() => undefined);
  if (!handle) return undefined;
  const found = await handle.stat();
  // Nor does it have owners and modes.
  const user = process.getuid?.();
  const isPrivate = user === undefined || (found.uid === user && (found.mode & 0o777) === 0o600);
  if (found.isFile() && found.nlink === 1 && isPrivate) return handle;
  await handle.close();
  return undefined;
}

/** Creates a file that only its owner may open, in the place of whatever has the name. */
async function replace(path: string): Promise<FileHandle> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  // Whatever the umask left of it.
  await handle.chmod(0o600);
  return handle;
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`Cannot write ${path}: ${whyUnwritable(error) ?? (error as Error).message}.`, { cause: error });
  }
}
