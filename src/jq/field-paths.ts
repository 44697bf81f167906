/** Which fields of a record a jq expression certainly reads. */

const token =
  /(?<space>\s+|#[^\n\\]*)|\.(?<path>[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*|"[a-zA-Z_]\w*"|\["[a-zA-Z_]\w*"\])|(?<word>[a-zA-Z_]\w*)|(?<value>"(?:[^"\\]|\\[^(])*"|\d+(?:\.\d+)?)|(?<sign>\/\/|[=!]=|[<>]=?|\.\.|[-+*/%,|;:?.()[\]{}])/y;

/** Keywords that bind names or catch errors; expressions with them are not analysed. */
const opaque = new Set(['as', 'catch', 'def', 'foreach', 'import', 'include', 'label', 'reduce', 'try']);

const ends: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', if: 'end' };

/** A part of an expression: between brackets, or from `if` to `end`. */
interface Part {
  readonly end: string;
  /** Whether its input is the record. */
  readonly ofRecord: boolean;
  /** Whether its input is still the record at this point: not after `|`. */
  hasRecord: boolean;
  /** How many paths come before the term that it ends. */
  readonly before: number;
  /** How many paths come before its present branch. */
  start: number;
}

/**
 * Returns the paths that an expression applies to the record itself, such as `['owner', 'login']`, except those that it
 * expects to be missing: before `?`, left of `//`, and named in `has`. Returns none if it does not know the syntax.
 */
export function fieldPaths(expression: string): readonly (readonly string[])[] {
  const paths = new Reader().pathsIn(expression);
  const tested = new Set([...expression.matchAll(/\bhas\(\s*"(\w+)"\s*\)/g)].map(([, name]) => name));
  return (paths ?? []).filter((path) => !path.some((name) => tested.has(name)));
}

class Reader {
  readonly #paths: string[][] = [];
  readonly #outer: Part[] = [];
  #part: Part = { end: '', ofRecord: true, hasRecord: true, before: 0, start: 0 };
  /** After a term, how many paths come before it: fields and brackets that follow belong to it. */
  #term: number | undefined;
  /** The last token, if it is a word. */
  #word: string | undefined;

  pathsIn(expression: string): string[][] | undefined {
    token.lastIndex = 0;
    while (token.lastIndex < expression.length) {
      const { groups } = token.exec(expression) ?? {};
      if (!groups) return undefined;
      const { space, path, word, value, sign } = groups;
      if (space !== undefined) continue;
      if (path !== undefined) this.#readPath(path);
      else if (value !== undefined) this.#term ??= this.#paths.length;
      else if (!this.#readSymbol((word ?? sign) as string, word !== undefined)) return undefined;
      this.#word = word;
    }
    return this.#paths;
  }

  #readPath(path: string): void {
    const isFirst = this.#term === undefined;
    this.#term ??= this.#paths.length;
    if (isFirst && this.#part.hasRecord) this.#paths.push(path.replace(/["[\]]/g, '').split('.'));
  }

  /** Returns false for an unknown symbol. */
  #readSymbol(symbol: string, isWord: boolean): boolean {
    const part = this.#part;
    if (opaque.has(symbol)) return false;
    if (symbol === part.end) this.#close();
    else if (Object.values(ends).includes(symbol)) return false;
    else if (Object.hasOwn(ends, symbol)) this.#open(symbol);
    else if (['then', 'elif', 'else'].includes(symbol)) {
      if (part.end !== 'end') return false;
      Object.assign(part, { hasRecord: part.ofRecord, start: this.#paths.length });
      this.#term = undefined;
    } else if (symbol === '?') this.#paths.splice(this.#term ?? this.#paths.length);
    else if (symbol === '.' || symbol === '..' || (isWord && !['and', 'or'].includes(symbol)))
      this.#term ??= this.#paths.length;
    else {
      if (symbol === '|') part.hasRecord = false;
      if (symbol === '//') this.#paths.splice(part.start);
      this.#term = undefined;
    }
    return true;
  }

  #open(symbol: string): void {
    // The input of an argument is up to the function; that of select is its own.
    const isCall = symbol === '(' && this.#word !== undefined && this.#term !== undefined;
    const ofRecord = this.#part.hasRecord && (!isCall || this.#word === 'select');
    const start = this.#paths.length;
    this.#outer.push(this.#part);
    const end = ends[symbol] as string;
    this.#part = { end, ofRecord, hasRecord: ofRecord, before: this.#term ?? start, start };
    this.#term = undefined;
  }

  #close(): void {
    this.#term = this.#part.before;
    this.#part = this.#outer.pop() as Part;
  }
}
