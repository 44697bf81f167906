/** Roles in repositories, as requests and records name them. */

/** The permissions of the roles that every repository has; each includes those before it. */
export const permissions = ['pull', 'triage', 'push', 'maintain', 'admin'] as const;
export type Permission = (typeof permissions)[number];

/** A permission, or the name of a custom role. */
export type Grant = string;

/** The custom roles of every organization: the public platform’s own example. */
export const customRoles = [
  {
    name: 'Security Engineer',
    description: 'Able to contribute code and maintain the security pipeline',
    base_role: 'maintain',
    permissions: ['delete_alerts_code_scanning'],
  },
  {
    name: 'Community manager',
    description: 'Able to handle all the community interactions without being able to contribute code',
    base_role: 'read',
    permissions: ['mark_as_duplicate', 'manage_settings_pages', 'manage_settings_wiki', 'edit_repo_metadata'],
  },
] as const;

const roleNames: Readonly<Record<string, string>> = { pull: 'read', push: 'write' };

/** Returns the name of the role that a grant gives. */
export const roleName = (grant: Grant): string => roleNames[grant] ?? grant;

/** Returns the grant that a request asks for; undefined for a role that does not exist. */
export function grantNamed(asked: string): Grant | undefined {
  return isPermission(asked) ? asked : customRoleNamed(asked)?.name;
}

const isPermission = (grant: Grant): grant is Permission => (permissions as readonly string[]).includes(grant);

const customRoleNamed = (asked: string) => customRoles.find(({ name }) => name.toLowerCase() === asked.toLowerCase());

/** Returns the permission of a grant; of a custom role, the one that it inherits. */
export function permissionOf(grant: Grant): Permission {
  if (isPermission(grant)) return grant;
  const base = customRoleNamed(grant)?.base_role;
  return permissions.find((permission) => roleName(permission) === base) ?? 'pull';
}

/** Returns the grant that includes most; a custom role includes more than the role that it inherits. */
export function highestGrant(grants: readonly (Grant | undefined)[]): Grant | undefined {
  const rank = (grant: Grant) => permissions.indexOf(permissionOf(grant)) * 2 + (isPermission(grant) ? 0 : 1);
  return grants.filter((grant) => grant !== undefined).toSorted((a, b) => rank(b) - rank(a))[0];
}
