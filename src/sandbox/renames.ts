/** Repositories by ID and by former names. */
import type { Context } from 'hono';
import type { Caller } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { found, Refusal } from './refusals.ts';
import { isVisible } from './roles.ts';
import type { Account } from './state/accounts.ts';
import type { RepositoryState } from './state/repositories.ts';
import { repositoryOwner } from './views/repository.ts';

/** Returns owner and name of the repository in a path by ID; undefined for other paths. Throws 404. */
export function repositoryNames(platform: SandboxPlatform, id: string | undefined): Readonly<Record<string, string>> {
  if (id === undefined) return {};
  const repository = found(/^\d+$/.test(id) ? platform.repositories.byId(Number(id)) : undefined);
  return { owner: repositoryOwner(platform, repository).login, repo: repository.name };
}

/** Former name of every `site`. */
const oldName = 'website';

/** Returns the repository that had this name, unless another one has it now. */
function renamed({ repositories }: SandboxPlatform, owner: Account, name: string): RepositoryState | undefined {
  const formerly = repositories.formerly(owner, name);
  if (formerly || name.toLowerCase() !== oldName || repositories.find(owner, name)) return formerly;
  return repositories.find(owner, 'site');
}

/** Redirects from a repository's former name: 301 for reads, 307, which keeps method and body, for writes. */
export function refuseOldName(
  platform: SandboxPlatform,
  caller: Caller,
  names: Readonly<Record<string, string | number>>,
  { req }: Context,
): void {
  // Paths of organizations, which name a repository of theirs, do not redirect.
  if (names.owner === undefined || names.repo === undefined || names.org !== undefined) return;
  const owner = platform.accounts.account(String(names.owner));
  const repository = owner && renamed(platform, owner, String(names.repo));
  if (!repository || !isVisible(platform, caller, repository)) return;
  const { origin, pathname, search } = new URL(req.url);
  // /api/v3/repos/OWNER/REPO, and what follows.
  const segments = pathname.split('/');
  const path = [...segments.slice(0, 3), 'repositories', repository.id, ...segments.slice(6)].join('/');
  const location = `${origin}${path}${search}`;
  const reading = req.method === 'GET' || req.method === 'HEAD';
  throw new Refusal(reading ? 301 : 307, reading ? 'Moved Permanently' : 'Temporary Redirect', undefined, location);
}
