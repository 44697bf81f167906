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
    if (needed > this.#bytes.length) this.#bytes = resized(this.#bytes, Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.set(chunk, this.length);
    this.length = needed;
    release(chunk);
  }

  /** Returns the complete body. Its memory has no other use, so that `release` can free it. */
  bytes(): Buffer {
    if (this.length < this.#bytes.length) this.#bytes = resized(this.#bytes, this.length);
    return this.#bytes;
  }
}

/** Returns the bytes in a buffer of another length, and frees the earlier one. */
function resized(bytes: Buffer, length: number): Buffer {
  if (ownsMemory(bytes)) return Buffer.from(bytes.buffer.transfer(length));
  const copy = Buffer.allocUnsafeSlow(length);
  bytes.copy(copy);
  return copy;
}

/**
 * Frees the memory of an unused body, which is empty afterwards. Waiting for the garbage collector costs a hundred
 * megabytes over a long list: bodies are large, and outside of the heap that triggers it.
 */
export function release(body: Buffer): void {
  if (ownsMemory(body)) body.buffer.transfer(0);
}

/** False for views of larger buffers, which others use too. */
const ownsMemory = (bytes: Buffer): bytes is Buffer<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength;
