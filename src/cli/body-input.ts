/** `--input FILE|-`: a whole request body, as JSON or YAML. */
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Given } from '../platform/validate.ts';
import { UsageError } from './errors.ts';
import { deepest, isTooDeep } from './nesting.ts';

/** Reads a body. An unreadable file, bad syntax and anything but an object are usage errors. */
export async function readBodyInput(source: string, stdin: Readable): Promise<Given> {
  const name = source === '-' ? 'standard input' : source;
  const value = await parseDocument(name, await readSource(source, name, stdin));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${name} must hold one object, and it holds ${kindOf(value)}.`);
  return value as Given;
}

/** Reads a document that may be JSON or YAML, of which JSON is a part. Throws UsageError. */
export async function parseDocument(name: string, text: string): Promise<unknown> {
  const value = await parseText(name, text);
  if (isTooDeep(value)) throw new UsageError(`${name} is nested more than ${deepest} deep.`);
  return value;
}

async function parseText(name: string, text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch (jsonError) {
    const { parse } = await import('yaml');
    // Its warnings would go straight to stderr.
    try {
      return parse(text, { schema: 'core', logLevel: 'error' });
    } catch (yamlError) {
      // What starts like JSON is meant as JSON, and its own error says more than YAML's would.
      const error = /^\s*[{[]/.test(text) ? jsonError : yamlError;
      throw new UsageError(`${name} is neither JSON nor YAML: ${(error as Error).message.split('\n', 1)[0]}`);
    }
  }
}

export async function readSource(source: string, name: string, stdin: Readable): Promise<string> {
  if (source === '-') return readAll(stdin);
  try {
    return await readFile(source, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${name}: ${(error as Error).message}.`);
  }
}

/** Standard input to its end. */
export async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
