/** Writes exported policies to a folder. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { whyUnwritable } from '../client/system-errors.ts';
import type { ExportedFile } from '../fleet/policy/export.ts';
import { yamlText } from '../output/yaml.ts';

/** Throws UsageError for a folder that has files already, whose policies could clash with exported ones. */
export function refuseFilledFolder(folder: string, force: boolean): void {
  if (force) return;
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new UsageError(`${folder} cannot be read. Nothing was sent.`);
  }
  if (names.length)
    throw new UsageError(
      `${folder} is not empty. Nothing was sent.`,
      'Choose another folder with --dir, or write over its files with --force.',
    );
}

/** Writes the files below a folder, and returns their paths. Throws FileError. */
export async function writePolicyFiles(folder: string, files: readonly ExportedFile[]): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const { path, document } of files) {
    const file = join(folder, ...path.split('/'));
    const text = await yamlText(document);
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } catch (error) {
      throw new FileError(`${file} cannot be written: ${whyUnwritable(error) ?? (error as Error).message}.`);
    }
    paths.push(file);
  }
  return paths;
}
