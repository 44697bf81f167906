/**
 * Looks for several texts in bytes at once, by Horspool's algorithm over pairs of bytes: where a pair is in none of the
 * texts, as many bytes are skipped as the shortest has. Lists pass through it, and a search for each text takes far longer.
 */
export class TextSearch {
  readonly #texts: readonly Buffer[];
  /** Of each text, as many bytes at its beginning take part. */
  readonly #window: number;
  /** By the pair of bytes that a window ends with: how far the next window can be that may hold a text. */
  readonly #skips: Uint8Array;

  /** Texts of two bytes at least. */
  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text));
    this.#window = Math.min(256, ...this.#texts.map((text) => text.length));
    this.#skips = new Uint8Array(0x10000).fill(this.#window - 1);
    for (const text of this.#texts)
      for (let end = 2; end <= this.#window; end++) {
        const pair = pairAt(text, end);
        this.#skips[pair] = Math.min(this.#skips[pair] as number, this.#window - end);
      }
  }

  findsAnyIn(bytes: Buffer): boolean {
    for (let end = this.#window; end <= bytes.length; ) {
      const skip = this.#skips[pairAt(bytes, end)] as number;
      if (skip === 0 && this.#standsAt(bytes, end - this.#window)) return true;
      end += Math.max(skip, 1);
    }
    return false;
  }

  #standsAt(bytes: Buffer, place: number): boolean {
    return this.#texts.some((text) => bytes.subarray(place, place + text.length).equals(text));
  }
}

/** Two bytes as a number: those before `end`. */
function pairAt(bytes: Buffer, end: number): number {
  return ((bytes[end - 2] as number) << 8) | (bytes[end - 1] as number);
}
