/** Decodes `content-encoding` within a limit, so that a small response cannot fill the memory. */
import { promisify } from 'node:util';

/** Encodings that the client supports. */
export const acceptEncoding = 'gzip, br';

/** Returns the decoded data; `encoding` is the header's value. */
export async function decompress(
  data: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<Buffer | 'too large' | 'cut short' | 'broken'> {
  if (encoding.toLowerCase() === 'identity') return data;
  // An import would copy all exports for each response.
  const { brotliDecompress, gunzip } = process.getBuiltinModule('node:zlib');
  const options = { maxOutputLength: maxBytes, chunkSize: chunkSizeFor(data, encoding, maxBytes) };
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
        return inOwnMemory(await promisify(gunzip)(data, options));
      case 'br':
        return inOwnMemory(await promisify(brotliDecompress)(data, options));
      default:
        return 'broken';
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too large';
    return code === 'Z_BUF_ERROR' ? 'cut short' : 'broken';
  }
}

/** In bytes. Smaller chunks could be parts of a buffer that is shared. */
const minChunkBytes = 64 * 1024;

/**
 * Returns the size of the chunks of the output, in bytes: one that has room for all of it, and so is not followed by
 * another. gzip ends with the size of the data. Memory that is never written costs nothing.
 */
function chunkSizeFor(data: Buffer, encoding: string, maxBytes: number): number {
  const size = encoding.toLowerCase() === 'gzip' && data.length >= 4 ? data.readUInt32LE(data.length - 4) : 0;
  return Math.max(Math.min(size + 1, maxBytes), minChunkBytes);
}

/** Returns the data without the rest of its chunk, so that `release` can free it. */
const inOwnMemory = (data: Buffer<ArrayBuffer>): Buffer => Buffer.from(data.buffer.transfer(data.length));
