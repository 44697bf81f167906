/** Writes exported policies to a folder. */
import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { whyUnwritable } from '../client/system-errors.ts';
import { makeDirectories } from '../disk/private-files.ts';
import type { ExportedFile } from '../fleet/policy/export.ts';
import { counted, formatCount } from '../output/amounts.ts';
import { yamlText } from '../output/yaml.ts';
import { policyFilesIn } from './policy-files.ts';

/**
 * Returns the policy files that a folder has already, which could clash with exported ones. Throws UsageError for a folder
 * that cannot be written, and without `force` for one that is not empty.
 */
export async function filesToReplace(folder: string, force: boolean): Promise<readonly string[]> {
  const isEmpty = isEmptyFolder(folder);
  if (!isEmpty && !force)
    throw new UsageError(
      `${folder} is not empty. Nothing was sent.`,
      'Choose another folder with --dir, or write over its files with --force.',
    );
  return isEmpty ? [] : policyFilesIn(folder);
}

/** Returns whether a folder that can be written is empty, or does not exist. Throws UsageError. */
function isEmptyFolder(folder: string): boolean {
  let existing = resolve(folder);
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    if (!statSync(existing).isDirectory()) throw new Error(`${existing} is not a directory`);
    accessSync(existing, constants.W_OK);
    return existing !== resolve(folder) || readdirSync(folder).length === 0;
  } catch (error) {
    throw new UsageError(
      `Cannot write ${folder}: ${whyUnwritable(error) ?? (error as Error).message}. Nothing was sent.`,
    );
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

/**
 * Writes the files below a folder, and returns their paths. The first line of each names the schema in the folder above.
 * Throws FileError.
 */
export async function writePolicyFiles(folder: string, files: readonly ExportedFile[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { path, comment, document } of files) {
    const file = join(folder, ...path.split('/'));
    const schema = `${'../'.repeat(path.split('/').length)}${schemaFile}`;
    const head = [`yaml-language-server: $schema=${schema}`, comment].flatMap((text) => text?.split('\n') ?? []);
    write(file, `${head.map((line) => `# ${line}\n`).join('')}${await yamlText(document)}`);
    paths.push(file);
  }
  return paths;
}

/** Writes the schema to the folder that has the folders of owners, and returns its path. Throws FileError. */
export async function writeSchema(dir: string): Promise<string> {
  const { policySchema } = await import('../fleet/policy/json-schema.ts');
  const file = join(dir, schemaFile);
  write(file, `${JSON.stringify(policySchema(), undefined, 2)}\n`);
  return file;
}

function write(file: string, text: string): void {
  try {
    makeDirectories(dirname(file), mkdirSync);
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`Cannot write ${file}: ${whyUnwritable(error) ?? (error as Error).message}.`);
  }
}
