/** The small JSON files of the settings directory: read plainly, written atomically and for their owner alone. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { withLock } from './lock.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads a file that holds one JSON object; one that is not there holds nothing.
 *
 * @throws UsageError when it cannot be read or holds anything else; its content is never part of the message
 */
export function readJsonFile(directory: string, name: string): JsonObject {
  const path = join(directory, `${name}.json`);
  const text = readText(path);
  if (text === undefined) return {};
  const value = parse(path, text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new UsageError(`${path} must hold one JSON object.`, repair(path));
  return value;
}

/**
 * Changes such a file, and gives what it holds now. Several processes may do so at once: each change is made to what the
 * one before it wrote.
 */
export async function changeJsonFile(
  directory: string,
  name: string,
  change: (value: JsonObject) => JsonObject,
): Promise<JsonObject> {
  // Loaded before the lock is taken, because that takes longer than everything that is done under it.
  const { default: Conf } = await import('conf');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return await withLock(directory, () => {
      const changed = change(readJsonFile(directory, name));
      const file = new Conf({
        cwd: directory,
        configName: name,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
        serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
      });
      file.store = changed;
      return changed;
    });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UsageError(
      `The settings in ${directory} cannot be changed: ${error.message}.`,
      'Make the directory writable, or choose another with FORGECTL_CONFIG_DIR.',
    );
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (error.code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${error.message}.`);
  }
}

const repair = (path: string) => `Repair it, or move it away to start again: ${path}`;

function parse(path: string, text: string): unknown {
  const failure = parseFailure(text);
  if (failure === undefined) return JSON.parse(text);
  throw new UsageError(`${path} is not valid JSON, line ${lineOf(failure, text)}.`, repair(path));
}

function parseFailure(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/**
 * The line that a parser's message is about. An unexpected token is told without its position, only with a piece of the
 * file; so it is looked for: the first lines up to a bad one fail in the same way, those before it as cut short.
 */
function lineOf(failure: string, text: string): number {
  const told = /\(line (\d+) /.exec(failure)?.[1];
  if (told) return Number(told);
  const lines = text.split('\n');
  const bad = lines.findIndex((_, index) =>
    parseFailure(`${lines.slice(0, index + 1).join('\n')}\n`)?.startsWith('Unexpected token'),
  );
  return bad === -1 ? lines.length : bad + 1;
}
