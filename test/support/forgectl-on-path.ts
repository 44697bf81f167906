/** A directory in which `forgectl` is a program, for scripts of the documentation. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program } from './process.ts';

/** Puts it into `folder`, and gives the `PATH` on which it is found first. */
export async function forgectlOnPath(folder: string): Promise<string> {
  const quoted = program.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'forgectl'), `#!/bin/sh\nexec ${quoted} "$@"\n`);
  await chmod(join(bin, 'forgectl'), 0o755);
  return `${bin}:${process.env.PATH}`;
}
