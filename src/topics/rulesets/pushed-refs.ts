/** The pushes to judge: from flags, or from the lines of a pre-push hook, with their facts from git. */
import { UsageError } from '../../cli/errors.ts';
import type { Push } from '../../foresight/facts.ts';
import { isNoObject, type PushingRepository } from '../../git/pushed.ts';

/** An update of one ref. Without an old object the ref is created, without a new one deleted. */
export interface RefUpdate {
  /** The whole ref. */
  readonly ref: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The local ref that is pushed, if it is one. */
  readonly source?: string | undefined;
}

/** The repository from which is pushed, with the name of the remote to which. */
export interface Pushing {
  readonly repository: PushingRepository;
  /** Undefined if there is no remote. */
  readonly remote: string | undefined;
}

export interface RefFlags {
  readonly ref?: string | undefined;
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly delete?: boolean | undefined;
}

/** Returns the update that flags describe. Throws UsageError. */
export async function updateOfFlags(
  pushing: Pushing,
  { ref: named, to: revision = 'HEAD', from: old, delete: isDeletion }: RefFlags,
): Promise<RefUpdate> {
  const { repository } = pushing;
  const current = named === undefined ? await repository.symbolicRef('HEAD') : undefined;
  const word = named ?? current;
  if (word === undefined) throw new UsageError('No branch is checked out.', 'Select the ref with --ref.');
  const { ref, now } = await refNamed(pushing, word);
  const [from, to] = await Promise.all([
    old === undefined ? now : old === 'none' ? undefined : repository.commitOf(old),
    isDeletion ? undefined : repository.commitOf(revision),
  ]);
  const missing = [
    ...(from === undefined && old !== undefined && old !== 'none' ? [`--from ${old}`] : []),
    ...(to === undefined && !isDeletion ? [`--to ${revision}`] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(missing.map((each) => `${each} is not a commit of the repository.`).join(' '));
  if (!isDeletion) return { ref, from, to, source: await repository.refOf(revision) };
  if (from !== undefined) return { ref, from, to };
  throw new UsageError(`${ref} cannot be deleted: no remote-tracking ref shows that it exists.`, 'Add --from REV.');
}

/** Returns the whole ref that a word means, with the object that the platform has there. Throws UsageError. */
async function refNamed({ repository, remote }: Pushing, word: string) {
  const [branch, tag] = [`refs/heads/${word}`, `refs/tags/${word}`];
  const wholes = word.startsWith('refs/') ? [word] : [branch, tag];
  if (!(await repository.isRefName(wholes[0] ?? ''))) throw new UsageError(`--ref ${word} is not a valid name.`);
  const tracking = (ref: string) => ref.replace(/^refs\/heads\//, `refs/remotes/${remote}/`);
  const existing = await repository.refs(...wholes, ...wholes.map(tracking));
  const isBranch = existing.has(branch) || existing.has(tracking(branch));
  if (wholes.length > 1 && existing.has(tag) && isBranch)
    throw new UsageError(`--ref ${word} is both a branch and a tag.`, `Write ${branch} or ${tag}.`);
  const ref = wholes.length === 1 || isBranch || !existing.has(tag) ? (wholes[0] as string) : tag;
  const isTracked = repository.isBare || (remote !== undefined && ref.startsWith('refs/heads/'));
  const now = isTracked ? existing.get(repository.isBare ? ref : tracking(ref)) : undefined;
  return { ref, now: now && (await repository.commitOf(now)) };
}

/** Returns the updates that git describes to a pre-push hook. Throws UsageError. See githooks(5). */
export function updatesOfHook(text: string): RefUpdate[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, source, to = '', ref = '', from = ''] =
        /^(.+) ([0-9a-f]{40,64}) (refs\/\S+) ([0-9a-f]{40,64})$/.exec(line) ?? [];
      if (source === undefined)
        throw new UsageError(
          'Standard input must have the lines that git writes to a pre-push hook.',
          'Each has the local ref, its object, the remote ref, and its object.',
        );
      const known = (oid: string) => (isNoObject(oid) ? undefined : oid);
      return { ref, from: known(from), to: known(to), source };
    });
}

/** Facts that git does not know. */
export interface OtherFacts {
  readonly repository: string | undefined;
  readonly isMerge: boolean;
  /** The whole ref of the default branch. */
  readonly defaultBranch: string | undefined;
}

/** Returns the facts of a push. Throws GitError. */
export async function factsOf(
  pushing: Pushing,
  update: RefUpdate,
  { repository, isMerge, defaultBranch }: OtherFacts,
): Promise<Push> {
  const { ref, from, to } = update;
  const isBranch = ref.startsWith('refs/heads/');
  return {
    repository,
    ref,
    update: to === undefined ? 'delete' : from === undefined ? 'create' : 'update',
    isDefaultBranch: !isBranch ? false : defaultBranch === undefined ? undefined : ref === defaultBranch,
    isMerge,
    ...(await contentOf(pushing, update)),
    passedChecks: undefined,
    deployedTo: undefined,
  };
}

type Content = Pick<Push, 'head' | 'isForced' | 'commits' | 'files'>;

async function contentOf(pushing: Pushing, update: RefUpdate): Promise<Content> {
  const { repository } = pushing;
  const { from, to } = update;
  if (to === undefined) return { head: '', isForced: false, commits: [], files: [] };
  const [old, head] = [from && (await repository.commitOf(from)), await repository.commitOf(to)];
  const unknownContent = { head: head ?? to, isForced: undefined, commits: undefined, files: undefined };
  if (head === undefined || (from !== undefined && old === undefined)) return unknownContent;
  const isForced = old !== undefined && !(await repository.isAncestor(old, head));
  // A shallow clone lacks the commits that would show where the histories part.
  if (repository.isShallow && (isForced || old === undefined)) return unknownContent;
  const without = platformRefs(pushing, update);
  const commits = await repository.commits(head, old === undefined ? without : [old]);
  const files = await repository.files(head, old === undefined ? without : [old, ...without]);
  return {
    head,
    isForced,
    commits: commits.map(({ isSigned, ...commit }) => ({ ...commit, isVerified: isSigned ? undefined : false })),
    files,
  };
}

/** Returns flags of `git rev-list` for the branches that the platform has. */
function platformRefs({ repository, remote }: Pushing, { ref, source }: RefUpdate): readonly string[] {
  if (remote !== undefined && !repository.isBare) return [`--remotes=${remote}`];
  // The branches of a bare clone are those of the platform; of a checkout without a remote, all but the pushed one are.
  const pushed = repository.isBare ? [ref] : [ref, source];
  const branches = pushed.flatMap((name) =>
    name?.startsWith('refs/heads/') ? [name.slice('refs/heads/'.length)] : [],
  );
  return [...branches.map((name) => `--exclude=${name}`), '--branches'];
}
