/** Buffers for response bodies. */

/**
 * Collects a body in a buffer of its own. Chunks are copied and released as they arrive, because chunks that are kept
 * survive several garbage collections.
 */
export class Body {
  #bytes: Buffer = Buffer.alloc(0);
  /** Bytes received so far. */
  length = 0;

  /** Allocates the announced length, for small bodies in a shared buffer. Memory that is never written costs nothing. */
  expect(length: number): void {
    this.#bytes = Buffer.allocUnsafe(length);
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

  /** Returns a view of the bytes received so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.length);
  }
}

/**
 * Frees the memory of an unused body, which is empty afterwards. Waiting for the garbage collector costs a hundred
 * megabytes over a long list: bodies are large, and outside of the heap that triggers it.
 */
export function release({ buffer, byteLength }: Buffer): void {
  // Views of larger buffers are not ours to free.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
