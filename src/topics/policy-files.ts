/** The policy files of a command line: files, folders of them, or standard input. */
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import * as Args from '@oclif/core/args';
import type { Arg } from '@oclif/core/interfaces';
import { UsageError } from '../cli/errors.ts';
import { largestYaml, readSource } from '../cli/input/sources.ts';
import { whyUnreadable } from '../client/system-errors.ts';
import type { PolicyFile } from '../fleet/policy/load.ts';
import { formatCount } from '../output/amounts.ts';

/** The folder that is read if no path is given. */
const defaultPolicyFolder = 'policy';

/** A folder with more files is not a folder of policies, and would take long to search. */
const mostFiles = 10_000;

/**
 * Reads policy files: folders stand for all `.yaml` and `.yml` files below them except hidden ones, and `-` for
 * standard input. Throws UsageError.
 */
export async function readPolicyFiles(paths: readonly string[], stdin: Readable): Promise<PolicyFile[]> {
  if (paths.filter((path) => path === '-').length > 1)
    throw new UsageError('- is given twice, but standard input can be read only once.');
  const files = new Map<string, string>();
  for (const path of paths.length > 0 ? paths : [defaultPolicyFolder])
    for (const file of path === '-' ? [path] : await filesAt(path)) {
      const key = file === '-' ? file : resolve(file);
      if (!files.has(key)) files.set(key, file);
    }
  const read: PolicyFile[] = [];
  for (const file of files.values()) {
    const text = await readSource(file, stdin, undefined, largestYaml);
    read.push({ file: file === '-' ? 'standard input' : file, text });
  }
  return read;
}

async function filesAt(path: string): Promise<string[]> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    (error: unknown) => {
      const why = whyUnreadable(error) ?? (error as Error).message;
      throw new UsageError(`Cannot read ${path}: ${why}.`, adviceFor(path));
    },
  );
  if (!isFolder) return [path];
  const files = await policyFilesIn(path);
  if (files.length === 0) throw new UsageError(`${path} contains no .yaml or .yml file.`);
  return files;
}

const adviceFor = (path: string): string | undefined =>
  path === defaultPolicyFolder ? 'Name the policy files or their folder, or create the folder policy.' : undefined;

/** Returns the policy files below a folder, sorted. Throws UsageError if there are too many. */
export async function policyFilesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop())
    for (const entry of await readdir(next, { withFileTypes: true })) {
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

/** Policy files and folders (default: the folder policy). */
export const policyPathsArg = (): Arg<string[] | undefined> =>
  Args.custom<string>({ ignoreStdin: true })({
    multiple: true,
    description: 'Policy files or folders of them, or - for standard input (default: policy)',
  }) as unknown as Arg<string[] | undefined>;
