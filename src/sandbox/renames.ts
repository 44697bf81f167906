/** Repositories by ID, and by the names they once had. */
import type { Context } from 'hono';
import type { Caller } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { notFound, Refusal } from './refusals.ts';
import { isVisible } from './roles.ts';
import type { Account } from './state/accounts.ts';
import type { RepositoryState } from './state/repositories.ts';
import { repositoryOwner } from './views/repository.ts';

/** Owner and name of the repository that a path names by id; nothing where it names none that way. Throws 404. */
export function repositoryNames(platform: SandboxPlatform, id: string | undefined): Readonly<Record<string, string>> {
  if (id === undefined) return {};
  const repository = /^\d+$/.test(id) ? platform.repositories.byId(Number(id)) : undefined;
  if (!repository) throw notFound();
  return { owner: repositoryOwner(platform, repository).login, repo: repository.name };
}

/** What every `site` was called before. */
const oldName = 'website';

/** Returns the repository that had this name once, while no other has it. */
function renamed({ repositories }: SandboxPlatform, owner: Account, name: string): RepositoryState | undefined {
  const formerly = repositories.formerly(owner, name);
  if (formerly || name.toLowerCase() !== oldName || repositories.find(owner, name)) return formerly;
  return repositories.find(owner, 'site');
}

/**
 * Sends a request for a repository's old name to where it is now: 301 for reading, and 307, which keeps the method and the
 * body, for everything else.
 */
export function refuseOldName(
  platform: SandboxPlatform,
  caller: Caller,
  path: Readonly<Record<string, string | number>>,
  { req }: Context,
): void {
  if (path.owner === undefined || path.repo === undefined) return;
  const owner = platform.accounts.account(String(path.owner));
  const repository = owner && renamed(platform, owner, String(path.repo));
  if (!repository || !isVisible(platform, caller, repository)) return;
  const { pathname, search } = new URL(req.url);
  const rest = pathname
    .split('/')
    .slice(6)
    .map((segment) => `/${segment}`);
  const location = `${platform.baseUrl}/repositories/${repository.id}${rest.join('')}${search}`;
  const reading = req.method === 'GET' || req.method === 'HEAD';
  throw new Refusal(reading ? 301 : 307, reading ? 'Moved Permanently' : 'Temporary Redirect', undefined, location);
}
