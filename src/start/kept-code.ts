/** What V8 makes of the package's modules, kept from run to run in the user's cache directory. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** In milliseconds: code of a version that nobody has run anew for so long goes when that of another comes. */
const staleAfter = 30 * 24 * 60 * 60 * 1000;

export class KeptCode {
  readonly #directory: string;
  readonly #name: string;

  /** `name` stands for all that the code depends on. Throws where there is no place that only this user can write to. */
  constructor(name: string) {
    this.#directory = privateDirectory();
    this.#name = name;
  }

  find(path: string): Buffer | undefined {
    try {
      return readFileSync(this.#fileOf(path));
    } catch {
      return undefined;
    }
  }

  /** Keeps code by the path of its module. Throws where it cannot be written. */
  keep(code: ReadonlyMap<string, Buffer>): void {
    if (code.size === 0) return;
    const directory = join(this.#directory, this.#name);
    if (!isThere(directory)) {
      this.#removeStale();
      mkdirSync(directory, { mode: 0o700 });
    }
    for (const [path, content] of code) {
      // Another run may read it, or write it too.
      const partial = `${this.#fileOf(path)}.${process.pid}`;
      writeFileSync(partial, content, { mode: 0o600 });
      renameSync(partial, this.#fileOf(path));
    }
  }

  #fileOf(path: string): string {
    return join(this.#directory, this.#name, path.replaceAll('/', '.'));
  }

  #removeStale(): void {
    for (const name of readdirSync(this.#directory)) {
      const directory = join(this.#directory, name);
      if (Date.now() - statSync(directory).mtimeMs > staleAfter) rmSync(directory, { recursive: true });
    }
  }
}

/** What lies there runs as it is. Under sudo, say, the home directory can be another user's. */
function privateDirectory(): string {
  const { FORGECTL_CACHE_DIR } = process.env;
  const own = FORGECTL_CACHE_DIR ? [FORGECTL_CACHE_DIR] : [cachesOfUser(), 'forgectl'];
  const parts = [...own, 'compile'];
  const directory = join(...parts);
  // One by one: with `recursive` Node never ends below /proc, where nothing can be made.
  if (!isThere(directory))
    for (let length = 1; length <= parts.length; length++) {
      const path = join(...parts.slice(0, length));
      if (!isThere(path)) mkdirSync(path, { mode: 0o700 });
    }
  const { uid, mode } = statSync(directory);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0))
    throw new Error(`others can write to ${directory}`);
  return directory;
}

const isThere = (path: string) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** Node's own choice would be a directory below the one for temporary files, where all users may write. */
function cachesOfUser(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME;
  if (process.platform === 'win32' && LOCALAPPDATA) return LOCALAPPDATA;
  const home = process.env.HOME || homedir();
  return process.platform === 'darwin' ? join(home, 'Library/Caches') : join(home, '.cache');
}
