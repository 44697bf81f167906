import * as endpoints from '../../platform/endpoints/comments.ts';
import type { CommitComment } from '../../platform/records.ts';
import { invalid, missing, type Problem } from '../../platform/validate.ts';
import { requireUser } from '../access.ts';
import type { Caller } from '../callers.ts';
import { markdownHtml, markdownText } from '../markdown.ts';
import { textFormat } from '../media-types.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, unprocessable, validationFailed } from '../refusals.ts';
import { requireLevel, userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import { between, pick } from '../seed/chance.ts';
import { isoSeconds } from '../state/accounts.ts';
import { commitSha, files, findCommit, requireObjects } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import type { Collection } from '../store.ts';
import { actorView, nodeId } from '../views/actor.ts';
import { fullName } from '../views/repository.ts';

interface CommentState {
  readonly id: number;
  readonly commit_id: string;
  readonly user_id: number;
  readonly body: string;
  readonly path: string | null;
  readonly position: number | null;
  readonly line: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const firstCreatedId = 700_000_000;

export function mountComments(app: App): void {
  mountReads(app);
  mountWrites(app);
}

function mountReads(app: App): void {
  const { platform } = app;
  route(app, endpoints.listRepositoryComments, ({ repository, accept }) =>
    mapped(listing(commentsOf(platform, repository).values()), viewFor(platform, repository, accept)),
  );

  route(app, endpoints.listCommitComments, ({ repository, path, accept }) => {
    requireObjects(platform, repository);
    const sha = found(findCommit(platform, repository, path.commit_sha));
    const all = commentsOf(platform, repository).values();
    return mapped(listing(all.filter(({ commit_id }) => commit_id === sha)), viewFor(platform, repository, accept));
  });

  route(app, endpoints.getComment, ({ repository, path, accept }) =>
    viewFor(platform, repository, accept)(find(platform, repository, path.comment_id)),
  );
}

function mountWrites(app: App): void {
  const { platform } = app;
  route(app, endpoints.createComment, ({ repository, path, body, caller, accept }) => {
    requireObjects(platform, repository);
    const sha = findCommit(platform, repository, path.commit_sha);
    if (!sha) throw unprocessable(`No commit found for SHA: ${path.commit_sha}`);
    const problems = placeProblems(repository, body);
    if (problems.length) throw validationFailed('CommitComment', problems);
    const now = isoSeconds(platform.clock());
    const comment: CommentState = {
      id: platform.store.next('comments', firstCreatedId),
      commit_id: sha,
      user_id: requireUser(platform, caller).id,
      body: body.body,
      path: body.path ?? null,
      position: body.position ?? null,
      line: body.line ?? null,
      created_at: now,
      updated_at: now,
    };
    commentsOf(platform, repository).set(comment.id, comment);
    return viewFor(platform, repository, accept)(comment);
  });

  route(
    app,
    endpoints.updateComment,
    ({ repository, path, body, caller, accept }) => {
      const comment = findChangeable(platform, caller, repository, path.comment_id);
      const updated = { ...comment, body: body.body, updated_at: isoSeconds(platform.clock()) };
      commentsOf(platform, repository).set(comment.id, updated);
      return viewFor(platform, repository, accept)(updated);
    },
    { checksRole: true },
  );

  route(
    app,
    endpoints.deleteComment,
    ({ repository, path, caller }) => {
      const { id } = findChangeable(platform, caller, repository, path.comment_id);
      commentsOf(platform, repository).delete(id);
    },
    { checksRole: true },
  );
}

/** Returns the errors of a comment's position: a file, a line of it, or a line of its diff. */
function placeProblems(repository: RepositoryState, { path, line, position }: Partial<CommentState>): Problem[] {
  const given = Object.entries({ line, position }).filter(([, number]) => number !== undefined && number !== null);
  if (path === undefined || path === null)
    return given.length ? [missing('path', `is required with ${given.map(([name]) => name).join(' and ')}`)] : [];
  const lines = Object.entries(files(repository)).find(([file]) => file === path)?.[1];
  if (lines === undefined) return [invalid('path', `${path} is not a file of the commit`)];
  return given
    .filter(([, number]) => Number(number) < 1 || Number(number) > lines)
    .map(([name]) => invalid(name, `must be a line of ${path}, from 1 to ${lines}`));
}

/** Ascending by id. Every `site` has seven, other repositories up to two, forks none. */
function commentsOf(platform: SandboxPlatform, repository: RepositoryState): Collection<CommentState> {
  return platform.store.collection<CommentState>('comments', repository.id, () => {
    const chance = (label: string, place: number) => platform.chance('comment', repository.id, label, place);
    if (repository.size === 0 || repository.parent_id !== null) return [];
    const count = repository.name === 'site' ? 7 : between(0, 2, chance('count', 0));
    return Array.from({ length: count }, (_, place) => {
      const id = repository.id * 100 + place + 1;
      const date = isoSeconds(Date.parse(repository.created_at) + (place + 1) * 3_600_000);
      const onFile = place % 2 === 1;
      const comment: CommentState = {
        id,
        commit_id: commitSha(platform, repository, place % 3),
        user_id: between(1, 12, chance('user', place)),
        body: pick(bodies, chance('body', place)),
        path: onFile ? 'src/index.ts' : null,
        position: onFile ? place + 3 : null,
        line: onFile ? place + 40 : null,
        created_at: date,
        updated_at: date,
      };
      return [id, comment] as const;
    });
  });
}

const bodies = [
  'Great, **thank you**!',
  'Is `parse()` still needed here? See [the notes](https://notes.example/parse).',
  'Please split this:\n\n- the rename\n- the fix',
  'とても良い 👍',
] as const;

const find = (platform: SandboxPlatform, repository: RepositoryState, id: number): CommentState =>
  found(commentsOf(platform, repository).get(id));

/** Returns a comment that the caller may change: its author, or anyone with write access. Throws 403 for others. */
function findChangeable(
  platform: SandboxPlatform,
  caller: Caller,
  repository: RepositoryState,
  id: number,
): CommentState {
  const comment = find(platform, repository, id);
  const isAuthor = comment.user_id === userOf(platform, caller)?.id;
  requireLevel(platform, caller, repository, isAuthor ? 'read' : 'write');
  return comment;
}

type Bodies = Pick<CommitComment, 'body' | 'body_text' | 'body_html'>;

/** Returns the members with a comment's text in the requested format. Specification, Commit comments, media types. */
function bodiesFor({ vendor }: SandboxPlatform, accept: string): (markdown: string) => Bodies {
  const format = textFormat(vendor, accept);
  if (format === undefined || format === 'raw') return (body) => ({ body });
  if (format === 'text') return (markdown) => ({ body_text: markdownText(markdown) });
  if (format === 'html') return (markdown) => ({ body_html: markdownHtml(markdown) });
  return (body) => ({ body, body_text: markdownText(body), body_html: markdownHtml(body) });
}

function viewFor(platform: SandboxPlatform, repository: RepositoryState, accept: string) {
  const bodies = bodiesFor(platform, accept);
  return (comment: CommentState) => commentView(platform, repository, comment, bodies);
}

function commentView(
  platform: SandboxPlatform,
  repository: RepositoryState,
  comment: CommentState,
  bodies: (markdown: string) => Bodies,
): CommitComment {
  const name = fullName(platform, repository);
  const user = platform.accounts.userById(comment.user_id);
  return {
    html_url: `${platform.origin}/${name}/commit/${comment.commit_id}#commitcomment-${comment.id}`,
    url: `${platform.baseUrl}/repos/${name}/comments/${comment.id}`,
    id: comment.id,
    node_id: nodeId('CommitComment', comment.id),
    ...bodies(comment.body),
    path: comment.path,
    position: comment.position,
    line: comment.line,
    commit_id: comment.commit_id,
    user: user ? actorView(platform, user) : null,
    created_at: comment.created_at,
    updated_at: comment.updated_at,
    author_association: comment.user_id === repository.owner_id ? 'OWNER' : 'MEMBER',
  };
}
