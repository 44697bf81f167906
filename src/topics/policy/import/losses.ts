/** The values of the sources of an import that policies cannot express. */
import { isDeepStrictEqual } from 'node:util';
import { withoutTokens } from '../../../cli/account/token-kind.ts';
import { containsOpenSecret } from '../../../fleet/policy/wanted/open-secrets.ts';
import type { Place, Placed } from '../../../fleet/policy/wanted/placed.ts';
import { secretMask } from '../../../json/secrets.ts';
import { misspelled } from '../../../platform/suggest.ts';
import type { Format, SourceFile } from './model.ts';
import { type Lose, leavesOf, pathText, unknownKey } from './source.ts';

/** A value of a source that the policy does not have. */
export interface Loss {
  readonly file: string;
  /** Counts from 1, like the column. */
  readonly line: number;
  readonly column: number;
  /** The path of the value in the source, such as `repositories.site.pages.cname`. */
  readonly key: string;
  /** Secrets are masked. */
  readonly value: unknown;
  /** What policies lack. */
  readonly reason: string;
}

type Path = readonly (string | number)[];

interface Located {
  readonly path: Path;
  readonly part: Placed;
}

/** The losses of an import, each value once. */
export class Losses {
  readonly #files: readonly string[];
  readonly #parts = new Map<Place, readonly Located[]>();
  readonly #losses = new Map<string, Loss>();
  readonly #format: Pick<Format, 'name' | 'keys'>;

  constructor(files: readonly SourceFile[], format: Pick<Format, 'name' | 'keys'>) {
    this.#format = format;
    this.#files = files.map(({ file }) => file);
    for (const { root } of files) this.#index(root, []);
  }

  /** In the order of the sources. */
  get all(): readonly Loss[] {
    const order = new Map(this.#files.map((file, at) => [file, at]));
    return [...this.#losses.values()].toSorted(
      (a, b) => (order.get(a.file) ?? 0) - (order.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
    );
  }

  /** Adds every leaf of a part. A part that a format has changed is found by its position, which belongs to one part alone. */
  readonly add: Lose = (part, reason, shown) => {
    const found = this.#located(part);
    // A value that the importer has put together is lost with its parts.
    if (!found) for (const each of part.parts.values()) this.add(each, reason, shown);
    const whole = reason === unknownKey ? this.#unknown(found?.path.at(-1)) : reason;
    for (const leaf of found ? leavesOf(found.part, found.path) : []) {
      const { file, line, column } = leaf.part.place;
      const key = pathText(leaf.path);
      const value = shown ?? leaf.part.value;
      // Lists and objects below the name of a secret have the secret in a field of any name.
      const isSecret = ['', ...leaf.path].some((name) => containsOpenSecret(value, String(name)));
      const id = JSON.stringify([file, line, column, key]);
      if (!this.#losses.has(id))
        this.#losses.set(id, { file, line, column, key, value: isSecret ? secretMask : masked(value), reason: whole });
    }
  };

  /** Returns the reason for an unknown key: keys of the tool that it resembles are probably meant, others misplaced. */
  #unknown(key: string | number | undefined): string {
    const { name, keys } = this.#format;
    const known = keys.flatMap((row) => row.key.split(/[.*[\]]+/));
    if (known.includes(String(key))) return `${name} ${unknownKey} here`;
    const meant = typeof key === 'string' ? misspelled(key, known) : undefined;
    return `${name} ${unknownKey}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }

  /** Adds a part with all parts within, outermost first. Those of an alias have the lines of its anchor. */
  #index(part: Placed, path: Path): void {
    const known = this.#parts.get(part.place) ?? [];
    this.#parts.set(part.place, [...known, { path, part }]);
    for (const [key, each] of part.parts) this.#index(each, [...path, key]);
  }

  #located({ place, value }: Placed): Located | undefined {
    const all = this.#parts.get(place) ?? [];
    return all.find(({ part }) => isDeepStrictEqual(part.value, value)) ?? all.at(-1);
  }
}

/** Other tools have tokens in any field. */
const masked = (value: unknown): unknown => (typeof value === 'string' ? withoutTokens(value) : value);

/** Returns a loss as a line for people. */
export const lossText = ({ file, line, key, reason }: Loss): string => `${file}:${line}: ${key}: ${reason}`;
