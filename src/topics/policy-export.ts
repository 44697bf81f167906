/** Writes exported policies to a folder. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { whyUnreadable, whyUnwritable } from '../client/system-errors.ts';
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
    throw new UsageError(
      `Cannot read ${folder}: ${whyUnreadable(error) ?? (error as Error).message}. Nothing was sent.`,
    );
  }
  if (names.length)
    throw new UsageError(
      `${folder} is not empty. Nothing was sent.`,
      'Choose another folder with --dir, or write over its files with --force.',
    );
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
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new FileError(`Cannot write ${file}: ${whyUnwritable(error) ?? (error as Error).message}.`);
  }
}
