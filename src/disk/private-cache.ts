/**
 * Cached data for later runs: code compiled by V8, which is executed unchanged, and responses of the platform. Others
 * may place files in a cache: a repository in its CI job, a CI cache, another user. So a file is valid only with an
 * HMAC under a key kept with the settings.
 */
import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { cacheDirectory, settingsDirectory } from './locations.ts';
import {
  draftSuffix,
  isPrivateFile,
  privateDirectory,
  readPrivateFile,
  realPath,
  UntrustedError,
  writePrivateFile,
} from './private-files.ts';

const keyBytes = 32;
const macBytes = 32;
const maxFileBytes = 64 * 1024 * 1024;
const root = 'forgectl-cache-v1';

/** A file of the cache, possibly left by a crash. */
export interface CachedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** Authenticates cached data of one kind with HMACs. */
export class Seal {
  readonly #kind: string;
  readonly #key: KeyObject;

  constructor(kind: string, key: Uint8Array) {
    this.#kind = kind;
    // Creating the key for each HMAC would take most of the time.
    this.#key = createSecretKey(key);
  }

  /** Returns the HMAC of the content under a name, which precedes the content. */
  mac(name: string, content: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(`${this.#kind}/${name}\0`).update(content).digest();
  }

  /** Returns the content after a valid HMAC; undefined if this user did not write it. */
  open(name: string, sealed: Buffer): Buffer | undefined {
    if (sealed.length < macBytes) return undefined;
    const content = sealed.subarray(macBytes);
    return timingSafeEqual(sealed.subarray(0, macBytes), this.mac(name, content)) ? content : undefined;
  }
}

/** The cached files of one kind. */
export class PrivateCache {
  readonly #directory: string;
  readonly #names: RegExp;
  readonly #seal: Seal;

  /** `names` matches the names that its files have; `directory` is private. */
  constructor(directory: string, names: RegExp, seal: Seal) {
    this.#directory = directory;
    this.#names = names;
    this.#seal = seal;
  }

  /** Returns the content stored under a name; undefined if it is missing or was not written by this user. */
  read(name: string): Buffer | undefined {
    try {
      return this.#seal.open(name, readPrivateFile(join(this.#directory, name), maxFileBytes));
    } catch {
      return undefined;
    }
  }

  /** Throws the system's errors. */
  write(name: string, content: Uint8Array): void {
    writePrivateFile(join(this.#directory, name), this.#seal.mac(name, content), content);
  }

  /** Returns the files that are the cache's by name, owner and mode. */
  files(): CachedFile[] {
    return readdirSync(this.#directory)
      .filter((name) => this.#names.test(name.replace(draftSuffix, '')))
      .flatMap((name) => {
        const found = lstatSync(join(this.#directory, name), { throwIfNoEntry: false });
        return found && isPrivateFile(found) ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : [];
      });
  }

  /** Removes one of `files()`. */
  remove({ name }: CachedFile): void {
    rmSync(join(this.#directory, name), { force: true });
  }
}

/** The names of cached files, by kind. */
const namesOf = { compile: /^[0-9a-f]{16}-[\w.-]+@[\w.-]+\.js$/, responses: /^[0-9a-f]{64}$/ };

/**
 * Opens the cache of one kind, creating missing parts. Throws an error with the reason if another user or a CI cache
 * could have written the files or the key.
 */
export function openCache(env: NodeJS.ProcessEnv, kind: keyof typeof namesOf): PrivateCache {
  const { directory, seal } = openSealedDirectory(env, kind);
  return new PrivateCache(directory, namesOf[kind], seal);
}

/**
 * Opens a directory of the cache for files that authenticate their parts with a seal of the same name. Creates missing
 * parts, and throws, like `openCache`.
 */
export function openSealedDirectory(
  env: NodeJS.ProcessEnv,
  kind: string,
): { readonly directory: string; readonly seal: Seal } {
  const cache = cacheDirectory(env);
  const directory = privateDirectory(cache, root, kind);
  return { directory, seal: new Seal(kind, keyOutside(realPath(cache), settingsDirectory(env))) };
}

/**
 * Returns the key in the settings directory; the first run creates it. Throws if that directory is inside the cache.
 */
function keyOutside(cache: string, settings: string): Buffer {
  const directory = privateDirectory(realPath(settings));
  if (isWithin(directory, cache))
    throw new UntrustedError(directory, 'contains the cache key, but is inside the cache');
  const path = join(directory, 'cache.key');
  const kept = readKey(path);
  if (kept?.length === keyBytes) return kept;
  const key = randomBytes(keyBytes);
  // If two first runs overlap, the cache of one is invalid.
  writePrivateFile(path, key);
  return key;
}

function readKey(path: string): Buffer | undefined {
  try {
    return readPrivateFile(path, keyBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}
