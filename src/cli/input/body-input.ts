/** `--input FILE|-`: a whole request body, as JSON or YAML. */
import type { Readable } from 'node:stream';
import { isExactInteger, parseJson } from '../../json/exact-json.ts';
import { jsonErrorLine } from '../../json/json-error.ts';
import { isJsonTooDeep, tooDeep } from '../../json/nesting.ts';
import type { Given } from '../../platform/validate.ts';
import { UsageError } from '../errors.ts';
import { largestYaml, nameOf, readSource, tooLarge } from './sources.ts';

/**
 * Reads a body of at most `largest` bytes. Throws UsageError for an unreadable file, invalid syntax, or anything but an
 * object.
 */
export async function readBodyInput(source: string, stdin: Readable, flag?: string, largest?: number): Promise<Given> {
  return parseBody(nameOf(source, flag), await readSource(source, stdin, flag, largest));
}

/** Parses a body. Throws UsageError for invalid syntax, or anything but an object. */
export async function parseBody(name: string, text: string): Promise<Given> {
  const value = await parseDocument(name, text);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isExactInteger(value))
    throw new UsageError(`${name} must contain one object, not ${kindOf(value)}.`);
  return value as Given;
}

/** Parses a document: JSON if it begins with a brace or a bracket, YAML otherwise. Throws UsageError. */
export async function parseDocument(name: string, text: string): Promise<unknown> {
  return /^\s*[{[]/.test(text) ? jsonOf(name, text) : yamlOf(name, text);
}

function jsonOf(name: string, text: string): unknown {
  if (isJsonTooDeep(text)) throw new UsageError(`${name} ${tooDeep()}.`);
  try {
    return parseJson(text);
  } catch {
    throw new UsageError(
      `${name} is not valid JSON (line ${jsonErrorLine(text)}).`,
      'Input that starts with { or [ is parsed as JSON, not as YAML.',
    );
  }
}

async function yamlOf(name: string, text: string): Promise<unknown> {
  if (Buffer.byteLength(text) > largestYaml) throw new UsageError(`${name} is YAML and ${tooLarge(largestYaml)}.`);
  const { parseYaml, YamlError } = await import('../../json/yaml.ts');
  try {
    return parseYaml(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw new UsageError(`${name} ${error.message}.`);
  }
}

/** Returns the name of a value that is not an object, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (isExactInteger(value)) return 'a number';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
