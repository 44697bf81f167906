/** `--input FILE|-`: a whole request body, as JSON or YAML. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { whyUnreadable } from '../client/system-errors.ts';
import { integerOf, isExactInteger, parseJson } from '../platform/exact-json.ts';
import type { Given } from '../platform/validate.ts';
import { UsageError } from './errors.ts';
import { jsonErrorLine } from './json-line.ts';
import { deepest, isTooDeep } from './nesting.ts';

/** Reads a body. An unreadable file, bad syntax and anything but an object are usage errors. */
export async function readBodyInput(source: string, stdin: Readable, flag?: string): Promise<Given> {
  const name = nameOf(source, flag);
  const value = await parseDocument(name, await readSource(source, stdin, flag));
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactInteger(value))
    throw new UsageError(`${name} must hold one object, and it holds ${kindOf(value)}.`);
  return value as Given;
}

/** What messages call a source: a file by its name and by the flag that it was given with. */
export function nameOf(source: string, flag?: string): string {
  if (source === '-') return 'Standard input';
  return flag === undefined ? source : `${flag} ${source}`;
}

/** Reads a document that may be JSON or YAML, of which JSON is a part. Throws UsageError. */
export async function parseDocument(name: string, text: string): Promise<unknown> {
  const value = await parseText(name, text);
  if (isTooDeep(value)) throw new UsageError(`${name} is nested more than ${deepest} deep.`);
  return value;
}

async function parseText(name: string, text: string): Promise<unknown> {
  try {
    return parseJson(text);
  } catch {
    const { parse } = await import('yaml');
    // Its warnings would go straight to stderr.
    try {
      const exactly = (_: unknown, value: unknown) => (typeof value === 'bigint' ? integerOf(value) : value);
      return parse(text, exactly, { schema: 'core', logLevel: 'error', intAsBigInt: true });
    } catch (error) {
      throw new UsageError(`${name} is neither JSON nor YAML${whereAndWhy(error as Error, text)}.`);
    }
  }
}

/** Where the reading stopped. Of YAML the library says why; after a colon its messages repeat pieces of the file, which may be secret. */
function whereAndWhy(error: Error & { linePos?: readonly { line: number; col: number }[] }, text: string): string {
  // What starts like JSON is meant as JSON, and YAML's reasons would only confuse.
  if (/^\s*[{[]/.test(text)) return `, line ${jsonErrorLine(text)}`;
  const [at] = error.linePos ?? [];
  const why = error.message.replace(/(?: at line \d+|: |\n).*$/s, '');
  return at ? `, line ${at.line}, column ${at.col}: ${why}` : `: ${why}`;
}

/** The text of a file, or of standard input for `-`. Throws UsageError. */
export async function readSource(source: string, stdin: Readable, flag?: string): Promise<string> {
  if (source === '-') return readAll(stdin);
  return (await readGivenFile(source, nameOf(source, flag))).toString('utf8');
}

/** Reads a file that was named on the command line; `name` is what messages call it. Throws UsageError. */
export async function readGivenFile(file: string, name: string): Promise<Buffer> {
  try {
    return await bytesOf(createReadStream(file), name);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyUnreadable(error) ?? (error as Error).message;
    throw new UsageError(`${name} cannot be read: ${why}.`);
  }
}

/** Standard input to its end. Throws UsageError for more than anybody can mean to send. */
export async function readAll(stdin: Readable): Promise<string> {
  return (await bytesOf(stdin, 'Standard input')).toString('utf8');
}

/** For anything that is read from a file or from standard input. */
export const mostInputBytes = 64 * 1024 * 1024;

/** Some inputs never end: /dev/zero, a program that goes on writing. */
async function bytesOf(stream: Readable, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > mostInputBytes) throw new UsageError(`${name} holds more than ${mostInputBytes / 1024 / 1024} MiB.`);
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

/** Returns what messages call a value that should have been an object. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (isExactInteger(value)) return 'a number';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
