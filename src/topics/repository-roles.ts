/** Repository roles and the permissions that they grant. */
import type { Repository } from '../platform/records.ts';

/** The platform's names of the permissions of each role. */
export const permissionOf = {
  read: 'pull',
  triage: 'triage',
  write: 'push',
  maintain: 'maintain',
  admin: 'admin',
} as const;

type Permission = (typeof permissionOf)[keyof typeof permissionOf];

/** Returns the highest role that the permissions amount to, for older platforms that do not return roles. */
export function highestRole(permissions: Repository['permissions']): string {
  const held = Object.entries(permissionOf).filter(([, permission]) => permissions?.[permission as Permission]);
  return held.at(-1)?.[0] ?? 'none';
}
