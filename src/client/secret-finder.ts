/**
 * Finds secrets in a text by plain search. A pattern of them would be too large for long secrets, and the error that
 * says so quotes it.
 */

/** A text to find. */
export interface Sought {
  readonly text: string;
  /** Whether the base64 characters after it belong to it: the last one, and the padding. */
  readonly isBase64: boolean;
}

/** An occurrence of a text. */
interface Occurrence {
  readonly sought: Sought;
  start: number;
}

/** Searching for so many texts one by one is faster than hashing. */
const fewTexts = 16;

/** Texts are told apart by a hash of their last characters; the first ones of tokens are alike. */
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

  add(sought: Sought): void {
    const { text } = sought;
    if (text === '' || this.#all.has(text)) return;
    this.#all.set(text, sought);
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
    for (const sought of this.#candidates(text)) if (text.includes(sought.text)) return true;
    return false;
  }

  /** Returns the text with all that is found replaced by a mask. Texts that overlap share a mask. */
  masked(text: string, mask: string): string {
    const found: Occurrence[] = [];
    for (const sought of this.#candidates(text)) {
      const start = text.indexOf(sought.text);
      if (start !== -1) found.push({ sought, start });
    }
    let shown = '';
    let end = 0;
    for (let next = first(found); next; next = first(found)) {
      const { sought, start } = next;
      if (start >= end) shown += text.slice(end, start) + mask;
      const after = start + sought.text.length;
      end = Math.max(end, sought.isBase64 ? endOfBase64(text, after) : after);
      next.start = text.indexOf(sought.text, after);
    }
    return shown + text.slice(end);
  }

  /** Returns the texts that may occur in another one, after one pass over it, however many they are. */
  #candidates(text: string): Iterable<Sought> {
    if (this.#all.size <= fewTexts) return this.#all.values();
    const alike = new Set<readonly Sought[]>([this.#short]);
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = hashed(hash, text.charCodeAt(at));
      if (at >= hashedLength) hash = (hash - Math.imul(text.charCodeAt(at - hashedLength), leavingFactor)) | 0;
      if (this.#filter[hash >>> (32 - filterBits)] === 0) continue;
      const some = this.#byHash.get(hash);
      if (some) alike.add(some);
    }
    return [...alike].flat();
  }
}

const hashed = (hash: number, unit: number) => (Math.imul(hash, hashBase) + unit) | 0;

/** Returns the occurrence that starts first. */
function first(occurrences: readonly Occurrence[]): Occurrence | undefined {
  let found: Occurrence | undefined;
  for (const occurrence of occurrences)
    if (occurrence.start !== -1 && (!found || occurrence.start < found.start)) found = occurrence;
  return found;
}

/** Returns the end of a base64 text: after its last character, which depends on what follows, and the padding. */
function endOfBase64(text: string, from: number): number {
  let end = from;
  if (/[\w+/-]/.test(text.charAt(end))) end++;
  for (let padding = 0; padding < 2 && text[end] === '='; padding++) end++;
  return end;
}
