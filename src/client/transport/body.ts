/** The body of an answer, while it comes and when it has been used. */

/**
 * Collects a body in memory of its own. Chunks are copied as they arrive, and released: kept, they would outlive collections of
 * garbage.
 */
export class Body {
  #bytes: Buffer = Buffer.alloc(0);
  /** In bytes, of what has come. */
  length = 0;

  /** Makes room for as much as the headers announce. Memory that is never written to costs nothing. */
  expect(length: number): void {
    this.#bytes = Buffer.allocUnsafeSlow(length);
  }

  add(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.length);
    this.length = needed;
    release(chunk);
  }

  /** What has come. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * Gives the memory of a body back that nobody looks at any more; it is empty then. Waiting for the garbage collector costs
 * a hundred megabytes over a long list: bodies are large, and outside of the heap that it watches.
 */
export function release({ buffer, byteLength }: Buffer): void {
  // What is a part of something else is not ours to give back.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
