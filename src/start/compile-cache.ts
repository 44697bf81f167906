/** What V8 makes of the package's modules, cached from run to run. */
import type { PrivateCache } from '../disk/private-cache.ts';

export class CompileCache {
  readonly #cache: PrivateCache;
  readonly #made: string;

  /** `build` tells changed modules apart, in 16 hexadecimal digits, `compiler` versions and flags of V8. */
  constructor(cache: PrivateCache, build: string, compiler: string) {
    this.#cache = cache;
    this.#made = `${build}-${compiler}`;
  }

  find(path: string): Buffer | undefined {
    return this.#cache.read(this.#nameOf(path));
  }

  /** Caches code by the path of its module. Throws where it cannot be written. */
  keep(code: ReadonlyMap<string, Buffer>): void {
    if (code.size === 0) return;
    for (const [path, content] of code) this.#cache.write(this.#nameOf(path), content);
    this.#removeOthers();
  }

  /** Leaves one other build, the latest: somebody may use two in turns. */
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
