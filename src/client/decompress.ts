/** Undoes `content-encoding` within a limit, so that a small answer cannot fill the memory. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';

/** What the client says that it understands. */
export const acceptEncoding = 'gzip, br';

/** The data without its encoding, which is named as the header has it. */
export async function decompress(
  data: Buffer,
  encoding: string,
  maxBytes: number,
): Promise<Buffer | 'too large' | 'broken'> {
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
        return await promisify(gunzip)(data, { maxOutputLength: maxBytes });
      case 'br':
        return await promisify(brotliDecompress)(data, { maxOutputLength: maxBytes });
      case 'identity':
        return data;
      default:
        return 'broken';
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too large' : 'broken';
  }
}
