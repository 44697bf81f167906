/** Reads with git what a push would send: refs, new commits and their files, in a few processes for any number of them. */
import { realpathSync } from 'node:fs';
import { type Remote, remotesIn } from './checkout.ts';
import { Git, GitError } from './git.ts';

export interface PushedCommit {
  readonly id: string;
  /** The number of parents. */
  readonly parents: number;
  readonly message: string;
  readonly authorEmail: string;
  readonly committerEmail: string;
  readonly isSigned: boolean;
}

/** A file that a commit adds or changes. */
export interface PushedBlob {
  readonly commit: string;
  readonly path: string;
  /** In bytes; undefined if the clone does not have it. */
  readonly size: number | undefined;
}

/** The object of no ref, as git gives it to hooks. */
export const isNoObject = (oid: string): boolean => /^0+$/.test(oid);

/** Returns whether a text that somebody else wrote is the ID of an object, which git does not look up in any other way. */
export const isObjectId = (text: unknown): text is string =>
  typeof text === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** A repository from which is pushed: a checkout, or a bare clone, whose own branches are taken for those of the platform. */
export class PushingRepository {
  readonly #git: Git;
  readonly isBare: boolean;
  readonly isShallow: boolean;

  private constructor(git: Git, isBare: boolean, isShallow: boolean) {
    this.#git = git;
    this.isBare = isBare;
    this.isShallow = isShallow;
  }

  /** Opens the repository around the current folder, or one that the user named, which may be bare. Throws GitError. */
  static async at(named: string | undefined, env: NodeJS.ProcessEnv): Promise<PushingRepository> {
    const about = async (git: Git) => {
      const words = ['--is-bare-repository', '--is-shallow-repository', '--absolute-git-dir'];
      const [bare, shallow, ...rest] = (await git.run('rev-parse', ...words)).replace(/\n$/, '').split('\n');
      // A path may have line breaks.
      const directory = rest.join('\n');
      // The settings of a checkout may say that it is bare, but its branches are not those of the platform.
      const isBare = bare === 'true' && realpathSync(named ?? '.') === realpathSync(directory);
      return new PushingRepository(git, isBare, shallow === 'true');
    };
    try {
      return await about(new Git(named ?? '.', env));
    } catch (error) {
      if (named === undefined || !(error instanceof GitError)) throw error;
      return about(new Git('.', env, { repository: named })).catch(() => Promise.reject(error));
    }
  }

  /** Returns the remotes. Throws GitError. */
  remotes(): Promise<Remote[]> {
    return remotesIn(this.#git);
  }

  /** Returns the objects of those of the refs that exist. Throws GitError. */
  async refs(...names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const listed = await this.#git.run('for-each-ref', '--format=%(objectname) %(refname)', ...names);
    // A name also selects the refs below it.
    const all = [...listed.matchAll(/^(\S+) (.+)$/gm)].map(([, oid = '', name = '']) => [name, oid] as const);
    return new Map(all.filter(([name]) => names.includes(name)));
  }

  /** Returns the full name of the ref that a symbolic ref points to; undefined if there is none. */
  async symbolicRef(name: string): Promise<string | undefined> {
    return this.#orUndefined('symbolic-ref', '--quiet', name);
  }

  /** Returns the full name of the ref that a revision is; undefined for any other revision. */
  async refOf(revision: string): Promise<string | undefined> {
    return (await this.#orUndefined('rev-parse', '--symbolic-full-name', '--verify', revision)) || undefined;
  }

  /** Returns the commit of a revision; undefined if there is none. */
  async commitOf(revision: string): Promise<string | undefined> {
    if (revision.startsWith('-')) return undefined;
    return this.#orUndefined('rev-parse', '--quiet', '--verify', `${revision}^{commit}`);
  }

  /** Returns whether git accepts a name for a ref. */
  async isRefName(name: string): Promise<boolean> {
    return (await this.#orUndefined('check-ref-format', name)) !== undefined;
  }

  /** Returns whether one commit is an ancestor of another, which in a shallow clone may remain unknown. */
  async isAncestor(old: string, head: string): Promise<boolean> {
    return (await this.#git.run('rev-list', '--max-count=1', old, `^${head}`)) === '';
  }

  /** Returns the commits that are reachable from the first, but not by the other words of `git rev-list`. Throws GitError. */
  async commits(head: string, without: readonly string[]): Promise<readonly PushedCommit[]> {
    const ids = await this.#git.run('rev-list', head, '--not', ...without);
    return ids === '' ? [] : [...commitsIn(await this.#git.bytes(['cat-file', '--batch'], ids))];
  }

  /** Returns the files that the same commits add or change; a merge has those that differ from all its parents. Throws GitError. */
  async files(head: string, without: readonly string[]): Promise<readonly PushedBlob[]> {
    const words = ['--format=commit %H', '--raw', '--no-abbrev', '--no-renames', '--diff-merges=combined', '-z'];
    // Settings of the repository could change what is listed.
    const fixed = [
      '--no-show-signature',
      '--no-mailmap',
      '--no-color',
      '--ignore-submodules=none',
      '-O/dev/null',
      '--no-relative',
      '--encoding=UTF-8',
    ];
    const listed = await this.#git.run(
      ...['-c', 'log.showRoot=true', 'log', ...words, ...fixed, head, '--not', ...without],
    );
    const changes = [...changesIn(listed)];
    const blobs = [...new Set(changes.filter(({ isFile }) => isFile).map(({ oid }) => oid))];
    const sizes = new Map<string, number>();
    if (blobs.length > 0) {
      const asking = ['cat-file', '--batch-check=%(objectname) %(objectsize)'];
      const checked = (await this.#git.bytes(asking, `${blobs.join('\n')}\n`)).toString();
      for (const [, oid = '', size] of checked.matchAll(/^([0-9a-f]+) (\d+)$/gm)) sizes.set(oid, Number(size));
    }
    return changes.map(({ commit, path, oid, isFile }) => ({ commit, path, size: isFile ? sizes.get(oid) : 0 }));
  }

  async #orUndefined(...words: readonly string[]): Promise<string | undefined> {
    try {
      return (await this.#git.run(...words)).trimEnd();
    } catch (error) {
      if (error instanceof GitError && error.reason === 'other') return undefined;
      throw error;
    }
  }
}

function* commitsIn(batch: Buffer): Generator<PushedCommit> {
  for (let at = 0; at < batch.length; ) {
    const end = batch.indexOf('\n', at);
    const [id = '', type, size = ''] = batch.toString('latin1', at, end).split(' ');
    // A partial clone may lack commits; git then prints “missing”.
    if (type !== 'commit') throw new GitError(`the clone does not have commit ${id}`, 'other');
    at = end + 1 + Number(size) + 1;
    yield commitOf(id, batch.subarray(end + 1, at - 1));
  }
}

function commitOf(id: string, object: Buffer): PushedCommit {
  const end = object.indexOf('\n\n');
  const head = object.toString('utf8', 0, end === -1 ? object.length : end + 1);
  const encoding = /^encoding (.+)$/m.exec(head)?.[1];
  // Like git, from the first bracket on.
  const emailOf = (role: string) => new RegExp(`^${role} [^<\\n]*<([^>\\n]*)>`, 'm').exec(head)?.[1] ?? '';
  return {
    id,
    parents: head.match(/^parent /gm)?.length ?? 0,
    message: end === -1 ? '' : decoded(object.subarray(end + 2), encoding),
    authorEmail: emailOf('author'),
    committerEmail: emailOf('committer'),
    isSigned: /^gpgsig(?:-sha256)? /m.test(head),
  };
}

function decoded(text: Buffer, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding).decode(text);
  } catch {
    return text.toString();
  }
}

/** Returns the changes of a log with `-z`: a colon for each parent, their modes and that of the commit, then the same of objects. */
function* changesIn(log: string) {
  let commit = '';
  const words = log.split('\0');
  for (let at = 0; at < words.length; at += 1) {
    const word = (words[at] ?? '').replace(/^\n/, '');
    if (word.startsWith('commit ')) commit = word.slice('commit '.length).trimEnd();
    const parents = /^:*/.exec(word)?.[0].length ?? 0;
    if (parents === 0) continue;
    at += 1;
    const facts = word.split(' ');
    const [mode, oid = ''] = [facts[parents], facts[2 * parents + 1]];
    if (!isNoObject(oid)) yield { commit, path: words[at] ?? '', oid, isFile: mode !== '160000' };
  }
}
