/** Roles of people in organizations and repositories, limited by their tokens. */
import { type Caller, hasPermission, hasScope, leavesOut, reaches, usesScopes } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { forbidden } from './refusals.ts';
import type { OrganizationRole } from './seed/roles.ts';
import type { Account, OrganizationState, User } from './state/accounts.ts';
import { directGrants } from './state/collaborators.ts';
import type { RepositoryState } from './state/repositories.ts';
import { type Grant, highestGrant, type Permission, permissionOf } from './state/repository-roles.ts';
import { teamGrants } from './state/teams.ts';

/** Access levels of a repository; each includes those before it. */
const levels = ['none', 'read', 'write', 'admin'] as const;
export type AccessLevel = (typeof levels)[number];

/** The caller's access, as in the `permissions` of a repository record. */
export interface RepositoryAccess {
  readonly admin: boolean;
  readonly push: boolean;
  readonly pull: boolean;
}

/**
 * Returns the owner of the caller's token; undefined for installations, which have only permissions, and for anonymous
 * callers.
 */
export const userOf = ({ accounts }: SandboxPlatform, { login = '' }: Caller): User | undefined => accounts.user(login);

/** Returns whether the caller has one of the roles in an organization. Installations have all roles. */
export function hasRole(
  platform: SandboxPlatform,
  caller: Caller,
  organization: Pick<OrganizationState, 'index'>,
  ...wanted: readonly OrganizationRole[]
): boolean {
  const user = userOf(platform, caller);
  if (!user) return !caller.anonymous;
  return platform.accounts.rolesIn(user, organization).some((role) => wanted.includes(role));
}

/** Returns whether the caller is an administrator or a billing manager of the enterprise. */
export const managesEnterprise = (platform: SandboxPlatform, caller: Caller): boolean =>
  userOf(platform, caller)?.site_admin === true || hasRole(platform, caller, { index: 0 }, 'billing manager');

/** Returns the caller's access to a repository: the intersection of the token's and its owner's. */
export function repositoryAccess(
  platform: SandboxPlatform,
  caller: Caller,
  repository: RepositoryState,
): RepositoryAccess {
  const token = tokenAccess(caller, ownerOf(platform, repository), repository);
  const may = (level: AccessLevel) => hasLevel(platform, caller, repository, level);
  return {
    admin: token.admin && may('admin'),
    push: token.push && may('write'),
    pull: token.pull && may('read'),
  };
}

/** Returns whether the caller may see a repository. */
export const isVisible = (platform: SandboxPlatform, caller: Caller, repository: RepositoryState): boolean =>
  repositoryAccess(platform, caller, repository).pull;

/** Returns whether the caller may see every repository of an organization. */
export function seesEveryRepository(
  platform: SandboxPlatform,
  caller: Caller,
  organization: OrganizationState,
): boolean {
  if (!readsPrivate(caller, organization) || caller.repositories) return false;
  if (hasRole(platform, caller, organization, 'owner', 'security manager')) return true;
  return hasRole(platform, caller, organization, 'member') && basePermission(organization) !== 'none';
}

/**
 * Returns the repositories in a list about an organization, or the one with that name. A fine-grained token without the
 * metadata permission sees no private ones.
 */
export function coveredRepositories(
  platform: SandboxPlatform,
  caller: Caller,
  organization: OrganizationState,
  name: string | undefined,
): RepositoryState[] {
  const wanted = name?.toLowerCase();
  const seesPrivate = usesScopes(caller) || hasPermission(caller, 'metadata', 'read');
  return platform.repositories
    .all(organization)
    .filter(({ visibility }) => seesPrivate || visibility === 'public')
    .filter((repository) => !wanted || repository.name.toLowerCase() === wanted);
}

/** Returns whether the token's owner has explicit access to a repository. */
export function isGrantedAccess(platform: SandboxPlatform, caller: Caller, repository: RepositoryState): boolean {
  const user = userOf(platform, caller);
  return user !== undefined && grantedLevel(platform, user, repository) !== 'none';
}

/** Returns whether the token's owner has an access level, regardless of the token. */
export function hasLevel(
  platform: SandboxPlatform,
  caller: Caller,
  repository: RepositoryState,
  level: AccessLevel,
): boolean {
  const user = userOf(platform, caller);
  if (!user) return !caller.anonymous || level === 'read';
  const granted = grantedLevel(platform, user, repository);
  const held = granted === 'none' && isOpenTo(platform, user, repository) ? 'read' : granted;
  return levels.indexOf(held) >= levels.indexOf(level);
}

/**
 * Throws 403 unless the token's owner has an access level to a repository, and the token's scopes allow it. Permissions
 * are checked per endpoint.
 */
export function requireLevel(
  platform: SandboxPlatform,
  caller: Caller,
  repository: RepositoryState,
  level: 'read' | 'write' | 'admin',
): void {
  const { admin, push, pull } = tokenAccess(caller, ownerOf(platform, repository), repository);
  const inScope = !usesScopes(caller) || { read: pull, write: push, admin }[level];
  if (!inScope || !hasLevel(platform, caller, repository, level))
    throw forbidden(`Must have ${level} access to the repository.`);
}

const ownerOf = ({ accounts }: SandboxPlatform, { id, owner_id }: RepositoryState): Account => {
  const owner = accounts.accountById(owner_id);
  if (!owner) throw new Error(`repository ${id} has no owner`);
  return owner;
};

export const basePermission = ({ settings }: OrganizationState): AccessLevel =>
  settings.default_repository_permission as AccessLevel;

/** Returns whether somebody was given access to a repository by name: its owner, its creator, and whom these invited. */
export const isDirectCollaborator = (platform: SandboxPlatform, user: User, repository: RepositoryState): boolean =>
  repository.owner_id === user.id || directGrants(platform, repository).get(user.id) !== undefined;

/** Returns whether somebody is an outside collaborator of the organization that owns a repository. */
export function isOutsideCollaborator(
  { accounts }: SandboxPlatform,
  user: User,
  { owner_id }: RepositoryState,
): boolean {
  const organization = accounts.organizationById(owner_id);
  return organization !== undefined && accounts.isOutside(user, organization);
}

const levelOf: Readonly<Record<Permission, AccessLevel>> = {
  pull: 'read',
  triage: 'read',
  push: 'write',
  maintain: 'write',
  admin: 'admin',
};

/** The grants of roles in organizations; members have the base permission. */
const grantOf: Readonly<Partial<Record<OrganizationRole, Grant>>> = { owner: 'admin', 'security manager': 'pull' };

const baseGrants: Readonly<Partial<Record<AccessLevel, Grant>>> = { read: 'pull', write: 'push', admin: 'admin' };

/** Returns the highest grant of somebody in a repository, by a role, by a team or by name; undefined for none. */
export function highestGrantOf(platform: SandboxPlatform, user: User, repository: RepositoryState): Grant | undefined {
  if (user.site_admin || repository.owner_id === user.id) return 'admin';
  const given = directGrants(platform, repository).get(user.id);
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return given;
  const roles = platform.accounts.rolesIn(user, organization);
  const byRole = roles.map((role) => (role === 'member' ? baseGrants[basePermission(organization)] : grantOf[role]));
  const ofTeams = platform.accounts.isMember(user, organization) ? teamGrants(platform, user, repository) : [];
  // Grants do not outlive the affiliation with the organization.
  return highestGrant([...byRole, ...ofTeams, roles.length > 0 ? given : undefined]);
}

/** The access that somebody was given to a repository, by a role, by a team or by name. */
export function grantedLevel(platform: SandboxPlatform, user: User, repository: RepositoryState): AccessLevel {
  const grant = highestGrantOf(platform, user, repository);
  return grant === undefined ? 'none' : levelOf[permissionOf(grant)];
}

/** Whether somebody reads a repository by its visibility: internal ones are for all who are a member of an organization. */
const isOpenTo = ({ accounts }: SandboxPlatform, user: User, { visibility }: RepositoryState): boolean =>
  visibility === 'public' || (visibility === 'internal' && accounts.isMember(user, { index: 0 }));

/** What a token allows in a repository, whoever it belongs to. */
function tokenAccess(caller: Caller, owner: Account, repository: RepositoryState): RepositoryAccess {
  const isPublic = repository.visibility === 'public';
  const covered = !leavesOut(caller, repository);
  const pull = isPublic || (covered && readsPrivate(caller, owner));
  if (caller.anonymous) return { admin: false, push: false, pull };
  if (usesScopes(caller)) {
    const whole = hasScope(caller, 'repo');
    return { admin: whole, push: whole || (isPublic && hasScope(caller, 'public_repo')), pull };
  }
  const within = covered && reaches(caller, owner);
  return {
    admin: within && hasPermission(caller, 'administration', 'write'),
    push: within && hasPermission(caller, 'contents', 'write'),
    pull,
  };
}

/** Whether a token shows private and internal repositories of an account. */
function readsPrivate(caller: Caller, owner: Account): boolean {
  if (caller.anonymous) return false;
  if (usesScopes(caller)) return hasScope(caller, 'repo');
  return reaches(caller, owner) && hasPermission(caller, 'metadata', 'read');
}
