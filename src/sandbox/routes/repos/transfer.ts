import type * as v from 'valibot';
import type { transferRepository as declaration } from '../../../platform/endpoints/repos.ts';
import { invalid, type Problem } from '../../../platform/validate.ts';
import type { Caller } from '../../callers.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { forbidden, validationFailed } from '../../refusals.ts';
import { userOf } from '../../roles.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { grantTeams, hasTeam } from '../../state/teams.ts';
import { repositoryOwner } from '../../views/repository.ts';
import { nameProblems, refuseTakenName, repositoryName, requireCreationRight } from './create.ts';
import { mayDecide } from './update.ts';

type Body = v.InferInput<(typeof declaration)['body']>;

/** Moves a repository to another owner. What one person hands to another stays until that one accepts it, which nobody does here. */
export function transferRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
  caller: Caller,
  body: Body,
): void {
  const from = repositoryOwner(platform, repository);
  if (!mayDecide(platform, from, caller, 'members_can_delete_repositories'))
    throw forbidden('Organization members cannot transfer repositories.');
  const to = platform.accounts.account(body.new_owner);
  if (!to)
    throw validationFailed('Repository', [invalid('new_owner', 'is not the login of a user or an organization')]);
  const name = body.new_name === undefined ? repository.name : repositoryName(body.new_name);
  const problems: Problem[] = nameProblems(name);
  if (to.id === from.id) problems.push(invalid('new_owner', 'owns the repository already'));
  for (const id of body.team_ids ?? [])
    if (!hasTeam(platform, to, id)) problems.push(invalid('team_ids', `${id} is not the id of a team of ${to.login}`));
  if (problems.length) throw validationFailed('Repository', problems);
  refuseTakenName(platform, to, name);
  if (to.type === 'Organization') requireCreationRight(platform, caller, to, repository.visibility);
  else if (userOf(platform, caller)?.id !== to.id) return;
  const moved = platform.repositories.change(repository, { owner_id: to.id, name }, platform.clock());
  grantTeams(platform, moved, body.team_ids ?? []);
}
