/** Information from git about the current folder. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { withoutSecrets } from '../cli/secret-variables.ts';

export interface Checkout {
  /** The folder of the working tree. */
  readonly root: string;
  /** Undefined before the first commit. */
  readonly sha: string | undefined;
  /** The full ref of the branch; undefined if a commit is checked out instead of a branch. */
  readonly ref: string | undefined;
}

/** Returns the checkout that a folder lies in; undefined if it lies in none, or git is not installed. */
export async function checkoutAt(folder: string, env: NodeJS.ProcessEnv): Promise<Checkout | undefined> {
  const ask = (...words: readonly string[]) => git(folder, env, words).catch(() => undefined);
  const root = (await ask('rev-parse', '--show-toplevel'))?.trimEnd();
  if (!root) return undefined;
  const [sha, ref] = await Promise.all([ask('rev-parse', '--verify', 'HEAD'), ask('symbolic-ref', '--quiet', 'HEAD')]);
  return { root, sha: sha?.trim() || undefined, ref: ref?.trim() || undefined };
}

/** Returns the files below a folder that git tracks, relative to it. */
export const trackedFiles = async (folder: string, env: NodeJS.ProcessEnv): Promise<string[]> =>
  withoutLast(await git(folder, env, ['ls-files', '-z']));

/** Returns whether tracked files of the checkout differ from its commit. */
export const isDirty = async ({ root }: Checkout, env: NodeJS.ProcessEnv): Promise<boolean> =>
  (await git(root, env, ['status', '--porcelain', '--untracked-files=no'])) !== '';

/** Returns the remotes of the repository that a folder lies in; none if it lies in none, or git is not installed. */
export async function remotesOf(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly name: string; readonly url: string }[]> {
  const list = await git(folder, env, ['remote', '--verbose']).catch(() => '');
  return [...list.matchAll(/^(.+)\t(.+) \(fetch\)/gm)].map(([, name = '', url = '']) => ({ name, url }));
}

const withoutLast = (list: string): string[] => list.split('\0').slice(0, -1);

/** Runs git without tokens, and without the file system monitor that the configuration of a repository may name. */
async function git(folder: string, env: NodeJS.ProcessEnv, words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', ['-c', 'core.fsmonitor=false', ...words], {
    cwd: folder,
    env: { ...withoutSecrets(env), GIT_OPTIONAL_LOCKS: '0' },
    maxBuffer: 256 * 1024 * 1024,
    windowsHide: true,
  });
  return stdout;
}
