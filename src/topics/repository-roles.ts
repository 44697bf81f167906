/** Roles in repositories, and the permissions that they stand for. */
import type { Repository } from '../platform/records.ts';

/** What the platform calls the permission that a role has. */
export const permissionOf = {
  read: 'pull',
  triage: 'triage',
  write: 'push',
  maintain: 'maintain',
  admin: 'admin',
} as const;

type Permission = (typeof permissionOf)[keyof typeof permissionOf];

/** Returns the highest role that permissions come to, for older platforms, which name no role. */
export function highestRole(permissions: Repository['permissions']): string {
  const held = Object.entries(permissionOf).filter(([, permission]) => permissions?.[permission as Permission]);
  return held.at(-1)?.[0] ?? 'none';
}
