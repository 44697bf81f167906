/** Lockfiles and the files next to them, from a repository that may be untrusted. */
import { existsSync, globSync, lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, posix, relative, resolve, sep } from 'node:path';
import { UsageError } from '../../cli/errors.ts';
import { nameOf, readTextBelow } from '../../cli/input/sources.ts';
import { type Companions, type LockManifest, ParseError } from '../../dependencies/dependency-graph.ts';
import { lockfileFormat, lockfileFormats, unsupportedLockfile } from '../../dependencies/formats.ts';
import { restoreDefaultInterrupt } from '../../disk/interrupt.ts';
import { isBelow, readRegularFileBelow, UnsuitableFileError } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import type { Checkout } from '../../git/checkout.ts';

/** Lockfiles of the largest known projects have 5 MiB. */
export const largestLockfile = 50 * 1024 * 1024;

/** Of the files beside a lockfile together, which may name one of them endlessly often. */
const largestTogether = 200 * 1024 * 1024;

/** Returns the path of a file in its repository, with slashes; the name of a file outside of it. */
export function pathInRepository(file: string, folder: string, checkout: Checkout | undefined): string {
  const path = relative(checkout?.root ?? folder, resolve(folder, file))
    .split(sep)
    .join('/');
  return path.startsWith('../') || isAbsolute(path) ? posix.basename(path) : path;
}

/** Reads a lockfile, of which `path` is the path in its repository; without a format, that of its name. Throws UsageError. */
export async function readLockfile(
  file: string,
  {
    path,
    folder,
    checkout,
    as,
  }: { path: string; folder: string; checkout: Checkout | undefined; as?: string | undefined },
): Promise<readonly LockManifest[]> {
  const format = as === undefined ? lockfileFormat(path) : lockfileFormats.find(({ name }) => name === as);
  if (format === undefined) throw unreadable(file, path);
  const parse = await format.load(posix.basename(path));
  const beside = dirname(resolve(folder, file));
  const root = checkout && isBelow(beside, checkout.root) ? checkout.root : beside;
  const text = readTextBelow(root, file, largestLockfile);
  return parsed(file, () => parse(text, companionsIn(beside, root)));
}

function unreadable(file: string, path: string): UsageError {
  if (file !== '-' && !existsSync(file)) return new UsageError(`Cannot read ${file}: no such file.`);
  const name = unsupportedLockfile(path);
  if (name === 'bun.lockb')
    return new UsageError(
      `${file} is binary, which is not supported.`,
      'Write bun.lock with: bun install --save-text-lockfile',
    );
  if (name !== undefined)
    return new UsageError(`${file} has an unsupported format.`, 'Create an SBOM, and pass it with --sbom.');
  return new UsageError(
    `${file} is not named like a known lockfile.`,
    'Specify its format with --as, or use --sbom for an SBOM.',
  );
}

/** Returns what `parse` returns. Throws UsageError, with the name of the file, for its ParseError. */
export async function parsed<T>(file: string, parse: () => T | Promise<T>): Promise<T> {
  const restore = restoreDefaultInterrupt();
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const { line, column, message } = error;
    const place = [line && `, line ${line}`, column && `, column ${column}`].filter(Boolean).join('');
    throw new UsageError(`${nameOf(file)}${place}: ${message}.`);
  } finally {
    restore();
  }
}

/** The files beside a lockfile that lie in the repository: paths in lockfiles, and links, are untrusted. */
function companionsIn(folder: string, root: string): Companions {
  let size = 0;
  return {
    read: (path) => {
      const file = resolve(folder, path);
      if (!isBelow(file, root) || !existsSync(file)) return undefined;
      if (size > largestTogether) throw new ParseError('the files beside it have more than 200 MiB');
      try {
        const bytes = readRegularFileBelow(root, file, largestLockfile);
        size += bytes.length;
        return bytes.toString().replace(/^\uFEFF/, '');
      } catch (error) {
        if (error instanceof UnsuitableFileError) throw new ParseError(`${path} ${error.message}`);
        throw new ParseError(`${path} cannot be read: ${whyUnreadable(error) ?? (error as Error).message}`);
      }
    },
    glob: (pattern) => {
      if (isAbsolute(pattern) || pattern.includes('..')) return [];
      if (endlessPattern.test(pattern)) throw new ParseError('workspace pattern not supported');
      const realRoot = realpathSync.native(root);
      const found = globSync(pattern, { cwd: folder, exclude: (path) => isSkipped(join(folder, path), realRoot) });
      return found.map((path) => path.split(sep).join('/')).sort();
    },
  };
}

/**
 * A pattern that takes too long, or leaves the directory: several braces, which multiply, braces with dots only, more
 * than two stars in one name, and groups.
 */
const endlessPattern = /\{.*\{|[{,]\.*[,}]|\*[^/*]*\*[^/*]*\*|\*{3}|\(|^.{1000}/s;

/** Returns whether to skip a path. A link could lead to the whole disk, and a path may be too long to be read. */
function isSkipped(path: string, root: string): boolean {
  if (['node_modules', '.git'].includes(basename(path))) return true;
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
    return !isBelow(realpathSync.native(path), root);
  } catch {
    return true;
  }
}
