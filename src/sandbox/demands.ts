/** Required roles: those that an endpoint declares, or that correspond to its permission. */
import type { Declaration } from '../platform/endpoint.ts';
import { permissionSets } from '../platform/permissions.ts';
import type { Caller } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { forbidden } from './refusals.ts';
import type { Resources } from './resources.ts';
import { hasLevel, hasRole, managesEnterprise, requireLevel, userOf } from './roles.ts';
import type { OrganizationRole } from './seed/roles.ts';
import type { OrganizationState } from './state/accounts.ts';

/** Throws 403 for a caller without the required role. */
export type Demand = (platform: SandboxPlatform, caller: Caller, resources: Resources) => void;

/** The handler decides, since it depends on the body or on the author of the record. */
const anybody: Demand = () => {};

const repository =
  (level: 'read' | 'write' | 'admin'): Demand =>
  (platform, caller, resources) => {
    if (resources.repository) requireLevel(platform, caller, resources.repository, level);
  };

const organization =
  (...roles: readonly OrganizationRole[]): Demand =>
  (platform, caller, resources) => {
    const named = organizationOf(resources);
    if (named && !hasRole(platform, caller, named, ...roles))
      throw forbidden(`You must be ${anyOf.format(roles.map(withArticle))} of the organization.`);
  };

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

const withArticle = (role: OrganizationRole): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

function organizationOf({ organization: named, account }: Resources): OrganizationState | undefined {
  return named ?? (account?.type === 'Organization' ? account : undefined);
}

/** Specification, Secret-scanning bypass requests; owners and security managers can review, too. */
export const reviewer: Demand = (platform, caller, resources) => {
  const demand = organizationOf(resources)
    ? organization('owner', 'security manager', 'bypass reviewer')
    : repository('admin');
  demand(platform, caller, resources);
};

const siteAdministrator: Demand = (platform, caller) => {
  if (!userOf(platform, caller)?.site_admin) throw forbidden('You must be a site administrator.');
};

/** Alerts are visible to those who can fix them, and to security managers. */
const alertViewer: Demand = (platform, caller, resources) => {
  const named = organizationOf(resources);
  if (named && hasRole(platform, caller, named, 'security manager')) return;
  repository('write')(platform, caller, resources);
};

/** Specification, Authentication, 10: enterprise admin, organization admin or billing manager. */
const budgetManager: Demand = (platform, caller, resources) => {
  if (resources.organization) return organization('owner', 'billing manager')(platform, caller, resources);
  const indexes = Array.from({ length: platform.accounts.organizationCount }, (_, index) => index);
  const ownsSome = () => indexes.some((index) => hasRole(platform, caller, { index }, 'owner'));
  if (!managesEnterprise(platform, caller) && !ownsSome())
    throw forbidden('You must be an enterprise administrator, an organization administrator or a billing manager.');
};

/** Custom repository roles: owners, and administrators of any repository of the organization. */
const someAdministrator: Demand = (platform, caller, resources) => {
  const { organization: named } = resources;
  if (!named || hasRole(platform, caller, named, 'owner')) return;
  if (!platform.repositories.all(named).some((repository) => hasLevel(platform, caller, repository, 'admin')))
    throw forbidden('You must be an administrator of the organization or of one of its repositories.');
};

const enterpriseAdministrator: Demand = (platform, caller) => {
  if (!userOf(platform, caller)?.site_admin) throw forbidden('You must be an enterprise administrator.');
};

/** By the words of declarations. */
const byRole: Readonly<Record<string, Demand>> = {
  'organization owner': organization('owner'),
  // No organization of the sandbox has organization roles.
  'organization owner or custom_properties_org_values_editor': organization('owner'),
  'organization owner or custom_properties_org_definitions_manager': organization('owner'),
  'organization owner or security manager': organization('owner', 'security manager'),
  'organization member': organization('owner', 'member'),
  // The handler checks who maintains the team.
  'organization owner or maintainer of the team': organization('owner', 'member'),
  'repository administrator': repository('admin'),
  'repository writer': repository('write'),
  'repository administrator or team maintainer': anybody,
  'repository administrator or the collaborator': anybody,
  'invited person': anybody,
  'administrator of the organization or of one of its repositories': someAdministrator,
  'bypass reviewer': reviewer,
  'reviewer of dismissal requests': reviewer,
  'requester or reviewer of dismissal requests': anybody,
  'site administrator': siteAdministrator,
  'enterprise administrator': enterpriseAdministrator,
  'enterprise administrator, organization administrator or billing manager': budgetManager,
  'owner of the repositories': anybody,
};

/** Roles of people that correspond to the permissions of apps. */
const byPermission: Readonly<Record<string, Demand>> = {
  'administration=read': repository('admin'),
  'administration=write': repository('admin'),
  'checks=read': repository('read'),
  'contents=read': repository('read'),
  'contents=write': repository('write'),
  'deployments=read': repository('read'),
  'issues=read': repository('read'),
  'issues=write': repository('write'),
  'members=read': organization('owner', 'member'),
  'members=write': organization('owner'),
  'metadata=read': repository('read'),
  'organization_administration=read': organization('owner'),
  'organization_administration=write': organization('owner'),
  'organization_dependabot_dismissal_requests=read': reviewer,
  'organization_custom_properties=read': organization('owner', 'member'),
  'organization_custom_properties=write': organization('owner'),
  'organization_pre_receive_hooks=read': organization('owner'),
  'organization_pre_receive_hooks=write': organization('owner'),
  'organization_private_registries=read': organization('owner'),
  'organization_private_registries=write': organization('owner'),
  'organization_projects=write': organization('owner', 'member'),
  'repository_pre_receive_hooks=read': repository('admin'),
  'repository_pre_receive_hooks=write': repository('admin'),
  'statuses=read': repository('read'),
  'vulnerability_alerts=read': alertViewer,
};

/** Returns the demands of an endpoint, all of which must be met. Throws for an unknown role or permission. */
export function demandsOf({ route, role, permission }: Declaration): readonly Demand[] {
  const words = role !== undefined ? [role] : permission !== undefined ? onlySet(permission) : [];
  return words.map((word) => {
    const demand = role !== undefined ? byRole[word] : byPermission[word];
    if (!demand) throw new Error(`No role or permission is defined for “${word}”, which ${route} requires.`);
    return demand;
  });
}

/** Returns the permissions of an endpoint; of several sets, which give the same people access, the first. */
function onlySet(permission: string): string[] {
  const [set = []] = permissionSets(permission);
  return set.map(({ permission: name, level }) => `${name}=${level}`);
}
