/** Reads the checkout around a folder with git. */
import { dirname, join } from 'node:path';
import { fromBytePath, realOf, statOf, toBytePath } from './byte-path.ts';
import { directoryOf } from './endless-files.ts';
import { Git, GitError } from './git.ts';

/** The commit that a repository is at. */
export interface Head {
  /** Undefined before the first commit. */
  readonly sha: string | undefined;
  /** The full ref of the branch; undefined if a commit is checked out instead of a branch. */
  readonly ref: string | undefined;
}

export interface Checkout extends Head {
  /** The folder of the working tree. */
  readonly root: string;
}

/** Returns the checkout that a folder lies in; undefined if it lies in none, or git is not installed. Throws GitError. */
export async function checkoutAt(folder: string, env: NodeJS.ProcessEnv): Promise<Checkout | undefined> {
  return ifRepository(() => found(new Git(folder, env)));
}

/** Returns the commit of a repository that the user named, which may be bare. Throws GitError. */
export async function headOf(repository: string, env: NodeJS.ProcessEnv): Promise<Head> {
  const git = new Git('.', env, { repository });
  await lineOf(git, '--absolute-git-dir');
  return headIn(git);
}

async function found(git: Git): Promise<Checkout> {
  const root = await lineOf(git, '--show-toplevel');
  requireOwnTree(root, (await git.bytes(['rev-parse', '--absolute-git-dir'])).toString('latin1').replace(/\n$/, ''));
  return { root, ...(await headIn(git)) };
}

async function headIn(git: Git): Promise<Head> {
  const [sha, ref] = await Promise.all([
    lineOf(git, '--verify', 'HEAD').catch(() => undefined),
    git.run('symbolic-ref', '--quiet', 'HEAD').catch(() => undefined),
  ]);
  return { sha, ref: ref?.trimEnd() };
}

const lineOf = async (git: Git, ...words: readonly string[]): Promise<string> =>
  (await git.run('rev-parse', ...words)).replace(/\n$/, '');

/** Returns undefined outside of repositories, and without git. Throws other GitErrors. */
async function ifRepository<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof GitError && !['other', 'timeout'].includes(error.reason)) return undefined;
    throw error;
  }
}

/**
 * Throws GitError if the working tree is another than that around the repository, given by its byte path: its configuration
 * may name any folder.
 * Git before version 2.38 also uses embedded bare repositories, with such a setting.
 */
function requireOwnTree(root: string, directory: string): void {
  const own = join(toBytePath(root), '.git');
  if (statOf(own) && realOf(directoryOf(own) ?? own) === realOf(directory)) return;
  throw new GitError(`the repository in ${fromBytePath(directory)} has its working tree in ${root}`, 'other');
}

/** Returns the files below a folder that git tracks, relative to it. Throws GitError. */
export const trackedFiles = async (folder: string, env: NodeJS.ProcessEnv): Promise<string[]> =>
  (await new Git(folder, env).run('ls-files', '-z')).split('\0').slice(0, -1);

/** Returns whether tracked files of the checkout differ from its commit. Throws GitError. */
export async function isDirty({ root }: Checkout, env: NodeJS.ProcessEnv): Promise<boolean> {
  // Only the commits of submodules count: inside of them, git would run with their settings. Renames need their contents.
  const flags = ['--porcelain', '--untracked-files=no', '--ignore-submodules=dirty', '--no-renames'];
  const git = new Git(root, env);
  const entries = (await git.bytes(['ls-files', '--stage', '-z'])).toString('latin1').split('\0').slice(0, -1);
  const tree = toBytePath(root);
  for (const folder of submodulesIn(entries)) git.requireSubmodule(join(tree, folder));
  git.requireAttributes(foldersOf(entries).map((folder) => join(tree, folder)));
  return (await git.run('status', ...flags)) !== '';
}

const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1);

/** Returns the folders of submodules, relative to the working tree. */
const submodulesIn = (entries: readonly string[]): string[] =>
  entries.filter((entry) => entry.startsWith('160000 ')).map(pathOf);

/** Returns the folders of tracked files with those above them, relative to the working tree. */
function foldersOf(entries: readonly string[]): string[] {
  const folders = new Set<string>(['.']);
  for (const entry of entries)
    for (let folder = dirname(pathOf(entry)); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  return [...folders];
}

export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** Returns the remotes of the repository that a folder lies in; none if it lies in none, or git is not installed. Throws GitError. */
export const remotesOf = async (folder: string, env: NodeJS.ProcessEnv): Promise<Remote[]> =>
  (await ifRepository(() => remotesIn(new Git(folder, env)))) ?? [];

/** Returns the remotes of a repository. Throws GitError. */
export async function remotesIn(git: Git): Promise<Remote[]> {
  const list = await git.run('remote', '--verbose');
  return list.split('\n').flatMap((line) => {
    const end = line.lastIndexOf(' (fetch)');
    const tab = line.lastIndexOf('\t', end);
    return tab > 0 && end > tab + 1 ? [{ name: line.slice(0, tab), url: line.slice(tab + 1, end) }] : [];
  });
}
