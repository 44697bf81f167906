/**
 * Loads the modules of the package, which are CommonJS, with the code that V8 made of them in an earlier run. Node's own
 * compile cache has only what V8 makes before a function is called for the first time; the rest is half of a start.
 */
import { dirname, join, posix } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** Where modules are. Paths have slashes, and begin at the folder of the package. */
export interface ModuleSource {
  /** The folder of the package, as modules see it. */
  readonly root: string;
  /** The text of a module. Throws where there is none. */
  text(path: string): string;
  /** What V8 made of it in an earlier run, where that has been kept. */
  compiled(path: string): Buffer | undefined;
  /** What modules get in place of one of Node's own; undefined where they get that. */
  builtin?(id: string): unknown;
}

interface Module {
  readonly exports: unknown;
}

/** Code is accepted only under the flags of V8 that it was made under, and by the version that made it. */
export const compiledFor = (): string => `${process.versions.v8}-${cachedDataVersionTag().toString(16)}`;

export class Modules {
  readonly #source: ModuleSource;
  readonly #modules = new Map<string, Module>();
  /** Those that were loaded under the flags that the run started with. */
  readonly #scripts = new Map<string, Script>();
  readonly #startedFor = compiledFor();
  #complete = true;

  constructor(source: ModuleSource) {
    this.#source = source;
  }

  /** What a module exports. It runs when it is first asked for, as `require` has it. */
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
    const script = new Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
      filename,
      ...(cachedData && { cachedData }),
    });
    if (compiledFor() === this.#startedFor) {
      this.#scripts.set(path, script);
      if (script.cachedDataRejected !== false) this.#complete = false;
    }
    return script;
  }

  /**
   * What V8 has made of every module by now, functions that were called among it, by path. Nothing where all of them came
   * with what it made, or where the run has changed V8's flags.
   */
  compiled(): Map<string, Buffer> {
    if (this.#complete || compiledFor() !== this.#startedFor) return new Map();
    return new Map([...this.#scripts].map(([path, script]) => [path, script.createCachedData()]));
  }
}
