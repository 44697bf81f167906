/** The files of `sandbox serve`: the key that it writes, and the logins that it reads. */
import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { largestYaml, readSource } from '../cli/input/sources.ts';
import type { Runtime } from '../cli/runtime.ts';
import { FileError } from '../client/errors.ts';
import { Directory } from '../disk/directory.ts';
import { whyUnwritable } from '../disk/system-errors.ts';

const keyName = 'app.private-key.pem';

/** The private key of the app, in a file of a new directory. */
export class KeyFile {
  readonly path: string;
  readonly #folder: string;
  readonly #directory: Directory;
  #written: BigIntStats | undefined;

  private constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'forgectl-sandbox-'));
    this.path = join(this.#folder, keyName);
    this.#directory = Directory.open(this.#folder);
  }

  /** Throws FileError. */
  static write(key: string): KeyFile {
    let file: KeyFile | undefined;
    try {
      file = new KeyFile();
      file.#write(key);
      return file;
    } catch (error) {
      file?.remove();
      throw new FileError(
        `Cannot write the private key of the app in ${tmpdir()}: ${whyUnwritable(error) ?? (error as Error).message}.`,
        { cause: error, advice: 'Choose another directory for temporary files with TMPDIR.' },
      );
    }
  }

  #write(key: string): void {
    const descriptor = openSync(this.#directory.at(keyName), 'wx', 0o600);
    try {
      this.#written = fstatSync(descriptor, { bigint: true });
      writeFileSync(descriptor, key);
      this.#written = fstatSync(descriptor, { bigint: true });
    } finally {
      closeSync(descriptor);
    }
  }

  /** Removes the file and its directory, and nothing that somebody else has put in their place meanwhile. */
  remove(): void {
    const at = this.#directory.at(keyName);
    try {
      this.#directory.requireSame();
      const found = lstatSync(at, { bigint: true, throwIfNoEntry: false });
      // A new file may have the inode of one that was removed.
      if (found?.ino === this.#written?.ino && found?.mtimeNs === this.#written?.mtimeNs) rmSync(at, { force: true });
      if (lstatSync(this.#folder).ino === statSync(this.#directory.at('.')).ino) rmdirSync(this.#folder);
    } catch {
      // Somebody else has removed or replaced the directory, or put other files there.
    } finally {
      this.#directory.close();
    }
  }
}

/**
 * Returns the logins in a file, or in standard input (`-`), and the teams and apps, as `team:SLUG` and `app:SLUG`. Throws
 * UsageError for anything else.
 */
export async function loginsIn(file: string, { stdin }: Pick<Runtime, 'stdin'>): Promise<readonly string[]> {
  const lines = (await readSource(file, stdin, '--known-logins', largestYaml))
    .split(/\r?\n/)
    .map((line) => line.trim());
  const logins = lines.filter((line) => line !== '');
  const wrong = lines.findIndex((line) => line !== '' && !/^(?:(?:team|app):)?[A-Za-z\d][\w-]*$/.test(line));
  if (wrong !== -1) throw new UsageError(`${file}:${wrong + 1} is not a login, team:SLUG or app:SLUG.`);
  return logins;
}
