/** Reports git errors as usage errors. */
import { UsageError } from '../../cli/errors.ts';
import { GitError } from '../../git/git.ts';

/** Returns the output of git for a directory. Throws UsageError with the advice of git, or else `advice`. */
export async function fromGit<T>(folder: string, answer: Promise<T>, advice?: string): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const why = {
      missing: 'cannot be searched: git is not installed',
      'no repository': 'is not in a git repository',
      'not a repository': 'is not a git repository',
      // In containers, git often refuses a checkout of another user.
      other: `cannot be searched: git: ${error.message}`,
      timeout: `cannot be searched: ${error.message}`,
    }[error.reason];
    throw new UsageError(`${folder === '.' ? 'The current folder' : folder} ${why}.`, error.advice ?? advice);
  }
}
