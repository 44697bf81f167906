import type { generateRepository as declaration } from '../../../platform/endpoints/repos.ts';
import { type Caller, hasScope, reaches, usesScopes } from '../../callers.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { forbidden, found, notFound, validationFailed } from '../../refusals.ts';
import { isVisible, userOf } from '../../roles.ts';
import type { Call } from '../../route.ts';
import { type Account, isoSeconds } from '../../state/accounts.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { defaultFeatures } from '../../state/security.ts';
import { nameProblems, refuseTakenName, repositoryName, requireCreationRight } from './create.ts';

type Request = Call<typeof declaration>;

/** Creates a repository with the files of a template in one commit, and with its settings. */
export function generateRepository(
  platform: SandboxPlatform,
  caller: Caller,
  { template_owner, template_repo }: Request['path'],
  body: Request['body'],
): RepositoryState {
  const source = platform.accounts.account(template_owner);
  const template = found(source && platform.repositories.find(source, template_repo));
  if (!template.is_template || !isVisible(platform, caller, template)) throw notFound();
  const visibility = body.private ? 'private' : 'public';
  if (usesScopes(caller) && !hasScope(caller, body.private ? 'repo' : 'public_repo'))
    throw forbidden(`You need at least ${body.private ? 'repo' : 'public_repo'} scope to make this request.`);
  const owner = ownerNamed(platform, caller, body.owner);
  if (owner.type === 'Organization') requireCreationRight(platform, caller, owner, visibility);
  const name = repositoryName(body.name);
  const problems = nameProblems(name);
  if (problems.length) throw validationFailed('Repository', problems);
  refuseTakenName(platform, owner, name);
  const { id, parent_id: _, creator_id: __, ...copied } = template;
  const now = isoSeconds(platform.clock());
  const creator = userOf(platform, caller);
  return platform.repositories.create({
    ...copied,
    owner_id: owner.id,
    name,
    description: body.description ?? null,
    visibility,
    parent_id: null,
    template_id: id,
    is_template: false,
    archived: false,
    custom_properties: {},
    topics: [],
    stargazers_count: 0,
    open_issues_count: 0,
    default_branch_only: !body.include_all_branches,
    security_features: defaultFeatures(owner),
    ...(creator && { creator_id: creator.id }),
    created_at: now,
    updated_at: now,
    pushed_at: now,
  });
}

/** Returns the owner of the new repository: an organization, or the token's owner. */
function ownerNamed(platform: SandboxPlatform, caller: Caller, login: string | undefined): Account {
  const user = userOf(platform, caller);
  const owner = found(login === undefined ? user : platform.accounts.account(login));
  if (owner.type === 'User' && owner.id !== user?.id)
    throw forbidden(`You may not create repositories for ${owner.login}.`);
  if (!reaches(caller, owner)) throw notFound();
  return owner;
}
