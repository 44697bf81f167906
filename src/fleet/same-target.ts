/** Names of repositories and organizations are reused; IDs are not. */
import type { Client } from '../client/client.ts';
import { isSameName, refuseRename } from '../client/moves.ts';
import { getOrganization } from '../platform/endpoints/orgs.ts';
import { getRepository } from '../platform/endpoints/repos.ts';
import { OtherTargetError } from './errors.ts';

/** Throws OtherTargetError for another ID, RenamedError for another name, and the client's errors. */
export async function requireSameTarget(name: string, id: number | undefined, client: Client): Promise<void> {
  if (id === undefined) return;
  const asked = client.onRename(refuseRename);
  const [owner = '', repo] = name.split('/');
  if (repo === undefined) {
    const { id: found } = await asked.call(getOrganization, { path: { org: owner } });
    if (found !== id) throw new OtherTargetError(name, id, found);
    return;
  }
  const plan = asked.plan(getRepository, { path: { owner, repo } });
  const { data } = await asked.send(plan);
  if (data.id !== id) throw new OtherTargetError(name, id, data.id);
  const { full_name: current = name } = data;
  if (!isSameName(name, current)) refuseRename({ named: name, current }, plan.asked);
}
