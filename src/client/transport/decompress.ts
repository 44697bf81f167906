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
  const { brotliDecompress, gunzip } = await import('node:zlib');
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
        return await promisify(gunzip)(data, { maxOutputLength: maxBytes });
      case 'br':
        return await promisify(brotliDecompress)(data, { maxOutputLength: maxBytes });
      default:
        return 'broken';
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return 'too large';
    return code === 'Z_BUF_ERROR' ? 'cut short' : 'broken';
  }
}
