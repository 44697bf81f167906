/** Names of repositories are reused; IDs are not. */
import type { Client } from '../client/client.ts';
import { isSameName, refuseRename } from '../client/moves.ts';
import { getRepository } from '../platform/endpoints/repos.ts';
import { OtherRepositoryError } from './errors.ts';

/** Throws OtherRepositoryError for another ID, RenamedError for another name, and the client's errors. */
export async function requireSameRepository(name: string, id: number | undefined, client: Client): Promise<void> {
  const [owner = '', repo] = name.split('/');
  if (id === undefined || repo === undefined) return;
  const plan = client.plan(getRepository, { path: { owner, repo } });
  const { data } = await client.onRename(refuseRename).send(plan);
  if (data.id !== id) throw new OtherRepositoryError(name, id, data.id);
  const { full_name: current = name } = data;
  if (!isSameName(name, current)) refuseRename({ named: name, current }, plan.asked);
}
