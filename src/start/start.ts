/** Starts the package: loads its modules with their cached code. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openCache } from '../disk/private-cache.ts';
import { CompileCache } from './compile-cache.ts';
import { compiledFor, Modules } from './modules.ts';

/** Runs a command line, without the program's name. */
export async function start(words: readonly string[]): Promise<void> {
  const root = dirname(__dirname);
  const cache = compileCache(root);
  const modules = new Modules({
    root,
    text: (path) => readFileSync(join(root, path), 'utf8'),
    compiled: (path) => cache?.find(path),
  });
  if (cache) process.on('exit', () => ignoringErrors(() => cache.keep(modules.compiled())));
  const { main } = modules.load('dist/cli/run/main.js') as { main: (words: readonly string[]) => Promise<void> };
  await main(words);
}

function compileCache(root: string): CompileCache | undefined {
  return ignoringErrors(() => {
    const { build } = JSON.parse(readFileSync(join(root, 'dist/package.json'), 'utf8')) as { build: string };
    return new CompileCache(openCache(process.env, 'compile'), build, compiledFor());
  });
}

/** A home that cannot be written to, or a full disk, costs time and nothing else; --debug says why. */
function ignoringErrors<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
