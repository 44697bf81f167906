/** The extensions that the user has allowed, by name, in a private file of the settings directory. */
import { join } from 'node:path';
import { OversizedError, readPrivateFile, UntrustedError, whyUntrusted } from '../../disk/private-files.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { asText, isObject, type JsonObject } from '../../json/exact-json.ts';
import { UsageError } from '../errors.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';

/** A file that may be run. */
export interface AllowedExtension {
  /** Without links. */
  readonly file: string;
  /** In hexadecimal. */
  readonly sha256: string;
  /** Whether it gets the token. */
  readonly token: boolean;
  /** ISO 8601. */
  readonly allowed_at: string;
}

/** The contents of extensions.json. */
export interface ExtensionsFile {
  readonly version: 1;
  /** By name, without “forgectl-”. */
  readonly extensions: Readonly<Record<string, AllowedExtension>>;
}

type Allowed = ExtensionsFile['extensions'];

const fileName = 'extensions';

/** In bytes. */
const largestFile = 1024 * 1024;

/** Reads the allowed extensions. Throws UsageError for a file that is invalid, or that others can change. */
export function readAllowed(directory: string): Allowed {
  const path = join(directory, `${fileName}.json`);
  try {
    const why = whyUntrusted(path);
    if (why !== undefined) throw new UsageError(`${path} cannot be used: ${why}.`, 'Restrict access to it.');
    // What git checks out, for example, is not private.
    readPrivateFile(path, largestFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (error instanceof OversizedError) throw new UsageError(`${path} ${error.reason}.`, startOver(path));
    if (error instanceof UntrustedError) throw new UsageError(`${path} ${error.reason}.`, `Fix it: chmod 600 ${path}`);
    const why = whyUnreadable(error);
    if (why === undefined) throw error;
    throw new UsageError(`Cannot read ${path}: ${why}.`, 'Replace it with a regular file.');
  }
  return allowedIn(readJsonFile(directory, fileName), directory);
}

/** Updates the allowed extensions. Throws UsageError. */
export async function changeAllowed(directory: string, change: (allowed: Allowed) => Allowed): Promise<void> {
  await changeJsonFile(directory, fileName, () => {
    const extensions = Object.entries(change(readAllowed(directory))).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { version: 1, extensions: Object.fromEntries(extensions) };
  });
}

function allowedIn({ version, extensions }: JsonObject, directory: string): Allowed {
  const path = join(directory, `${fileName}.json`);
  if (version !== 1)
    throw new UsageError(`${path} has version ${asText(version)}; this forgectl reads version 1.`, startOver(path));
  if (isObject(extensions) && Object.values(extensions).every(isAllowed)) return extensions as unknown as Allowed;
  throw new UsageError(`${path}: extensions must be an object of files with SHA-256.`, startOver(path));
}

const startOver = (path: string): string => `Move it away, and allow the extensions again: ${path}`;

const isAllowed = (value: unknown): boolean =>
  isObject(value) &&
  typeof value.file === 'string' &&
  typeof value.token === 'boolean' &&
  typeof value.allowed_at === 'string' &&
  /^[0-9a-f]{64}$/.test(asText(value.sha256));
