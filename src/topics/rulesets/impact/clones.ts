/** Clones of repositories, from which the commits of past pushes are read. */
import { join } from 'node:path';
import { UsageError } from '../../../cli/errors.ts';
import type { RepoName } from '../../../cli/input/args.ts';
import { isPossibleName } from '../../../fleet/policy/file-names.ts';
import type { Commit, JudgedRuleset } from '../../../foresight/facts.ts';
import type { PastPush } from '../../../foresight/impact.ts';
import { isFolder } from '../../../git/byte-path.ts';
import { GitError } from '../../../git/git.ts';
import { isObjectId, PushingRepository } from '../../../git/pushed.ts';

/** The types of rules that are judged by commits. */
const overCommits: readonly string[] = [
  'required_linear_history',
  'required_signatures',
  'commit_message_pattern',
  'commit_author_email_pattern',
  'committer_email_pattern',
];

export class Clones {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #open = new Map<string, Promise<PushingRepository | undefined>>();

  /** Throws UsageError unless the folder exists. */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    if (!isFolder(folder)) throw new UsageError(`--clones ${folder} is not a folder. Nothing was sent.`);
    this.#folder = folder;
    this.#env = env;
  }

  /** Returns whether a ruleset has rules over commits. */
  static areNeededFor({ rules }: JudgedRuleset): boolean {
    return rules.some(({ type }) => overCommits.includes(type));
  }

  /** Returns the commits of an update; undefined without a clone that has them. Throws UsageError without git. */
  async commitsOf(repository: RepoName, { before, after }: PastPush): Promise<readonly Commit[] | undefined> {
    try {
      const clone = await this.#cloneOf(repository);
      if (!clone || clone.isShallow || ![before, after].every(isObjectId)) return undefined;
      const [old, head] = [await clone.commitOf(before), await clone.commitOf(after)];
      if (old === undefined || head === undefined) return undefined;
      const commits = await clone.commits(head, [old]);
      return commits.map(({ isSigned, ...commit }) => ({ ...commit, isVerified: isSigned ? undefined : false }));
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      if (error.reason === 'missing') throw new UsageError('--clones requires git, which is not installed.');
      return undefined;
    }
  }

  #cloneOf(repository: RepoName): Promise<PushingRepository | undefined> {
    const { owner, repo } = repository;
    const name = `${owner}/${repo}`;
    const open = this.#open.get(name) ?? this.#opened(repository);
    this.#open.set(name, open);
    return open;
  }

  async #opened({ owner, repo }: RepoName): Promise<PushingRepository | undefined> {
    if (![owner, repo].every(isPossibleName)) return undefined;
    const places = [join(owner, repo), repo].flatMap((path) => [path, `${path}.git`]);
    const found = places.map((path) => join(this.#folder, path)).find(isFolder);
    return found === undefined ? undefined : PushingRepository.at(found, this.#env);
  }
}
