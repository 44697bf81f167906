/** Reads files named on the command line, and standard input, as bytes or text. */
import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { readRegularFile, readRegularFileBelow, UnsuitableFileError } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { UsageError } from '../errors.ts';

const mebibyte = 1024 * 1024;

/** The maximum size of input, in bytes. Some inputs never end, such as /dev/zero. */
export const largestInput = 8 * mebibyte;

/** Snapshots list every dependency of a build. */
export const largestSnapshot = 100 * mebibyte;

/** YAML takes far longer to parse than JSON. */
export const largestYaml = mebibyte;

/** Returns the name of a source in messages: a file with its flag. */
export function nameOf(source: string, flag?: string): string {
  if (source === '-') return 'Standard input';
  return flag === undefined ? source : `${flag} ${source}`;
}

/** Returns the problem with input of more than `largest` bytes, worded to follow its name. */
export const tooLarge = (largest: number): string => `is larger than ${largest / mebibyte} MiB`;

/** The problem with input that `utf8Text` cannot decode, worded to follow its name. */
export const notUtf8 = 'is not UTF-8 text';

/** Returns the text without its byte order mark; undefined if the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads the text of a regular file that lies below a directory, links resolved: the file was not chosen by the user,
 * and may be a link to any other. Throws UsageError.
 */
export const readTextBelow = (directory: string, file: string, largest: number): string =>
  regularText(file, () => readRegularFileBelow(directory, file, largest));

function regularText(file: string, read: () => Buffer): string {
  let text: string | undefined;
  try {
    text = utf8Text(read());
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw new UsageError(`${file} ${error.message}.`);
    throw new UsageError(`Cannot read ${file}: ${whyUnreadable(error) ?? (error as Error).message}.`);
  }
  if (text === undefined) throw new UsageError(`${file} ${notUtf8}.`);
  return text;
}

/** Returns whether a path is that of a descriptor of the process, such as /dev/stdin, which may be a pipe. */
export const isDescriptor = (path: string): boolean =>
  /^\/(?:dev\/(?:stdin$|fd\/)|proc\/(?:self|\d+)\/fd\/)/.test(resolve(path));

/** Returns whether a source is standard input: `-`, a path of its descriptor, or a link to one. */
export const isStandardInput = (source: string): boolean =>
  source === '-' ||
  /^\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)$/.test(resolve(source)) ||
  isSameStream(() => statSync(source));

/** Other paths, such as /proc/thread-self/fd/0, may lead to standard input, too. */
function isSameStream(stat: () => Stats): boolean {
  try {
    const [one, other] = [stat(), fstatSync(0)];
    return one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false;
  }
}

/** Returns whether a path may be one that can be read only once: of a descriptor, a pipe or a device. */
export async function isReadOnce(path: string): Promise<boolean> {
  if (isDescriptor(path)) return true;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/**
 * Reads the text of a file that a pattern may have chosen from a repository of others, where it may be a pipe: it must be
 * regular, unless it is standard input (`-`) or a descriptor. With `staysInFolder`, it must be no link out of its folder.
 * Throws UsageError.
 */
export async function readRepositoryText(
  file: string,
  stdin: Readable,
  largest: number,
  { staysInFolder }: { readonly staysInFolder: boolean },
): Promise<string> {
  if (file === '-' || isDescriptor(file)) return readSource(file, stdin, undefined, largest);
  return staysInFolder
    ? readTextBelow(dirname(file), file, largest)
    : regularText(file, () => readRegularFile(file, largest));
}

/** Reads the text of a file or of standard input. Throws UsageError. */
export async function readSource(
  source: string,
  stdin: Readable,
  flag?: string,
  largest = largestInput,
): Promise<string> {
  const text = utf8Text(await readBytes(source, stdin, flag, largest));
  if (text === undefined) throw new UsageError(`${nameOf(source, flag)} ${notUtf8}.`);
  return text;
}

/** Reads a file or standard input. Throws UsageError. */
export async function readBytes(
  source: string,
  stdin: Readable,
  flag?: string,
  largest = largestInput,
): Promise<Buffer> {
  const name = nameOf(source, flag);
  try {
    return await (isStandardInput(source) ? bytesOf(stdin, name, largest) : bytesOfFile(source, name, largest));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyUnreadable(error) ?? (error as Error).message;
    throw new UsageError(`Cannot read ${source === '-' ? 'standard input' : name}: ${why}.`);
  }
}

/** What was read from paths that can be read only once: `each` runs a command for many targets. */
const readBefore = new Map<string, Promise<Buffer>>();

async function bytesOfFile(path: string, name: string, largest: number): Promise<Buffer> {
  const read = () => bytesOf(createReadStream(path, { highWaterMark: mebibyte }), name, largest);
  if (!(await isReadOnce(path))) return read();
  const { dev, ino } = await stat(path);
  // A pipe may have several names.
  const key = `${dev} ${ino}`;
  const reading = readBefore.get(key) ?? read();
  readBefore.set(key, reading);
  // The error names this flag, and another may permit more.
  reading.catch(() => readBefore.delete(key));
  const bytes = await reading;
  if (bytes.length > largest) throw new UsageError(`${name} ${tooLarge(largest)}.`);
  return bytes;
}

/** Reads a stream to its end. Throws UsageError, with the name, if it is too large, and the errors of the stream. */
export async function bytesOf(stream: Readable, name: string, largest: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > largest) throw new UsageError(`${name} ${tooLarge(largest)}.`);
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  }
  return Buffer.concat(chunks);
}
