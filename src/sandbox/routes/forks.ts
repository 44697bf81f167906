import * as endpoints from '../../platform/endpoints/forks.ts';
import type { Commit } from '../../platform/records.ts';
import { inaccessible } from '../access.ts';
import { type Caller, hasScope, reaches, usesScopes } from '../callers.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, notFound, Refusal, validationFailed } from '../refusals.ts';
import { isVisible, userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import { type Account, isoSeconds } from '../state/accounts.ts';
import { commitCount, requireObjects } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { defaultFeatures } from '../state/security.ts';
import { commitView } from '../views/commit.ts';
import { mayBeForked, repositoryView } from '../views/repository.ts';
import { nameProblems, refuseTakenName, repositoryName, requireCreationRight } from './repos/create.ts';

/** Time until the git objects of a fork have been copied. */
const copying = 1500;

export function mountForks(app: App): void {
  const { platform } = app;

  route(
    app,
    endpoints.listForks,
    ({ repository, caller, query }) => {
      const forks = platform.repositories
        .forksOf(repository)
        .filter((fork) => isVisible(platform, caller, fork))
        .sort(orders[query.sort ?? 'newest']);
      return mapped(listing(forks), (fork) => repositoryView(platform, fork, caller));
    },
    { badQueryStatus: 400 },
  );

  route(
    app,
    endpoints.createFork,
    ({ repository, caller, body }) => {
      const owner = destination(platform, caller, body.organization, repository);
      requireForkable(platform, repository);
      const fork = existingFork(platform, owner, repository) ?? createFork(platform, owner, repository, caller, body);
      return repositoryView(platform, fork, caller);
    },
    { readOnlyToo: true, checksRole: true },
  );

  route(app, endpoints.listCommits, ({ repository }) => {
    requireObjects(platform, repository);
    if (repository.size === 0) throw new Refusal(409, 'Git Repository is empty.');
    const total = commitCount(platform, repository);
    return {
      total,
      slice: (start: number, end: number): Commit[] =>
        Array.from({ length: Math.max(0, Math.min(end, total) - start) }, (_, index) =>
          commitView(platform, repository, start + index),
        ),
    };
  });
}

type Order = (a: RepositoryState, b: RepositoryState) => number;

/** Stars and watchers are the same number, as on the public platform. */
const byStars: Order = (a, b) => b.stargazers_count - a.stargazers_count || b.id - a.id;
const newest: Order = (a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id;
const orders: Readonly<Record<'newest' | 'oldest' | 'stargazers' | 'watchers', Order>> = {
  newest,
  oldest: (a, b) => newest(b, a),
  stargazers: byStars,
  watchers: byStars,
};

/** Returns the owner of a fork: the given organization, else the caller. Throws 403 if forking there is not allowed. */
function destination(
  platform: SandboxPlatform,
  caller: Caller,
  organization: string | undefined,
  { visibility }: RepositoryState,
): Account {
  const { accounts } = platform;
  const owner = organization === undefined ? accounts.user(caller.login ?? '') : accounts.organization(organization);
  // Specification, Errors, 6: unknown organizations.
  if (!owner && organization !== undefined) throw notFound();
  if (!owner || !reaches(caller, owner)) throw inaccessible(caller);
  if (usesScopes(caller) && !hasScope(caller, 'public_repo'))
    throw forbidden('You need at least public_repo scope or repo scope to make this request.');
  if (owner.type === 'Organization') requireCreationRight(platform, caller, owner, visibility);
  return owner;
}

function requireForkable(platform: SandboxPlatform, repository: RepositoryState): void {
  requireObjects(platform, repository);
  if (repository.size === 0)
    throw forbidden('The repository exists, but it contains no Git content. Empty repositories cannot be forked.');
  if (!mayBeForked(platform, repository)) throw forbidden('Forking is disabled for this repository.');
}

/** An account has at most one fork of a repository; another request returns the existing one. */
function existingFork(
  platform: SandboxPlatform,
  owner: Account,
  repository: RepositoryState,
): RepositoryState | undefined {
  return platform.repositories.forksOf(repository).find((fork) => fork.owner_id === owner.id);
}

interface Fields {
  readonly name?: string | undefined;
  readonly default_branch_only?: boolean | undefined;
}

function createFork(
  platform: SandboxPlatform,
  owner: Account,
  parent: RepositoryState,
  caller: Caller,
  fields: Fields,
): RepositoryState {
  const name =
    fields.name === undefined ? freeName(platform, owner, parent.name) : askedName(platform, owner, fields.name);
  const now = platform.clock();
  const { id: _, creator_id: __, ...copied } = parent;
  const creator = userOf(platform, caller);
  return platform.repositories.create({
    ...copied,
    owner_id: owner.id,
    name,
    parent_id: parent.id,
    ...(creator && { creator_id: creator.id }),
    default_branch_only: fields.default_branch_only ?? false,
    archived: false,
    security_features: defaultFeatures(owner),
    has_issues: false,
    stargazers_count: 0,
    open_issues_count: 0,
    created_at: isoSeconds(now),
    updated_at: isoSeconds(now),
    ready_at: new Date(now.getTime() + copying).toISOString(),
  });
}

/** Throws 422 for an invalid name, or one in use. */
function askedName(platform: SandboxPlatform, owner: Account, asked: string): string {
  const name = repositoryName(asked);
  const problems = nameProblems(name);
  if (problems.length) throw validationFailed('Repository', problems);
  refuseTakenName(platform, owner, name);
  return name;
}

/** Returns the parent's name, with a number if the account already has a repository of that name. */
function freeName({ repositories }: SandboxPlatform, owner: Account, name: string): string {
  for (let number = 0; ; number++) {
    const candidate = number === 0 ? name : `${name}-${number}`;
    if (!repositories.find(owner, candidate)) return candidate;
  }
}
