/** Writes exported policies to a folder. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Node } from 'yaml';
import { SomeFailedError, UnreadableError, UsageError } from '../../cli/errors.ts';
import { requireFileBelow, writeFileBelow } from '../../disk/output-file.ts';
import { fileStartsWith } from '../../disk/regular-file.ts';
import { whyUnwritable } from '../../disk/system-errors.ts';
import type { ExportedFile } from '../../fleet/policy/planning/export.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import { yamlText } from '../../output/yaml.ts';
import type { Given } from '../../platform/validate.ts';
import { unwritableBelow, whyNotWritten } from '../new-file.ts';
import { policyFilesIn } from './files.ts';

/**
 * Returns the policy files that the folder of an owner below `dir` has already, which could clash with exported ones. Throws
 * UsageError for a folder that cannot be written, and without `force` for one that is not empty.
 */
export async function filesToReplace(
  dir: string,
  owner: string,
  force: boolean,
  consequence = 'Nothing was sent.',
): Promise<readonly string[]> {
  const folder = join(dir, owner);
  const isEmpty = isEmptyFolder(folder, consequence);
  if (!isEmpty && !force)
    throw new UsageError(
      `${folder} is not empty. ${consequence}`,
      'Choose another folder with --dir, or write over its files with --force.',
    );
  requirePlaces(dir, [[schemaFile]], { replace: force || hasSchema(dir) }, consequence);
  const files = folders.map((each) => [owner, ...each, 'settings.yaml']);
  requirePlaces(dir, files, { replace: force }, consequence);
  return isEmpty ? [] : policyFilesIn(folder);
}

/** Folders of an owner in which an export writes. */
const folders = [[], ['rulesets'], ['repositories']];

/** Throws UsageError if one of the files below a folder cannot be written, or must not be replaced. */
function requirePlaces(
  dir: string,
  files: readonly (readonly string[])[],
  options: { readonly replace: boolean },
  consequence: string,
): void {
  for (const names of files) {
    try {
      requireFileBelow(dir, names, options);
    } catch (error) {
      const file = join(dir, ...names);
      throw new UsageError(`Cannot write ${file}: ${whyNotWritten(file, error)}. ${consequence}`);
    }
  }
}

/** Returns whether a folder that can be written is empty, or does not exist. Throws UsageError. */
function isEmptyFolder(folder: string, consequence: string): boolean {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is not a directory`);
    accessSync(existing, constants.W_OK);
    return existing !== resolve(folder) || readdirSync(folder).length === 0;
  } catch (error) {
    throw new UsageError(`Cannot write ${folder}: ${whyUnwritable(error) ?? (error as Error).message}. ${consequence}`);
  }
}

/** Files that a notice lists. */
const mostListed = 5;

/** Returns the notice about earlier files that an export did not replace; undefined if it replaced all. */
export function leftFilesNotice(earlier: readonly string[], written: readonly string[]): string | undefined {
  const replaced = new Set(written);
  const left = earlier.filter((file) => !replaced.has(file));
  if (left.length === 0) return undefined;
  const more = left.length > mostListed ? [`${formatCount(left.length - mostListed)} more`] : [];
  const [verb, they] = left.length === 1 ? ['was', 'it'] : ['were', 'them'];
  return `${counted(left.length, 'earlier file')} ${verb} not replaced, and plans still read ${they}: ${[...left.slice(0, mostListed), ...more].join(', ')}`;
}

/** The JSON Schema of policies, which editors find from each file without a network. */
const schemaFile = 'policy.schema.json';

/** Returns whether the folder has the schema of an earlier export, which a new one replaces. */
const hasSchema = (dir: string): boolean =>
  fileStartsWith(
    `${dir}/${schemaFile}`,
    '{\n  "$schema": "http://json-schema.org/draft-07/schema#",\n  "title": "Policy",\n  "type": "object",\n  "if":',
  );

/** A policy file with its layout. */
export interface WrittenPolicy extends ExportedFile {
  readonly arrange?: (contents: Node | null, document: Given) => void;
}

/**
 * Writes the files of an owner below `dir`, and returns their paths. The first line of each names the schema in `dir`. Throws
 * UsageError, also for a file that exists unless `force` is true, and FileError for a full disk.
 */
export async function writePolicyFiles(
  dir: string,
  owner: string,
  files: readonly WrittenPolicy[],
  force: boolean,
): Promise<readonly string[]> {
  const places = files.map(({ path }) => [owner, ...path.split('/')]);
  requirePlaces(dir, places, { replace: force }, 'Nothing was written.');
  const texts = await Promise.all(files.map(textOf));
  return places.map((names, at) => write(dir, names, texts[at] ?? '', force));
}

async function textOf({ path, comment, document, arrange }: WrittenPolicy): Promise<string> {
  const schema = `${'../'.repeat(path.split('/').length)}${schemaFile}`;
  const head = [`yaml-language-server: $schema=${schema}`, comment].flatMap((text) => text?.split('\n') ?? []);
  return `${head.map((line) => `# ${line}\n`).join('')}${await yamlText(document, false, (contents) => arrange?.(contents, document))}`;
}

/**
 * Writes the schema to the folder that has the folders of owners, and returns its path. Replaces only an earlier one unless
 * `force` is true. Throws UsageError and FileError.
 */
export async function writeSchema(dir: string, force: boolean): Promise<string> {
  const { policySchema } = await import('../../fleet/policy/wanted/json-schema.ts');
  return write(dir, [schemaFile], `${JSON.stringify(policySchema(), undefined, 2)}\n`, force || hasSchema(dir));
}

function write(dir: string, names: readonly string[], text: string, replace: boolean): string {
  const file = join(dir, ...names);
  try {
    writeFileBelow(dir, names, text, { replace });
    return file;
  } catch (error) {
    throw unwritableBelow(file, error);
  }
}

/** Returns the error of an export whose files lack something, which stderr lists. */
export function incompleteness(partial: ReadonlySet<string>, unreadable: ReadonlySet<string>) {
  const some = [...partial].filter((name) => !unreadable.has(name)).toSorted();
  if (some.length)
    return new SomeFailedError(
      `The files of ${some.join(', ')} are incomplete.`,
      'The missing parts are listed above. Export them with --force once the token can read them.',
    );
  if (unreadable.size === 0) return undefined;
  return new UnreadableError(
    `Nothing of ${[...unreadable].toSorted().join(', ')} could be read.`,
    'Check the name, and the permissions of the token.',
  );
}
