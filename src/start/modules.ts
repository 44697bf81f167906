/**
 * Loads the package's CommonJS modules with V8's code cache from an earlier run. Node's own compile cache contains only
 * code compiled before a function is first called; the rest is half of the start.
 */
import { createHash } from 'node:crypto';
import { dirname, join, posix } from 'node:path';
import { Script } from 'node:vm';

/** The source of modules. Paths use slashes and are relative to the package. */
export interface ModuleSource {
  /** The folder of the package, as modules see it. */
  readonly root: string;
  /** Returns the source of a module. Throws if it does not exist. */
  text(path: string): string;
  /** Returns its cached code from an earlier run, if any. */
  compiled(path: string): Buffer | undefined;
  /** Returns a replacement for one of Node's modules; undefined for the original. */
  builtin?(id: string): unknown;
}

interface Module {
  readonly exports: unknown;
}

/**
 * Identifies the version of V8 and the flags it was started with: it rejects code made by another version or under other
 * flags. V8's own tag of both is in `node:v8`, which takes longer to load than the rest of the start.
 */
export const compiledFor = (): string =>
  `${process.versions.v8}-${createHash('sha256')
    .update(JSON.stringify([process.execArgv, process.env.NODE_OPTIONS]))
    .digest('hex')
    .slice(0, 8)}`;

/** Returns a module as the function that Node makes of it. */
export const compiledModule = (text: string, filename: string, cachedData?: Buffer): Script =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename,
    ...(cachedData && { cachedData }),
  });

export class Modules {
  readonly #source: ModuleSource;
  readonly #modules = new Map<string, Module>();
  readonly #scripts = new Map<string, Script>();
  #complete = true;

  constructor(source: ModuleSource) {
    this.#source = source;
  }

  /** Returns the exports of a module. Runs it on the first call, like `require`. */
  load(path: string): unknown {
    const loaded = this.#modules.get(path);
    if (loaded) return loaded.exports;
    const module: Module = { exports: {} };
    const filename = join(this.#source.root, path);
    const script = this.#script(path, filename);
    this.#modules.set(path, module);
    const require = (id: string) =>
      id.startsWith('.')
        ? this.load(posix.join(posix.dirname(path), id))
        : (this.#source.builtin?.(id) ?? process.getBuiltinModule(id));
    script.runInThisContext().call(module.exports, module.exports, require, module, filename, dirname(filename));
    return module.exports;
  }

  #script(path: string, filename: string): Script {
    const text = this.#source.text(path);
    const cachedData = this.#source.compiled(path);
    const script = compiledModule(text, filename, cachedData);
    this.#scripts.set(path, script);
    if (script.cachedDataRejected !== false) this.#complete = false;
    return script;
  }

  /**
   * Returns the compiled code of every module by path, including functions called so far. Empty if all code came from
   * the cache.
   */
  compiled(): Map<string, Buffer> {
    if (this.#complete) return new Map();
    return new Map([...this.#scripts].map(([path, script]) => [path, script.createCachedData()]));
  }
}
