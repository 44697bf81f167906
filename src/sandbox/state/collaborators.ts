/** The access that people were given to repositories by name, and the invitations that they have not accepted yet. */
import type { SandboxPlatform } from '../platform.ts';
import { isLax, outsiderOfLax } from '../seed/postures.ts';
import type { Collection } from '../store.ts';
import type { OrganizationState, User } from './accounts.ts';
import { isoSeconds } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';
import { type Grant, highestGrant } from './repository-roles.ts';
import { membershipsIn, teamsOf, teamsOfRepository } from './teams.ts';

/**
 * Repositories that an outside collaborator of the first organization has access to: its first one, and its first
 * private one.
 */
const invitedTo: readonly number[] = [100_001, 100_003];

/** Returns the grants in a repository, by the ID of the person. Whoever creates a repository administers it. */
export const directGrants = (
  { accounts, store }: SandboxPlatform,
  { id, name, owner_id: owner, creator_id: creator }: RepositoryState,
): Collection<Grant> =>
  store.collection<Grant>('collaborators', id, () => {
    const invited = invitedTo.includes(id) ? accounts.user('copperbee') : undefined;
    const organization = name === 'site' ? accounts.organizationById(owner) : undefined;
    const maintainer = organization && isLax(organization) ? accounts.user(outsiderOfLax) : undefined;
    return [
      ...(creator === undefined ? [] : [[creator, 'admin'] as const]),
      ...(invited ? [[invited.id, 'push'] as const] : []),
      ...(maintainer ? [[maintainer.id, 'maintain'] as const] : []),
    ];
  });

/** Takes away all access that somebody was given to repositories of an organization. */
export function removeGrants(platform: SandboxPlatform, organization: OrganizationState, { id }: User): void {
  for (const repository of platform.repositories.all(organization)) directGrants(platform, repository).delete(id);
}

/** Gives a member by name what the member has by teams. */
export function keepTeamAccess(platform: SandboxPlatform, organization: OrganizationState, { id }: User): void {
  const own = teamsOf(platform, organization).filter((team) =>
    membershipsIn(platform, team).some(({ user }) => user.id === id),
  );
  for (const repository of platform.repositories.all(organization)) {
    const grants = directGrants(platform, repository);
    const held = teamsOfRepository(platform, repository).filter(({ team }) => own.some((each) => each.id === team.id));
    const highest = highestGrant([grants.get(id), ...held.map(({ permission }) => permission)]);
    if (highest) grants.set(id, highest);
  }
}

export interface InvitationState {
  readonly id: number;
  readonly repository_id: number;
  readonly invitee_id: number;
  /** Null for an app. */
  readonly inviter_id: number | null;
  readonly grant: Grant;
  readonly created_at: string;
}

/** Returns all pending invitations by their IDs. At first there is one, to the first repository. */
export const invitations = ({ store, accounts, started }: SandboxPlatform): Collection<InvitationState> =>
  store.collection<InvitationState>('repository invitations', undefined, () => {
    const [invitee, inviter] = [accounts.user('velvetmole'), accounts.user('riverotter')];
    if (!invitee || !inviter) return [];
    const people = { invitee_id: invitee.id, inviter_id: inviter.id };
    return [[1, { id: 1, repository_id: 100_001, ...people, grant: 'triage', created_at: isoSeconds(started) }]];
  });

export const invitationsTo = (platform: SandboxPlatform, { id }: RepositoryState): readonly InvitationState[] =>
  invitations(platform)
    .values()
    .filter((invitation) => invitation.repository_id === id);

/** Invites somebody to a repository; a pending invitation offers the new role. */
export function invite(
  platform: SandboxPlatform,
  repository: RepositoryState,
  { invitee, inviter, grant }: { invitee: User; inviter: User | undefined; grant: Grant },
): InvitationState {
  const pending = invitationsTo(platform, repository).find(({ invitee_id }) => invitee_id === invitee.id);
  const invitation: InvitationState = {
    id: pending?.id ?? platform.store.next('repository invitations', 2),
    repository_id: repository.id,
    invitee_id: invitee.id,
    inviter_id: inviter?.id ?? null,
    grant,
    created_at: pending?.created_at ?? isoSeconds(platform.clock()),
  };
  invitations(platform).set(invitation.id, invitation);
  return invitation;
}

/** Gives an invited person access; strangers to the organization become outside collaborators. */
export function accept(
  platform: SandboxPlatform,
  repository: RepositoryState,
  user: User,
  { id, grant }: InvitationState,
): void {
  const { accounts } = platform;
  directGrants(platform, repository).set(user.id, grant);
  const organization = accounts.organizationById(repository.owner_id);
  if (organization && !accounts.isMember(user, organization)) accounts.setOutside(user, organization, true);
  invitations(platform).delete(id);
}

/** Takes away the access to one repository; an outside collaborator without any is none. */
export function revoke(platform: SandboxPlatform, repository: RepositoryState, user: User): void {
  const { accounts, repositories } = platform;
  directGrants(platform, repository).delete(user.id);
  const organization = accounts.organizationById(repository.owner_id);
  if (!organization || !accounts.isOutside(user, organization)) return;
  const hasOther = repositories.all(organization).some((each) => directGrants(platform, each).get(user.id));
  if (!hasOther) accounts.setOutside(user, organization, false);
}
