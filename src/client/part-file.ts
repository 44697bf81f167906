/** A download in the making: a file of its own that survives an interruption, until it gets its name. */
import { constants } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { FileError } from './errors.ts';
import { whyUnwritable } from './system-errors.ts';

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
   * Opens the part of `file`, `FILE.part`, with what an earlier run left in it. Only its owner may read it. Throws
   * FileError.
   */
  static async open(file: string): Promise<PartFile> {
    const path = `${file}.part`;
    return writing(path, async () => {
      // Windows has no O_NOFOLLOW.
      const flags = constants.O_RDWR | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
      const handle = await open(path, flags, 0o600);
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
      if (validator !== undefined) await writeFile(validatorPath(this.path), validator, { mode: 0o600 });
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

  /** Gives the file its name once everything is on the disk; a file of that name is replaced. Throws FileError. */
  async finish(file: string): Promise<void> {
    await writing(file, async () => {
      await this.#handle.sync();
      await this.#handle.close();
      await rename(this.path, file);
      await rm(validatorPath(this.path), { force: true });
    });
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

async function readValidator(path: string): Promise<string | undefined> {
  try {
    return (await readFile(validatorPath(path), 'utf8')) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writing<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new FileError(`Cannot write ${path}: ${whyUnwritable(error) ?? (error as Error).message}.`, { cause: error });
  }
}
