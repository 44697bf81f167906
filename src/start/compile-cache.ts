/** Caches the compiled code of the package's modules. */
import type { PrivateCache } from '../disk/private-cache.ts';

export class CompileCache {
  readonly #cache: PrivateCache;
  readonly #made: string;

  /** `build` identifies the modules, in 16 hexadecimal digits; `compiler` the version and flags of V8. */
  constructor(cache: PrivateCache, build: string, compiler: string) {
    this.#cache = cache;
    this.#made = `${build}-${compiler}`;
  }

  find(path: string): Buffer | undefined {
    return this.#cache.read(this.#nameOf(path));
  }

  /** Caches code by the path of its module. Throws if it cannot be written. */
  keep(code: ReadonlyMap<string, Buffer>): void {
    if (code.size === 0) return;
    for (const [path, content] of code) this.#cache.write(this.#nameOf(path), content);
    this.#removeOthers();
  }

  /** Keeps the latest other build, because two may be used in turns. */
  #removeOthers(): void {
    const others = this.#cache.files().filter(({ name }) => madeBy(name) !== this.#made);
    const latest = others.toSorted((one, other) => other.mtimeMs - one.mtimeMs)[0];
    for (const file of others) if (madeBy(file.name) !== madeBy(latest?.name ?? '')) this.#cache.remove(file);
  }

  #nameOf(path: string): string {
    return `${this.#made}@${path.replaceAll('/', '.')}`;
  }
}

/** The build and the compiler in the name of a file. */
const madeBy = (name: string) => name.slice(0, name.indexOf('@'));
