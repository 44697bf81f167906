/** The start of the package: its modules from its folder, with what V8 made of them in earlier runs. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KeptCode } from './kept-code.ts';
import { compiledFor, Modules } from './modules.ts';

/** Runs a command line, without the program's name. */
export async function start(words: readonly string[]): Promise<void> {
  const root = dirname(__dirname);
  const kept = keptCode(root);
  const modules = new Modules({
    root,
    text: (path) => readFileSync(join(root, path), 'utf8'),
    compiled: (path) => kept?.find(path),
  });
  if (kept) process.on('exit', () => withoutFail(() => kept.keep(modules.compiled())));
  const { main } = modules.load('dist/cli/main.js') as { main: (words: readonly string[]) => Promise<void> };
  await main(words);
}

function keptCode(root: string): KeptCode | undefined {
  return withoutFail(() => {
    // The build tells changed sources apart, the rest V8's version and flags.
    const { build } = JSON.parse(readFileSync(join(root, 'dist/package.json'), 'utf8')) as { build: string };
    return new KeptCode(`${build}-${compiledFor()}`);
  });
}

/** A home that cannot be written to, or a full disk, costs time and nothing else. */
function withoutFail<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
