/** Repository roles and the permissions that they grant. */
import { asText } from '../json/exact-json.ts';
import type { Repository } from './records.ts';

/** The platform's names of the permissions of each role. */
export const permissionOf = {
  read: 'pull',
  triage: 'triage',
  write: 'push',
  maintain: 'maintain',
  admin: 'admin',
} as const;

/** The roles that every repository has, lowest first. */
export const baseRoles = Object.keys(permissionOf) as readonly (keyof typeof permissionOf)[];

type Permission = (typeof permissionOf)[keyof typeof permissionOf];

/** Returns the highest role that the permissions amount to, for older platforms that do not return roles. */
export function highestRole(permissions: Repository['permissions']): string {
  const held = Object.entries(permissionOf).filter(([, permission]) => permissions?.[permission as Permission]);
  return held.at(-1)?.[0] ?? 'none';
}

export const isBaseRole = (role: string): role is keyof typeof permissionOf => Object.hasOwn(permissionOf, role);

/** Returns the role that a permission grants; custom roles and their permissions have one name. */
export const roleOf = (permission: string): string =>
  Object.entries(permissionOf).find(([, each]) => each === permission)?.[0] ?? (permission && asText(permission));

/** True if a base role grants more than another; false for custom roles, which have no rank. */
export function outranks(role: string, other: string): boolean {
  return isBaseRole(role) && isBaseRole(other) && baseRoles.indexOf(role) > baseRoles.indexOf(other);
}
