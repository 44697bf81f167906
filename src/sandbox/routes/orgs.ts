import * as endpoints from '../../platform/endpoints/orgs.ts';
import type { OrganizationSummary } from '../../platform/records.ts';
import { hasPermission, usesScopes } from '../callers.ts';
import { type Listing, listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, notFound, Refusal } from '../refusals.ts';
import { Reply } from '../replies.ts';
import { hasRole, userOf } from '../roles.ts';
import { type App, type Call, route } from '../route.ts';
import { isLax, isStrict } from '../seed/postures.ts';
import type { OrganizationSettings, OrganizationState, User } from '../state/accounts.ts';
import { customRoles } from '../state/repository-roles.ts';
import { actorView } from '../views/actor.ts';
import { organizationSummary, organizationView } from '../views/organization.ts';
import { membershipView } from './members.ts';

export function mountOrganizations(app: App): void {
  mountMemberships(app);
  mountMemberLists(app);
  mountSettings(app);
}

/** The organizations that a caller may list, and memberships of users in them. */
function mountMemberships(app: App): void {
  route(app, endpoints.listOrganizations, ({ platform, query, page }) => {
    const { accounts } = platform;
    const start = accounts.placeAfter(query.since ?? 0);
    const end = Math.min(start + page.perPage, accounts.organizationCount);
    const shown = Array.from({ length: Math.max(0, end - start) }, (_, index) =>
      accounts.organizationAt(start + index),
    );
    const last = shown.at(-1);
    const elements = shown.map((organization) => organizationSummary(platform, organization));
    return last && end < accounts.organizationCount ? { elements, next: { since: last.id } } : { elements };
  });

  route(app, endpoints.listOwnOrganizations, ({ platform, caller }) => {
    // Specification, GET /user/orgs: fine-grained tokens get an empty list.
    if (!usesScopes(caller)) return [];
    const user = found(userOf(platform, caller));
    return memberships(platform, (organization) => platform.accounts.isMember(user, organization));
  });

  route(
    app,
    endpoints.getOwnMembership,
    ({ platform, organization, caller }) => {
      const user = userOf(platform, caller);
      return found(user && membershipView(platform, organization, user));
    },
    { checksRole: true },
  );

  route(
    app,
    endpoints.acceptMembership,
    ({ platform, organization, caller }) => {
      const user = found(userOf(platform, caller));
      platform.accounts.acceptInvitation(user, organization);
      return found(membershipView(platform, organization, user));
    },
    { checksRole: true },
  );

  route(app, endpoints.listUserOrganizations, ({ platform, path }) => {
    const { accounts } = platform;
    const account = found(accounts.account(path.username));
    if (account.type !== 'User') return [];
    return memberships(platform, (organization) => accounts.isPublicMember(account, organization));
  });
}

/** The members of an organization, and the roles that they can have. */
function mountMemberLists(app: App): void {
  route(
    app,
    endpoints.listOrganizationMembers,
    ({ platform, organization, caller, query: { role = 'all', filter = 'all' } }) => {
      const { accounts } = platform;
      requireFilterRights({ platform, organization, caller }, filter);
      const seesAll =
        hasRole(platform, caller, organization, 'owner', 'member') &&
        (usesScopes(caller) || hasPermission(caller, 'members', 'read'));
      return accounts.users
        .filter((user) =>
          seesAll ? accounts.isMember(user, organization) : accounts.isPublicMember(user, organization),
        )
        .filter(
          (user) => role === 'all' || (role === 'admin') === accounts.rolesIn(user, organization).includes('owner'),
        )
        .filter((user) => filter === 'all' || twoFactor(platform, organization, user) === filter)
        .map((user) => actorView(platform, user));
    },
    // Who is no member sees the public members.
    { checksRole: true },
  );

  route(app, endpoints.listOutsideCollaborators, ({ platform, organization, caller, query: { filter = 'all' } }) => {
    requireFilterRights({ platform, organization, caller }, filter);
    return platform.accounts.users
      .filter((user) => platform.accounts.isOutside(user, organization))
      .filter((user) => filter === 'all' || twoFactor(platform, organization, user) === filter)
      .map((user) => actorView(platform, user));
  });

  route(app, endpoints.listCustomRepositoryRoles, ({ platform, organization }) => {
    const own = customRoles.filter(({ base_role: base }) => !isStrict(organization) || base === 'read');
    const custom_roles = own.map((role, place) => ({
      id: 8000 + organization.index * customRoles.length + place,
      ...role,
      permissions: [...role.permissions],
      organization: actorView(platform, organization),
      created_at: organization.created_at,
      updated_at: organization.updated_at,
    }));
    return new Reply(200, { total_count: custom_roles.length, custom_roles });
  });
}

function mountSettings(app: App): void {
  route(app, endpoints.getOrganization, ({ platform, organization, caller }) =>
    organizationView(platform, organization, caller),
  );

  route(app, endpoints.updateOrganization, ({ platform, organization, caller, body }) => {
    const settings = withCreationRights(organization.settings, body);
    const changed = platform.accounts.changeOrganization(organization, settings, platform.clock());
    return organizationView(platform, changed, caller);
  });

  route(app, endpoints.getImmutableReleases, ({ platform, organization }) => {
    const enforced = enforcedIn(platform, organization).get('');
    if (enforced === 'all' || enforced === 'none') return { enforced_repositories: enforced };
    if (immutableIn(platform, organization).values().length === 0) return { enforced_repositories: 'none' };
    const url = `${platform.baseUrl}/orgs/${organization.login}/settings/immutable-releases/repositories`;
    return { enforced_repositories: 'selected', selected_repositories_url: url };
  });

  route(app, endpoints.setImmutableReleases, ({ platform, organization, body }) => {
    const { enforced_repositories: enforced, selected_repository_ids: ids } = body;
    const selected = immutableIn(platform, organization);
    if (ids?.some((id) => platform.repositories.byId(id)?.owner_id !== organization.id)) throw notFound();
    enforcedIn(platform, organization).set('', enforced);
    if (enforced !== 'selected' || !ids) return;
    for (const id of selected.values()) selected.delete(id);
    for (const id of ids) selected.set(id, id);
  });

  route(app, endpoints.removeImmutableReleasesRepository, ({ platform, organization, path }) => {
    const repository = platform.repositories.byId(path.repository_id);
    if (!repository || repository.owner_id !== organization.id) throw notFound();
    immutableIn(platform, organization).delete(repository.id);
  });
}

const enforcedIn = ({ store }: SandboxPlatform, organization: OrganizationState) =>
  store.collection<string>('immutable releases policy', organization.id, () => [
    ['', isStrict(organization) ? 'all' : 'selected'],
  ]);

/** The IDs of the repositories that must have immutable releases if they are selected. */
const immutableIn = ({ repositories, store }: SandboxPlatform, organization: OrganizationState) =>
  store.collection<number>('immutable releases', organization.id, () =>
    isLax(organization)
      ? []
      : repositories
          .of(organization)
          .slice(0, 5)
          .map(({ id }) => [id, id] as const),
  );

/** Throws 422 for a filter by two-factor authentication that the caller cannot use. */
function requireFilterRights(
  {
    platform,
    organization,
    caller,
  }: Pick<Call<typeof endpoints.listOutsideCollaborators>, 'platform' | 'organization' | 'caller'>,
  filter: string,
): void {
  if (filter !== 'all' && !hasRole(platform, caller, organization, 'owner'))
    throw new Refusal(422, 'Only owners can use this filter.');
}

/** One member in five has no second factor, and one in five has text messages. */
function twoFactor(
  { chance }: SandboxPlatform,
  organization: OrganizationState,
  { id }: User,
): '2fa_disabled' | '2fa_insecure' | undefined {
  if (isStrict(organization)) return undefined;
  const drawn = chance('two factor', 'user', id);
  if (drawn < 0.2) return '2fa_disabled';
  return drawn < 0.4 ? '2fa_insecure' : undefined;
}

const creationRights = [
  'members_can_create_public_repositories',
  'members_can_create_private_repositories',
  'members_can_create_internal_repositories',
] as const;

/**
 * Changes of an update, including derived rights to create repositories. The type, which overrides the switches and
 * does not cover internal repositories, is derived from the switches.
 */
function withCreationRights(before: OrganizationSettings, body: OrganizationSettings): OrganizationSettings {
  const { members_allowed_repository_creation_type: type, ...settings } = body;
  if (type !== undefined)
    return {
      ...settings,
      members_can_create_repositories: type !== 'none',
      members_can_create_private_repositories: type !== 'none',
      members_can_create_public_repositories: type === 'all',
    };
  const any = settings.members_can_create_repositories;
  if (any === undefined && creationRights.every((name) => settings[name] === undefined)) return settings;
  // Implied if members can create some kind of repository.
  const all = any === true && before.members_can_create_repositories === true ? undefined : any;
  const rights = creationRights.map((name) => [name, settings[name] ?? all ?? before[name]] as const);
  const allowed = rights.some(([, right]) => right === true);
  return { ...settings, ...Object.fromEntries(rights), members_can_create_repositories: allowed };
}

function memberships(
  platform: SandboxPlatform,
  shown: (organization: OrganizationState) => boolean,
): Listing<OrganizationSummary> {
  const { accounts } = platform;
  const all = Array.from({ length: accounts.organizationCount }, (_, index) => accounts.organizationAt(index));
  return mapped(listing(all.filter(shown)), (organization) => organizationSummary(platform, organization));
}
