/** Writes the policies that mend findings, a file for each owner. */
import { join } from 'node:path';
import { requireFileBelow, writeFileBelow } from '../../disk/output-file.ts';
import { yamlText } from '../../output/yaml.ts';
import type { Given } from '../../platform/validate.ts';
import { unwritableBelow } from '../new-file.ts';
import { fixFiles } from './fix-policy.ts';

/** Throws UsageError if one of the files exists, or the folder cannot have them, or any file. */
export function requireFixFiles(folder: string, names: readonly string[], force: boolean): void {
  for (const path of [...names.map((name) => [name]), []]) {
    try {
      requireFileBelow(folder, path, { replace: force });
    } catch (error) {
      throw unwritableBelow(join(folder, ...path), error);
    }
  }
}

/** Writes the files, and returns the notice of that. Throws UsageError, and FileError for a full disk. */
export async function writeFixFiles(folder: string, policies: Iterable<Given>, force: boolean): Promise<string> {
  const files = fixFiles(policies);
  requireFixFiles(
    folder,
    files.map(({ name }) => name),
    force,
  );
  for (const { name, document } of files) {
    try {
      writeFileBelow(folder, [name], await yamlText(document), { replace: force });
    } catch (error) {
      throw unwritableBelow(join(folder, name), error);
    }
  }
  if (files.length === 0) return 'No finding can be mended by a policy.';
  const names = files.map(({ name }) => join(folder, name)).join(', ');
  return `Wrote ${names}. Review the changes with: forgectl policy plan ${folder}`;
}
