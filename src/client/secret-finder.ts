/**
 * Finds secrets in a text by plain search. A regular expression would be too large for long secrets, and its error
 * would quote them.
 */
import { type Range, withMasks } from '../json/ranges.ts';
import { mayHaveEscapes, withoutEscapes } from './unescaped.ts';

/** A text to find. */
export interface Sought {
  readonly text: string;
  /** Whether the base64 characters after it belong to it: the last one, and the padding. */
  readonly isBase64: boolean;
}

/** Yields what is found in a text as it is, and with its escapes resolved. */
export function* behindEscapes(text: string, find: (text: string) => Iterable<Range>): Generator<Range> {
  yield* find(text);
  const unescaped = withoutEscapes(text);
  if (unescaped)
    for (const { start, end } of find(unescaped.text))
      yield { start: unescaped.origin(start), end: unescaped.origin(end) };
}

/** Up to this number of texts, searching for each is faster than hashing. */
const fewTexts = 16;

/** Texts are distinguished by a hash of their last characters, because tokens start alike. */
const hashedLength = 8;
const hashBase = 0x01000193;

/** The factor of a character that leaves the hashed ones. */
const leavingFactor = Array.from({ length: hashedLength }).reduce<number>((power) => Math.imul(power, hashBase), 1);

const filterBits = 16;

export class SecretFinder {
  readonly #all = new Map<string, Sought>();
  /** Texts too short to be hashed. */
  readonly #short: Sought[] = [];
  readonly #byHash = new Map<number, Sought[]>();
  /** Whether a hash may be in `#byHash`, by its first bits. */
  readonly #filter = new Uint8Array(1 << filterBits);
  /** Length of the shortest text. */
  #shortest = Number.POSITIVE_INFINITY;

  add(sought: Sought): void {
    const { text } = sought;
    if (text === '' || this.#all.has(text)) return;
    this.#all.set(text, sought);
    this.#shortest = Math.min(this.#shortest, text.length);
    if (text.length < hashedLength) {
      this.#short.push(sought);
      return;
    }
    let hash = 0;
    for (let at = text.length - hashedLength; at < text.length; at++) hash = hashed(hash, text.charCodeAt(at));
    this.#filter[hash >>> (32 - filterBits)] = 1;
    const alike = this.#byHash.get(hash);
    if (alike) alike.push(sought);
    else this.#byHash.set(hash, [sought]);
  }

  isIn(text: string): boolean {
    // Resolved escapes make a text shorter.
    if (text.length < this.#shortest) return false;
    if (this.#isPlainlyIn(text)) return true;
    const unescaped = withoutEscapes(text);
    return unescaped !== undefined && this.#isPlainlyIn(unescaped.text);
  }

  /** A loop: records have thousands of values, and generators would be most of their garbage. */
  #isPlainlyIn(text: string): boolean {
    if (this.#all.size > fewTexts) return !this.#foundIn(text).next().done;
    for (const sought of this.#all.keys()) if (text.includes(sought)) return true;
    return false;
  }

  /**
   * Like `isIn`, for bytes that are read as Latin-1, and for each of their parts with its escapes resolved. Only parts with
   * escapes become text: all text of a long list would be nine tenths of its garbage.
   */
  isInBytes(bytes: Buffer, parts: Iterable<Buffer>): boolean {
    const isFew = this.#all.size <= fewTexts;
    if (isFew && [...this.#all.keys()].some((text) => bytes.includes(text, 0, 'latin1'))) return true;
    if (isFew && !mayHaveEscapes(bytes)) return false;
    for (const part of parts) if ((!isFew || mayHaveEscapes(part)) && this.isIn(part.toString('latin1'))) return true;
    return false;
  }

  /** Returns the text with all matches replaced by a mask. Texts that overlap share a mask. */
  masked(text: string, mask: string): string {
    if (!this.isIn(text)) return text;
    const found = behindEscapes(text, (each) => this.#foundIn(each));
    return withMasks(text, found, mask);
  }

  *#foundIn(text: string): Generator<Range> {
    for (const sought of this.#all.size <= fewTexts ? this.#all.values() : this.#short)
      yield* occurrences(sought, text);
    if (this.#all.size > fewTexts) yield* this.#hashedIn(text);
  }

  /** Finds the texts that are not short in one pass, however many they are. */
  *#hashedIn(text: string): Generator<Range> {
    const ends = new Map<Sought, number>();
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = hashed(hash, text.charCodeAt(at));
      if (at >= hashedLength) hash = (hash - Math.imul(text.charCodeAt(at - hashedLength), leavingFactor)) | 0;
      if (this.#filter[hash >>> (32 - filterBits)] === 0) continue;
      for (const sought of this.#byHash.get(hash) ?? []) {
        const start = at + 1 - sought.text.length;
        if (start < (ends.get(sought) ?? 0) || !text.startsWith(sought.text, start)) continue;
        ends.set(sought, at + 1);
        yield rangeOf(sought, text, start);
      }
    }
  }
}

function* occurrences(sought: Sought, text: string): Generator<Range> {
  const { length } = sought.text;
  for (let start = text.indexOf(sought.text); start !== -1; start = text.indexOf(sought.text, start + length))
    yield rangeOf(sought, text, start);
}

function rangeOf({ text: { length }, isBase64 }: Sought, text: string, start: number): Range {
  return { start, end: isBase64 ? endOfBase64(text, start + length) : start + length };
}

const hashed = (hash: number, unit: number) => (Math.imul(hash, hashBase) + unit) | 0;

/** Returns the end of a base64 text: after its last character, which depends on what follows, and the padding. */
function endOfBase64(text: string, from: number): number {
  let end = from;
  if (/[\w+/-]/.test(text.charAt(end))) end++;
  for (let padding = 0; padding < 2 && text[end] === '='; padding++) end++;
  return end;
}
