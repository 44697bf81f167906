/** Names of repositories, organizations, teams and people are reused; IDs are not. */
import type { Client } from '../client/client.ts';
import type { RequestSummary } from '../client/errors.ts';
import { isSameName, refuseRename } from '../client/moves.ts';
import { invalidResponse } from '../client/response.ts';
import { getUser } from '../platform/endpoints/accounts.ts';
import { getOrganization } from '../platform/endpoints/orgs.ts';
import { getRepository } from '../platform/endpoints/repos.ts';
import { getTeam } from '../platform/endpoints/teams.ts';
import { OtherTargetError } from './errors.ts';

/**
 * Throws OtherTargetError for another ID, RenamedError for another name, InvalidResponseError for a record without an ID, and the
 * client's errors.
 */
export async function requireSameTarget(name: string, id: number | undefined, client: Client): Promise<void> {
  if (id !== undefined) await targetId(name, client, id);
}

/** Returns the ID of a repository or an organization. Throws the same errors as `requireSameTarget`. */
export async function targetId(name: string, client: Client, id?: number): Promise<number> {
  const asked = client.onRename(refuseRename);
  const [owner = '', repo] = name.split('/');
  const requireSame = (found: unknown, current: unknown = name, request: RequestSummary) => {
    if (typeof found !== 'number') throw invalidResponse(request, 'a record without a valid id');
    if (typeof current !== 'string') throw invalidResponse(request, 'a record without a valid name');
    if (id !== undefined && found !== id) throw new OtherTargetError(name, id, found);
    if (!isSameName(name, current)) refuseRename({ named: name, current }, request);
    return found;
  };
  if (repo === undefined) {
    const plan = asked.plan(getOrganization, { path: { org: owner } });
    const { data } = await asked.send(plan);
    return requireSame(data.id, data.login, plan.asked);
  }
  const plan = asked.plan(getRepository, { path: { owner, repo } });
  const { data } = await asked.send(plan);
  return requireSame(data.id, data.full_name, plan.asked);
}

/** Throws OtherTargetError if the slug of a team belongs to another team, and the client's errors. */
export async function requireSameTeam(
  path: { readonly org: string; readonly team_slug: string },
  id: number,
  client: Client,
): Promise<void> {
  const team = await client.onRename(refuseRename).call(getTeam, { path });
  if (team.id !== id) throw new OtherTargetError(`${path.org}/${path.team_slug}`, id, team.id, 'team');
}

/** Throws OtherTargetError if a login belongs to another person, and the client's errors. */
export async function requireSameUser(username: string, id: number, client: Client): Promise<void> {
  const user = await client.onRename(refuseRename).call(getUser, { path: { username } });
  if (user.id !== id) throw new OtherTargetError(username, id, user.id, 'user');
}
