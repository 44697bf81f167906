/** The policy files of a command line: files, folders of them, or standard input. */
import { type Dirent, existsSync, lstatSync, realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import * as Args from '@oclif/core/args';
import type { Arg } from '@oclif/core/interfaces';
import { UsageError } from '../../cli/errors.ts';
import { isDescriptor, isStandardInput, largestYaml, readSource, readTextBelow } from '../../cli/input/sources.ts';
import { isBelow } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import type { PolicyFile } from '../../fleet/policy/wanted/load.ts';
import { formatCount } from '../../output/amounts.ts';

/** The folder that is read or written if none is given. */
export const defaultPolicyFolder = 'policy';

/** A folder with more files is not a folder of policies, and would take long to search. */
const mostFiles = 10_000;

/** In bytes: one file of a repository can have any number of names. */
export const largestTogether = 64 * 1024 * 1024;

/**
 * Reads policy files: folders stand for all `.yaml` and `.yml` files below them except hidden ones, and `-` for
 * standard input. Throws UsageError.
 */
export async function readPolicyFiles(paths: readonly string[], stdin: Readable): Promise<PolicyFile[]> {
  if (paths.filter(isStandardInput).length > 1) throw new UsageError('Standard input (-) can be given only once.');
  if (paths.length === 0 && existsSync(defaultPolicyFolder)) requireBelowCurrent(defaultPolicyFolder);
  /** Files with the folders that they may lie in; those that may lie anywhere have none. */
  const files = new Map<string, { readonly file: string; readonly folder: string | undefined }>();
  for (const path of paths.length > 0 ? paths : [defaultPolicyFolder])
    for (const found of path === '-' ? [{ file: path, folder: undefined }] : await filesAt(path)) {
      const key = path === '-' ? path : resolve(found.file);
      if (!files.has(key)) files.set(key, found);
    }
  const read: PolicyFile[] = [];
  let size = 0;
  for (const { file, folder } of files.values()) {
    const text =
      folder === undefined
        ? await readSource(file, stdin, undefined, largestYaml)
        : readTextBelow(folder, file, largestYaml);
    size += Buffer.byteLength(text);
    if (size > largestTogether) throw new UsageError('Together, the policy files have more than 64 MiB.');
    read.push({ file: file === '-' ? 'standard input' : file, text });
  }
  return read;
}

async function filesAt(path: string): Promise<{ file: string; folder: string | undefined }[]> {
  const found = await stat(path).catch((error: unknown) => {
    const why = whyUnreadable(error) ?? (error as Error).message;
    throw new UsageError(`Cannot read ${path}: ${why}.`, adviceFor(path));
  });
  // Any file but a descriptor may be a pipe or a link that was planted.
  if (!found.isDirectory()) return [{ file: path, folder: isDescriptor(path) ? undefined : dirname(path) }];
  const files = await policyFilesIn(path);
  if (files.length === 0) throw new UsageError(`${path} contains no .yaml or .yml file.`);
  return files.map((file) => ({ file, folder: path }));
}

/** Nobody named the folder: a repository may have made it a link. */
function requireBelowCurrent(path: string, advice = 'Name the policy files or their folder.'): void {
  if (!isBelow(realpathSync.native(path), realpathSync.native('.')))
    throw new UsageError(`${path} resolves to a folder outside of the current folder.`, advice);
}

/** Returns the folder to write policies to. Throws UsageError for a default one that a link leads out of the current folder. */
export function folderToWrite(named: string | undefined): string {
  if (named !== undefined) return named;
  const advice = 'Name the folder with --dir.';
  if (existsSync(defaultPolicyFolder)) requireBelowCurrent(defaultPolicyFolder, advice);
  // The missing folder that a link leads to would be created.
  else if (lstatSync(defaultPolicyFolder, { throwIfNoEntry: false }))
    throw new UsageError(`${defaultPolicyFolder} is a link that leads to no folder.`, advice);
  return defaultPolicyFolder;
}

const adviceFor = (path: string): string | undefined =>
  path === defaultPolicyFolder ? 'Name the policy files or their folder, or create the folder policy.' : undefined;

/** Returns the files of the folder `policy` of the current directory. Throws UsageError. */
export async function defaultPolicyFiles(): Promise<string[]> {
  requireBelowCurrent(defaultPolicyFolder);
  return policyFilesIn(defaultPolicyFolder);
}

/** Returns the policy files below a folder, sorted. Throws UsageError if there are too many, or a folder cannot be read. */
export async function policyFilesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const entry of await entriesOf(next)) {
      if (entry.name.startsWith('.')) continue;
      const path = join(next, entry.name);
      // Links to folders could lead around in circles.
      if (entry.isDirectory()) folders.push(path);
      else if (/\.ya?ml$/i.test(entry.name)) files.push(path);
      if (files.length > mostFiles)
        throw new UsageError(`${folder} contains more than ${formatCount(mostFiles)} policy files.`);
    }
  return files.sort();
}

const entriesOf = (folder: string): Promise<Dirent[]> =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new UsageError(`Cannot read ${folder}: ${whyUnreadable(error) ?? (error as Error).message}.`);
  });

/** Policy files and folders (default: the folder policy). */
export const policyPathsArg = (): Arg<string[] | undefined> =>
  Args.custom<string>({ ignoreStdin: true })({
    multiple: true,
    description: 'Policy files or folders of them, or - for standard input (default: policy)',
  }) as unknown as Arg<string[] | undefined>;
