import type { Organization, OrganizationSummary } from '../../platform/records.ts';
import { type Caller, hasPermission, hasScope, reaches, usesScopes } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { hasRole } from '../roles.ts';
import type { OrganizationSettings, OrganizationState } from '../state/accounts.ts';
import { avatarUrl, nodeId } from './actor.ts';

/** Specification, Organization, summary form. */
export function organizationSummary(platform: SandboxPlatform, organization: OrganizationState): OrganizationSummary {
  const url = `${platform.baseUrl}/orgs/${organization.login}`;
  return {
    login: organization.login,
    id: organization.id,
    node_id: nodeId('Organization', organization.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: avatarUrl(platform, organization),
    description: organization.settings.description as string | null,
  };
}

const profile = ['name', 'company', 'blog', 'location', 'email', 'twitter_username'];
const publicSettings = ['has_organization_projects', 'has_repository_projects'];

/** Specification, Organization, full form: fields visible only to owners follow `archived_at`. */
export function organizationView(
  platform: SandboxPlatform,
  organization: OrganizationState,
  caller: Caller,
): Organization {
  const { settings } = organization;
  const only = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, settings[name] ?? null]));
  const all = platform.repositories.all(organization);
  const publicRepositories = all.filter(({ visibility }) => visibility === 'public').length;
  const shown = {
    ...organizationSummary(platform, organization),
    ...only([...profile, ...publicSettings]),
    is_verified: organization.index === 0,
    public_repos: publicRepositories,
    public_gists: 0,
    followers: Math.floor(platform.chance('followers', organization.index) * 100),
    following: 0,
    html_url: `${platform.origin}/${organization.login}`,
    created_at: organization.created_at,
    updated_at: organization.updated_at,
    archived_at: null,
    type: 'Organization',
  } as Organization;
  if (!seesAll(platform, caller, organization)) return shown;
  const privateRepositories = all.length - publicRepositories;
  const ownerOnly = Object.entries(settings).filter(([name]) => !profile.includes(name) && name !== 'description');
  return {
    ...shown,
    total_private_repos: privateRepositories,
    owned_private_repos: privateRepositories,
    private_gists: 0,
    disk_usage: all.reduce((sum, { size }) => sum + size, 0),
    collaborators: 0,
    ...(seesPlan(caller) && { plan: planOf(platform, organization) }),
    ...Object.fromEntries(ownerOnly),
    members_allowed_repository_creation_type: creationType(settings),
  };
}

/** The kinds of repositories that members may create, in the word that excludes internal ones. */
function creationType(settings: OrganizationSettings): string {
  if (settings.members_can_create_repositories !== true) return 'none';
  if (settings.members_can_create_public_repositories === true) return 'all';
  return settings.members_can_create_private_repositories === true ? 'private' : 'none';
}

function planOf(platform: SandboxPlatform, organization: OrganizationState): Organization['plan'] {
  const seats = platform.accounts.users.filter((user) => platform.accounts.isMember(user, organization)).length;
  return { name: 'enterprise', space: 976562499, private_repos: 999999, filled_seats: seats, seats: 50 };
}

/** Specification, GET /orgs/{org}: owners; classic and OAuth tokens need `admin:org`. */
function seesAll(platform: SandboxPlatform, caller: Caller, organization: OrganizationState): boolean {
  if (!hasRole(platform, caller, organization, 'owner')) return false;
  if (usesScopes(caller)) return hasScope(caller, 'admin:org');
  return reaches(caller, organization) && hasPermission(caller, 'organization_administration', 'read');
}

/** Specification, GET /orgs/{org}: apps need the organization-plan permission. */
const seesPlan = (caller: Caller): boolean => usesScopes(caller) || hasPermission(caller, 'organization_plan', 'read');
