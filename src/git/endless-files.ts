/**
 * Files of a repository that git reads to their end. A repository of others can have a device or a pipe in their place: git
 * would read it until its memory is used up, or wait for it. All paths are byte paths, unless a comment says otherwise.
 */
import type { Dirent, Stats } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { entriesOf, isMadeByKernel, largestList, linkStatOf, realOf, statOf, textOf, toBytePath } from './byte-path.ts';

/** Files by which git recognizes a repository, and finds the other ones. */
const recognized = ['HEAD', 'commondir', 'config', 'config.worktree'];

const readWhole = [
  ...recognized,
  'info/attributes',
  'info/exclude',
  'info/sparse-checkout',
  'objects/info/alternates',
  'packed-refs',
  'shallow',
];

/** Files that git reads as a whole for the status of a checkout. */
const readAsText = [
  'BISECT_START',
  'info/exclude',
  'info/sparse-checkout',
  'rebase-apply/head-name',
  'rebase-apply/onto',
  'rebase-merge/head-name',
  'rebase-merge/onto',
  'sequencer/todo',
];

/** The other folders of a repository in which git reads files; it has more below some of them, for other commands. */
const foldersRead = [
  '.',
  'branches',
  'info',
  'logs',
  'rebase-apply',
  'rebase-merge',
  'reftable',
  'remotes',
  'sequencer',
];

/** The folders of objects, besides those of loose ones. */
const objectFolders = ['.', 'info', 'info/commit-graphs', 'pack'];

/** The files among these that name others. */
const pointers = ['commondir', 'config', 'config.worktree'];

/** More than any real repository has; a list of 16 MiB could name a million. */
export const mostAlternates = 200;

/** Names of refs outside of `refs`. git does not look up `FETCH_HEAD` by itself, which is large after a fetch of many. */
const pseudoRef = /^(?!FETCH_).*HEAD$|^AUTO_MERGE$/;

/** At the end of a text; the first of a run only, so that the time is linear. */
const lineBreaks = /(?<![\r\n])[\r\n]+$/;

/** Returns the path that a file contains, as git reads it: up to the first null byte. */
const pathIn = (text: string): string => text.replace(lineBreaks, '').replace(/\0.*/s, '');

/**
 * Returns the byte path in place of a file that git reads in the repository around a folder, or the one that a user named,
 * both in UTF-8. git also looks at each folder on the way: one may look like a bare repository.
 */
export function endlessAround(folder: string, named: string | undefined): string | undefined {
  const directories = directoriesAround(folder, named);
  const paths = directories.flatMap((directory) => recognized.map((name) => join(directory, name)));
  const lists = directories.flatMap((directory) => pointers.map((name) => join(directory, name)));
  // Even settings make git read refs: an include may depend on the branch.
  return paths.find(isEndless) ?? lists.find((path) => isTooLarge(statOf(path))) ?? endlessIn(directories);
}

/** Returns the byte paths of the files of settings that git may read for the same repository; some may not exist. */
export const settingsAround = (folder: string, named: string | undefined): string[] =>
  directoriesAround(folder, named).flatMap((directory) => [
    join(directory, 'config'),
    join(directory, 'config.worktree'),
  ]);

/** Returns the folders that may be the repository, and those that they share with other working trees. */
function directoriesAround(folder: string, named: string | undefined): string[] {
  const places = named === undefined ? upwards(realOf(toBytePath(folder))) : [realOf(toBytePath(below(folder, named)))];
  const candidates = places.flatMap((place) => [place, `${place}/.git`]);
  // Without that file, git looks at no other.
  const directories = candidates
    .map((path) => directoryOf(path) ?? path)
    .filter((path) => linkStatOf(`${path}/HEAD`)?.isDirectory() === false);
  return [...new Set(directories.flatMap((directory) => [directory, commonOf(directory)]))];
}

/** Returns the directory with the settings and refs of a working tree of several. */
const commonOf = (directory: string): string => {
  const list = join(directory, 'commondir');
  return statOf(list)?.isFile() ? realOf(below(directory, pathIn(textOf(list)))) : directory;
};

/** Returns a path in place of a file that git reads from the directories of a repository, with all its refs and alternates. */
function endlessIn(directories: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const directory of new Set(directories)) {
    const found =
      readWhole.map((name) => join(directory, name)).find(isNoFile) ??
      readAsText.map((name) => join(directory, name)).find((path) => isTooLarge(statOf(path))) ??
      foldersRead.map((name) => pipeIn(join(directory, name))).find((path) => path !== undefined) ??
      refsBeside(directory).find(isEndlessRef) ??
      endlessRef(join(directory, 'refs')) ??
      endlessObjects(join(directory, 'objects'), seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns as `endlessIn` does for a submodule, in which git looks up the commit. */
export function endlessInSubmodule(folder: string): string | undefined {
  const own = join(folder, '.git');
  const directory = directoryOf(own) ?? own;
  return endlessIn([directory]) ?? endlessIn([commonOf(directory)]);
}

/** Returns the attributes in folders of a working tree that are no file. git follows no link there. */
export const endlessAttributes = (folders: Iterable<string>): string | undefined =>
  [...folders].map((folder) => join(folder, '.gitattributes')).find((path) => isPipe(linkStatOf(path)));

/** Returns the first of several files that is a pipe or a device, or larger than any real file of settings. */
export const endlessOf = (files: readonly string[]): string | undefined =>
  files.find((path) => isEndless(path) || isTooLarge(statOf(path)));

/** Returns a path as the system resolves it: `..` leads out of the target of a link. */
export const below = (folder: string, path: string): string => (isAbsolute(path) ? path : `${folder}/${path}`);

const upwards = (path: string): string[] => (path === dirname(path) ? [path] : [path, ...upwards(dirname(path))]);

/** Returns the directory that the file `.git` of a working tree or a submodule names; undefined for anything else. */
export function directoryOf(file: string): string | undefined {
  if (!statOf(file)?.isFile()) return undefined;
  const target = /^gitdir: (.*)/s.exec(textOf(file))?.[1];
  return target === undefined ? undefined : realOf(below(dirname(file), pathIn(target)));
}

/**
 * Returns a ref that is neither a file nor a directory, or points to a file that is not a ref; links are refs only if they
 * lead to a file or nowhere.
 */
function endlessRef(directory: string): string | undefined {
  const entries = entriesOf(directory);
  const isSuspect = (entry: Dirent) => {
    const path = join(directory, entry.name);
    return !entry.isDirectory() && (isNoFile(path) || isEndlessRef(path));
  };
  const suspect = entries.find(isSuspect);
  if (suspect) return join(directory, suspect.name);
  for (const entry of entries) {
    const found = entry.isDirectory() ? endlessRef(join(directory, entry.name)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

const refsBeside = (directory: string): string[] =>
  entriesOf(directory)
    .filter(({ name }) => pseudoRef.test(name))
    .map(({ name }) => join(directory, name));

/** git follows a symbolic ref to any file of the repository, also to one that is not checked here. */
const isEndlessRef = (path: string): boolean =>
  isTooLarge(statOf(path)) || /^ref:[ \t\r\n]*(?![ \t\r\n]|refs\/)/.test(textOf(path));

/** Returns a pipe or a device in a folder, also one that a link leads to, or a link to a file that the kernel makes. */
function pipeIn(folder: string): string | undefined {
  const isSuspect = (entry: Dirent) => {
    if (!entry.isSymbolicLink()) return isPipe(entry);
    const target = statOf(join(folder, entry.name));
    return isPipe(target) || isOfKernel(join(folder, entry.name), target);
  };
  const suspect = entriesOf(folder).find(isSuspect);
  return suspect && join(folder, suspect.name);
}

/**
 * Returns an object that is a pipe or a device, or a list of alternates that is no file or names too many, also in the
 * alternates themselves.
 */
function endlessObjects(objects: string, seen: Set<string>): string | undefined {
  const folder = realOf(objects);
  if (seen.has(folder)) return undefined;
  seen.add(folder);
  const list = join(folder, 'info/alternates');
  const found = statOf(list);
  if (isNoFile(list) || isTooLarge(found)) return list;
  const loose = entriesOf(folder).filter(({ name }) => /^[0-9a-f]{2}$/.test(name));
  for (const name of [...objectFolders, ...loose.map(({ name }) => name)]) {
    const pipe = pipeIn(join(folder, name));
    if (pipe !== undefined) return pipe;
  }
  if (!found) return undefined;
  for (const path of alternatesIn(textOf(list))) {
    if (seen.size > mostAlternates) return list;
    const endless = endlessObjects(below(folder, path), seen);
    if (endless !== undefined) return endless;
  }
  return undefined;
}

const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }),
);

const quotedPiece = new RegExp(String.raw`[^"\\]+|\\([0-3][0-7]{2}|["\\${[...escapes.keys()].join('')}])`, 'y');

/** Yields the paths in a list of alternates. After a quoted one, git skips any character. */
function* alternatesIn(list: string) {
  const text = list.replace(/\0.*/s, '');
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at);
    const plain = {
      path: text.slice(at, lineEnd === -1 ? undefined : lineEnd),
      end: lineEnd === -1 ? text.length : lineEnd,
    };
    const { path, end } = unquoted(text, at) ?? plain;
    if (path !== '' && text[at] !== '#') yield path.replace(/\0.*/s, '');
    at = end + 1;
  }
}

/** Returns a path that git has quoted as in C, and its end; undefined for any other. See core.quotePath in git-config(1). */
function unquoted(text: string, at: number): { path: string; end: number } | undefined {
  if (text[at] !== '"') return undefined;
  const pieces: string[] = [];
  quotedPiece.lastIndex = at + 1;
  for (let end = at + 1; text[end] !== '"'; end = quotedPiece.lastIndex) {
    const [piece, code = ''] = quotedPiece.exec(text) ?? [];
    if (piece === undefined) return undefined;
    const octal = Number.parseInt(code, 8);
    pieces.push(Number.isNaN(octal) ? (escapes.get(code) ?? (code || piece)) : String.fromCharCode(octal));
  }
  return { path: pieces.join(''), end: quotedPiece.lastIndex + 1 };
}

/** A socket cannot be opened, and the null device is empty. */
const isPipe = (found: Stats | Dirent | undefined): boolean =>
  found !== undefined && (found.isFIFO() || found.isCharacterDevice() || found.isBlockDevice()) && !isNull(found);

function isNoFile(path: string): boolean {
  const found = statOf(path);
  return found !== undefined && !isNull(found) && (!found.isFile() || isOfKernel(path, found));
}

export const isOfKernel = (path: string, found: Stats | undefined): boolean =>
  found?.isFile() === true && isMadeByKernel(path, found);

/** Links to the null device are usual in place of a file that has to be empty. */
const isNull = (found: Stats | Dirent): boolean =>
  found.isCharacterDevice() && 'rdev' in found && found.rdev === statOf(devNull)?.rdev;

export const isTooLarge = (found: Stats | undefined): boolean => found?.isFile() === true && found.size > largestList;

/** A folder of that name is no repository, but reading it fails at once. */
const isEndless = (path: string): boolean => isNoFile(path) && statOf(path)?.isDirectory() !== true;
