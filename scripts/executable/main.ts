/**
 * Entry point of the single executable. It contains everything else: the modules of dist/ with V8's compiled code, and
 * the files that the package reads.
 */
import type { PathLike, PathOrFileDescriptor } from 'node:fs';
import { Modules } from '../../src/start/modules.ts';

// An import would read all exports, and make Node load deferred modules.
const { getAssetKeys, getRawAsset } = process.getBuiltinModule('node:sea');
const { posix } = process.getBuiltinModule('node:path');

/** Virtual path of the package; does not exist on disk. */
const root = '/forgectl.executable';

/** Returns a file of the package; undefined if it does not exist. */
function contentOf(path: string): Buffer | undefined {
  try {
    return Buffer.from(getRawAsset(path) as ArrayBuffer);
  } catch {
    return undefined;
  }
}

/** Returns whether a path is a file of the package, or a folder with files. */
const isContained = (path: string): boolean =>
  contentOf(path) !== undefined || getAssetKeys().some((file) => file.startsWith(`${path}/`));

/** Returns the path inside the package; undefined for other paths. */
function inPackage(path: unknown): string | undefined {
  const name = path instanceof URL ? path.pathname : path;
  if (typeof name !== 'string' || !name.startsWith(`${root}/`)) return undefined;
  return posix.normalize(name).slice(root.length + 1);
}

function readInPackage(path: unknown, options: unknown): string | Buffer | undefined {
  const name = inPackage(path);
  const content = name === undefined ? undefined : contentOf(name);
  // A copy, since callers may modify it.
  return content && (options ? content.toString() : Buffer.from(content));
}

const fs = process.getBuiltinModule('node:fs');

/**
 * Node's file modules as seen by the bundled modules, which read the package's files through them. Other properties are
 * accessed on demand, as Node loads some of them late.
 */
const fileModules = {
  fs: replaced(fs, {
    existsSync: (path: PathLike) => {
      const name = inPackage(path);
      return name === undefined ? fs.existsSync(path) : isContained(name);
    },
    readFileSync: (path: PathOrFileDescriptor, options?: null) =>
      readInPackage(path, options) ?? fs.readFileSync(path, options),
    get promises() {
      return fileModules['fs/promises'];
    },
  }),
  get 'fs/promises'() {
    return replaced(fs.promises, {
      readFile: async (path: PathLike, options?: null) =>
        readInPackage(path, options) ?? fs.promises.readFile(path, options),
    });
  },
};

/** Returns a copy of a module with some of its members replaced. */
function replaced<T extends object>(module: T, members: object): T {
  const descriptors = { ...Object.getOwnPropertyDescriptors(module), ...Object.getOwnPropertyDescriptors(members) };
  return Object.defineProperties({}, descriptors) as T;
}

const modules = new Modules({
  root,
  text: (path) => {
    const content = contentOf(path);
    if (!content) throw new Error(`${path} is not part of this executable.`);
    return content.toString();
  },
  compiled: (path) => contentOf(`${path}.compiled`),
  builtin: (id) => fileModules[id.replace(/^node:/, '') as keyof typeof fileModules],
});

const words = process.argv.slice(2);
if (words[0] === '--version' || words[0] === '-v') {
  const { name, version } = JSON.parse(String(contentOf('package.json'))) as { name: string; version: string };
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    process.stderr.write(`forgectl: Cannot write the output: ${code === 'ENOSPC' ? 'the disk is full' : message}.\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`);
} else {
  (modules.load('dist/cli/run/main.js') as { main: (argv: readonly string[]) => Promise<void> }).main(words);
}
