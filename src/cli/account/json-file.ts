/**
 * The small JSON files of the settings directory: parsed without a library, written atomically, readable only by their
 * owner.
 */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FileError } from '../../client/errors.ts';
import { draftSuffix, makeDirectories } from '../../disk/private-files.ts';
import { readRegularFile, UnsuitableFileError } from '../../disk/regular-file.ts';
import { isDiskFailure, whyUnreadable, whyUnwritable } from '../../disk/system-errors.ts';
import { isObject, type JsonObject } from '../../json/exact-json.ts';
import { jsonErrorLine } from '../../json/json-error.ts';
import { UsageError } from '../errors.ts';
import { withLock } from './lock.ts';

/**
 * Reads a file that holds one JSON object; a missing file counts as empty.
 *
 * @throws UsageError if the file is unreadable or holds anything else; its content is never part of the message
 */
export function readJsonFile(directory: string, name: string): JsonObject {
  const path = join(directory, `${name}.json`);
  const text = readText(path);
  if (text === undefined) return {};
  const value = parse(path, text.replace(/^\uFEFF/, ''));
  if (!isObject(value)) throw new UsageError(`${path} must contain one JSON object.`, repair(path));
  return value;
}

/**
 * Updates such a file and returns its new content. Concurrent updates by several processes are applied one after
 * another. Throws UsageError for a directory that is not writable, and FileError if the disk is full.
 */
export async function changeJsonFile(
  directory: string,
  name: string,
  change: (value: JsonObject) => JsonObject,
): Promise<JsonObject> {
  // Loaded before the lock is taken, because loading takes longer than all the work under the lock.
  const { default: Conf } = await import('conf');
  try {
    makeDirectories(directory);
    return await withLock(directory, () => {
      removeDrafts(directory);
      const changed = change(readJsonFile(directory, name));
      // conf applies the umask to the mode that it is given.
      const umask = process.umask(0o077);
      try {
        const file = new Conf({
          cwd: directory,
          configName: name,
          configFileMode: 0o600,
          accessPropertiesByDotNotation: false,
          serialize: (value) => `${JSON.stringify(value, null, 2)}\n`,
        });
        file.store = changed;
      } finally {
        process.umask(umask);
      }
      return changed;
    });
  } catch (error) {
    const why = whyUnwritable(error);
    if (why === undefined) throw error;
    const message = `Cannot change the settings in ${directory}: ${why}.`;
    if (isDiskFailure(error))
      throw new FileError(message, {
        cause: error,
        advice: 'Free some space, or choose another directory with FORGECTL_CONFIG_DIR.',
      });
    throw new UsageError(message, 'Make the directory writable, or choose another with FORGECTL_CONFIG_DIR.');
  }
}

/** Removes temporary files of crashed writes. They contain tokens, and no other process writes under the lock. */
function removeDrafts(directory: string): void {
  for (const { name, parentPath } of readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile()))
    if (draftSuffix.test(name) && written.includes(name.replace(draftSuffix, ''))) rmSync(join(parentPath, name));
}

/** The files of the directory that are first written to a temporary file. */
const written = ['config.json', 'credentials.json', 'extensions.json', 'cache.key', 'organizations'];

/** In bytes; thousands of profiles and aliases are smaller. */
const largestFile = 16 * 1024 * 1024;

function readText(path: string): string | undefined {
  try {
    return readRegularFile(path, largestFile).toString();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const why = error instanceof UnsuitableFileError ? `it ${error.message}` : whyUnreadable(error);
    if (why === undefined) throw error;
    throw new UsageError(`Cannot read ${path}: ${why}.`, 'Choose another directory with FORGECTL_CONFIG_DIR.');
  }
}

const repair = (path: string) => `Fix it, or move it away to start over: ${path}`;

function parse(path: string, text: string): unknown {
  const line = jsonErrorLine(text);
  if (line === undefined) return JSON.parse(text);
  throw new UsageError(`${path} is not valid JSON (line ${line}).`, repair(path));
}
