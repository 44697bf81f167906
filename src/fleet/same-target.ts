/** Names of repositories and organizations are reused; IDs are not. */
import type { Client } from '../client/client.ts';
import type { RequestSummary } from '../client/errors.ts';
import { isSameName, refuseRename } from '../client/moves.ts';
import { getOrganization } from '../platform/endpoints/orgs.ts';
import { getRepository } from '../platform/endpoints/repos.ts';
import { OtherTargetError } from './errors.ts';

/** Throws OtherTargetError for another ID, RenamedError for another name, and the client's errors. */
export async function requireSameTarget(name: string, id: number | undefined, client: Client): Promise<void> {
  if (id === undefined) return;
  const asked = client.onRename(refuseRename);
  const [owner = '', repo] = name.split('/');
  const requireName = (current = name, request: RequestSummary) => {
    if (!isSameName(name, current)) refuseRename({ named: name, current }, request);
  };
  if (repo === undefined) {
    const plan = asked.plan(getOrganization, { path: { org: owner } });
    const { data } = await asked.send(plan);
    if (data.id !== id) throw new OtherTargetError(name, id, data.id);
    requireName(data.login, plan.asked);
    return;
  }
  const plan = asked.plan(getRepository, { path: { owner, repo } });
  const { data } = await asked.send(plan);
  if (data.id !== id) throw new OtherTargetError(name, id, data.id);
  requireName(data.full_name, plan.asked);
}
