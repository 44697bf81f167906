/** Reads files line by line that are too long to be in memory at once. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { openRegularFile, UnsuitableFileError } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { UsageError } from '../errors.ts';
import { isDescriptor, largestInput, nameOf, notUtf8, tooLarge, utf8Text } from './sources.ts';

const lineBreak = 0x0a;

/**
 * Yields the lines of a regular file, or of standard input for `-`, each with its line break, which the last may lack.
 * Throws UsageError, also for a line that is too long.
 */
export async function* linesOfFile(source: string, stdin: Readable): AsyncGenerator<string, void> {
  const name = nameOf(source);
  try {
    for await (const bytes of linesIn(streamOf(source, stdin), name)) {
      const line = utf8Text(bytes);
      if (line === undefined) throw new UsageError(`${name} ${notUtf8}.`);
      yield line;
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof UnsuitableFileError) throw new UsageError(`${name} ${error.message}.`);
    const why = whyUnreadable(error) ?? (error as Error).message;
    throw new UsageError(`Cannot read ${source === '-' ? 'standard input' : name}: ${why}.`);
  }
}

function streamOf(source: string, stdin: Readable): Readable {
  if (source === '-') return stdin;
  return isDescriptor(source) ? createReadStream(source) : createReadStream(source, { fd: openRegularFile(source) });
}

async function* linesIn(stream: Readable, name: string): AsyncGenerator<Buffer, void> {
  let open: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, start)) {
      yield Buffer.concat([...open, bytes.subarray(start, end + 1)]);
      open = [];
      length = 0;
      start = end + 1;
    }
    length += bytes.length - start;
    if (length > largestInput) throw new UsageError(`${name} has a line that ${tooLarge(largestInput)}.`);
    if (start < bytes.length) open.push(bytes.subarray(start));
  }
  if (open.length > 0) yield Buffer.concat(open);
}
