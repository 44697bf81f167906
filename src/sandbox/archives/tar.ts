/** Writes archives in the ustar format, compressed with gzip. */
import { gzipSync } from 'node:zlib';

export interface ArchivedFile {
  readonly path: string;
  readonly content: Uint8Array | string;
}

const block = 512;

/** Returns a gzip-compressed tar of files; the same files yield the same bytes. */
export function tarGz(files: readonly ArchivedFile[], modified: Date): Buffer {
  const parts = files.flatMap(({ path, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return [header(path, bytes.length, modified), bytes, Buffer.alloc((block - (bytes.length % block)) % block)];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}

/**
 * Returns the header of one file: text fields at fixed offsets, numbers in octal. POSIX, pax, ustar interchange format.
 */
function header(path: string, size: number, modified: Date): Buffer {
  const bytes = Buffer.alloc(block);
  const [name, prefix] = splitPath(path);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  bytes.write(name, 0);
  bytes.write(octal(0o644, 7), 100);
  bytes.write(octal(0, 7), 108);
  bytes.write(octal(0, 7), 116);
  bytes.write(octal(size, 11), 124);
  bytes.write(octal(Math.floor(modified.getTime() / 1000), 11), 136);
  bytes.write('        0', 148);
  bytes.write('ustar\u000000', 257);
  bytes.write(prefix, 345);
  const checksum = bytes.reduce((sum, byte) => sum + byte, 0);
  bytes.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** Splits a path into a name of at most 100 characters, and its directories. */
function splitPath(path: string): [name: string, prefix: string] {
  if (path.length <= 100) return [path, ''];
  const slash = path.indexOf('/', path.length - 101);
  return [path.slice(slash + 1), path.slice(0, slash)];
}
