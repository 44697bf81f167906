/** The roles of the token's owner in an organization and a repository, as far as the platform reports them. */

import type { Client } from '../../client/client.ts';
import { NotFoundError, PermissionError } from '../../client/errors.ts';
import { getOrganization, getOwnMembership } from '../../platform/endpoints/orgs.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { Requirements } from '../../platform/permissions.ts';
import type { Repository } from '../../platform/records.ts';

export interface Standing {
  /** The organization; undefined for a repository of a user. */
  readonly org?: string | undefined;
  /** Undefined if the platform does not report it. */
  readonly membership?: 'owner' | 'member' | 'none' | undefined;
  readonly repository?: Pick<Repository, 'full_name' | 'private' | 'permissions'> | undefined;
}

/** Reads the roles in an organization. `reportsAbsence` is true if a 404 is reliable. Throws NotFoundError. */
export async function standingIn(client: Client, org: string, reportsAbsence: boolean): Promise<Standing> {
  try {
    const { role, state } = await client.call(getOwnMembership, { path: { org } });
    if (state !== 'active') return { org, membership: 'none' };
    return { org, membership: role === 'admin' ? 'owner' : 'member' };
  } catch (error) {
    if (error instanceof PermissionError) return { org };
    if (!(error instanceof NotFoundError)) throw error;
    await client.call(getOrganization, { path: { org } });
    return { org, membership: reportsAbsence ? 'none' : undefined };
  }
}

/** Reads the roles in a repository and in the organization that owns it. Throws NotFoundError. */
export async function standingOn(
  client: Client,
  path: { readonly owner: string; readonly repo: string },
  membershipIn: (org: string) => Promise<Standing>,
): Promise<Standing> {
  const repository = await client.call(getRepository, { path });
  const { login = path.owner, type } = repository.owner ?? {};
  return { ...(type === 'Organization' ? await membershipIn(login) : {}), repository };
}

type Holds = (standing: Standing) => boolean | undefined;

const owner: Holds = ({ membership }) => membership && membership === 'owner';
const member: Holds = ({ membership }) => membership && membership !== 'none';
/** Some hold the role without being an owner, which a membership does not report. */
const ownerAtLeast: Holds = (standing) => owner(standing) || undefined;
const on =
  (permission: 'admin' | 'push'): Holds =>
  (standing) =>
    standing.repository?.permissions?.[permission] ?? ownerAtLeast(standing);
const administrator: Holds = (standing) => on('admin')(standing) || undefined;

/** By the wording of the declarations. Other roles cannot be read. */
const roles: Readonly<Record<string, Holds>> = {
  'organization owner': owner,
  'organization owner or security manager': ownerAtLeast,
  'organization owner or custom_properties_org_values_editor': ownerAtLeast,
  'organization member': member,
  'administrator of the organization or of one of its repositories': administrator,
  'enterprise administrator, organization administrator or billing manager': ownerAtLeast,
  'repository administrator': on('admin'),
  'repository writer': on('push'),
};

/** Returns whether everyone who can see a resource has the permission. */
export const isReading = (permission: string): boolean => ['metadata=read', 'contents=read'].includes(permission);

/**
 * Returns the role that an endpoint requires, undefined if it is not documented, and whether the token's owner has it;
 * undefined if the endpoint requires none.
 */
export function roleAt(
  { role, permission, path, anonymous }: Pick<Requirements, 'role' | 'permission' | 'path' | 'anonymous'>,
  standing: Standing,
): { readonly role: string | undefined; readonly holds: boolean | undefined } | undefined {
  if (role !== undefined) return { role, holds: roles[role]?.(isEnterprise(path) ? {} : standing) };
  if (anonymous || permission === undefined || isReading(permission)) return undefined;
  if (permission === 'contents=write') return { role: 'repository writer', holds: on('push')(standing) };
  // No role is documented; administrators and owners have every role.
  const holds = path.startsWith('/repos/') ? administrator(standing) : ownerAtLeast(standing);
  return { role: undefined, holds };
}

/** Owners of an organization have no role in its enterprise. */
const isEnterprise = (path: string) => path.startsWith('/enterprises/');
