import type { listOrganizationRepositories } from '../../../platform/endpoints/repos.ts';
import type { Caller } from '../../callers.ts';
import { type Listing, listing } from '../../paging.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { validationFailed } from '../../refusals.ts';
import { isGrantedAccess, isVisible, seesEveryRepository } from '../../roles.ts';
import type { Call } from '../../route.ts';
import type { OrganizationState } from '../../state/accounts.ts';
import type { RepositoryState } from '../../state/repositories.ts';

type Wanted = Call<typeof listOrganizationRepositories>['query'];

/** Returns the visible repositories of an organization that match the query. */
export function organizationRepositories(
  platform: SandboxPlatform,
  organization: OrganizationState,
  caller: Caller,
  query: Wanted,
): Listing<RepositoryState> {
  const { type = 'all', sort = 'created' } = query;
  const { direction = sort === 'full_name' ? 'asc' : 'desc' } = query;
  if (type === 'internal' && caller.kind === 'installation')
    throw validationFailed('Repository', [
      { field: 'type', message: 'internal is not supported for installation tokens', code: 'invalid' },
    ]);
  const all = platform.repositories.of(organization);
  const seesAll = seesEveryRepository(platform, caller, organization);
  if (seesAll && type === 'all' && sort === 'created') return direction === 'desc' ? all : reversed(all);
  const shown = all
    .slice(0, all.total)
    .filter(
      (repository) =>
        (seesAll || isVisible(platform, caller, repository)) && isOfType(platform, repository, type, caller),
    );
  const key = keys[sort] ?? (() => '');
  const sorted = shown
    .map((repository) => ({ repository, key: key(repository) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.repository.id - b.repository.id))
    .map(({ repository }) => repository);
  return listing(direction === 'asc' ? sorted : sorted.reverse());
}

const keys: Readonly<Record<string, (repository: RepositoryState) => string>> = {
  created: ({ created_at }) => created_at,
  updated: ({ updated_at }) => updated_at,
  pushed: ({ pushed_at }) => pushed_at,
  full_name: ({ name }) => name.toLowerCase(),
};

function isOfType(platform: SandboxPlatform, repository: RepositoryState, type: string, caller: Caller): boolean {
  if (type === 'forks') return repository.parent_id !== null;
  if (type === 'sources') return repository.parent_id === null;
  if (type === 'member') return isGrantedAccess(platform, caller, repository);
  return type === 'all' || repository.visibility === type;
}

function reversed<T>(all: Listing<T>): Listing<T> {
  return {
    total: all.total,
    slice: (start, end) => all.slice(Math.max(0, all.total - end), Math.max(0, all.total - start)).reverse(),
  };
}
