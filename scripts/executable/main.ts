/**
 * The start of the single executable. All else lies inside it: what scripts/package.ts made of dist/, a CommonJS module
 * for each of its files, and the files that the code reads of its own package. Modules come with what V8 compiled of
 * them in an earlier run, so that this one need not.
 */
import type { PathLike, PathOrFileDescriptor } from 'node:fs';

// As objects: an import would look at all that they export, and have Node load what it loads late.
const { getRawAsset } = process.getBuiltinModule('node:sea');
const { posix } = process.getBuiltinModule('node:path');

/** Where the package is, as its own code sees it: nowhere on the disk. */
const root = '/forgectl.executable';

/** A file of the package; undefined where there is none. */
function contentOf(path: string): Buffer | undefined {
  try {
    return Buffer.from(getRawAsset(path) as ArrayBuffer);
  } catch {
    return undefined;
  }
}

/** What a path names inside the package; undefined for all others. */
function inPackage(path: unknown): string | undefined {
  const name = path instanceof URL ? path.pathname : path;
  if (typeof name !== 'string' || !name.startsWith(`${root}/`)) return undefined;
  return posix.normalize(name).slice(root.length + 1);
}

function readInPackage(path: unknown, options: unknown): string | Buffer | undefined {
  const name = inPackage(path);
  const content = name === undefined ? undefined : contentOf(name);
  // A copy: whoever reads a file may change what was read.
  return content && (options ? content.toString() : Buffer.from(content));
}

/** The code reads its own files as any package does, through these three. */
function serveOwnFiles(): void {
  const fs = process.getBuiltinModule('node:fs');
  const { existsSync, readFileSync } = fs;
  fs.existsSync = (path) => {
    const name = inPackage(path);
    return name === undefined ? existsSync(path) : contentOf(name) !== undefined;
  };
  fs.readFileSync = ((path: PathOrFileDescriptor, options?: null) =>
    readInPackage(path, options) ?? readFileSync(path, options)) as typeof fs.readFileSync;
  const { readFile } = fs.promises;
  fs.promises.readFile = (async (path: PathLike, options?: null) =>
    readInPackage(path, options) ?? readFile(path, options)) as typeof readFile;
}

interface Module {
  readonly exports: unknown;
}

const { Script } = process.getBuiltinModule('node:vm');
const modules = new Map<string, Module>();

/** What a module of the package exports. It runs when it is first asked for, as `require` has it. */
function load(path: string): unknown {
  const loaded = modules.get(path);
  if (loaded) return loaded.exports;
  const source = contentOf(path);
  if (!source) throw new Error(`There is no ${path} in this executable.`);
  const module: Module = { exports: {} };
  modules.set(path, module);
  const filename = `${root}/${path}`;
  const cachedData = contentOf(`${path}.compiled`);
  const script = new Script(source.toString(), { filename, ...(cachedData && { cachedData }) });
  const require = (id: string) =>
    id.startsWith('.') ? load(posix.join(posix.dirname(path), id)) : process.getBuiltinModule(id);
  script.runInThisContext().call(module.exports, module.exports, require, module, filename, posix.dirname(filename));
  return module.exports;
}

const words = process.argv.slice(2);
if (words[0] === '--version' || words[0] === '-v') {
  const { name, version } = JSON.parse(String(contentOf('package.json'))) as { name: string; version: string };
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  serveOwnFiles();
  (load('dist/cli/run.js') as { main: (argv: readonly string[]) => Promise<void> }).main(words);
}
