import { ParseError } from './dependency-graph.ts';

/** A file with more was made to be slow: many packages of one name that many others need. */
const mostMatches = 2_000_000;

/** Finds what a lockfile has under a name, such as all locked versions of a package. */
export class NameIndex<T> {
  readonly #byName = new Map<string, T[]>();
  #matches = 0;

  add(name: string, value: T): void {
    const others = this.#byName.get(name);
    if (others === undefined) this.#byName.set(name, [value]);
    else others.push(value);
  }

  /** Throws ParseError after too many matches in all lookups together. */
  find(name: string): readonly T[] {
    const found = this.#byName.get(name) ?? [];
    this.#matches += found.length;
    if (this.#matches > mostMatches) throw new ParseError('more than 2,000,000 dependencies');
    return found;
  }
}
