/** Users and organizations: computed from the seed, with changes on top. */
import { type Chance, pick } from '../seed/chance.ts';
import { isLax, isStrict, laxSettings, outsiderOfLax, strictPeople, strictSettings } from '../seed/postures.ts';
import { type OrganizationRole, seededRoles } from '../seed/roles.ts';
import { organizationNames, people } from '../seed/words.ts';
import { type Collection, StateError, type Store } from '../store.ts';

export interface User {
  readonly type: 'User';
  readonly id: number;
  readonly login: string;
  readonly name: string;
  readonly site_admin: boolean;
}

/** Settings of an organization, by their names in the record. */
export type OrganizationSettings = Readonly<Record<string, string | number | boolean | null>>;

export interface OrganizationState {
  readonly type: 'Organization';
  readonly id: number;
  readonly login: string;
  /** Position in the order of creation, from 0. */
  readonly index: number;
  /** True if it has no sample data. */
  readonly isEmpty: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly settings: OrganizationSettings;
}

export type Account = User | OrganizationState;

/** A person's changed roles in an organization, and the role that a pending invitation offers. */
interface ChangedRoles {
  readonly roles: readonly OrganizationRole[];
  readonly invited?: MemberRole;
}

type MemberRole = Extract<OrganizationRole, 'owner' | 'member'>;

/** A membership as its record shows it. */
export interface MembershipState {
  readonly role: 'admin' | 'member';
  readonly state: 'active' | 'pending';
}

const firstOrganizationId = 101;
const day = 24 * 60 * 60 * 1000;

export interface Scale {
  readonly orgs: number;
  /** Repositories of each organization. */
  readonly repos: number;
  /** The logins of more organizations, which have an owner and nothing else. Any team ID exists there. */
  readonly emptyOrganizations?: readonly string[] | undefined;
  /**
   * The logins of more people, who are members of no organization. Those that begin with `team:` or `app:` are teams of
   * each empty organization and apps that are installed there, by slug.
   */
  readonly knownLogins?: readonly string[] | undefined;
}

export class Accounts {
  readonly users: readonly User[];
  readonly organizationCount: number;
  readonly #byLogin: ReadonlyMap<string, User>;
  readonly #byId: ReadonlyMap<number, User>;
  /** The slugs of the teams and apps that empty organizations have. */
  readonly known: { readonly teams: readonly string[]; readonly apps: readonly string[] };
  /** The logins of the organizations that are empty at first, which come after the others. */
  readonly #empty: readonly string[];
  readonly #chance: Chance;
  readonly #epoch: number;
  readonly #changed: Collection<OrganizationState>;
  readonly #changedRoles: Collection<ChangedRoles>;

  constructor(chance: Chance, epoch: number, scale: Scale, store: Store) {
    this.#chance = chance;
    this.#epoch = epoch;
    this.known = { teams: knownSlugs('team', scale), apps: knownSlugs('app', scale) };
    this.users = usersFrom(scale.knownLogins?.filter((login) => !login.includes(':')));
    this.#byLogin = new Map(this.users.map((user) => [user.login.toLowerCase(), user]));
    this.#byId = new Map(this.users.map((user) => [user.id, user]));
    this.#empty = emptyIn(scale);
    this.organizationCount = scale.orgs + this.#empty.length;
    this.#changed = store.collection<OrganizationState>('organizations');
    this.#changedRoles = store.collection<ChangedRoles>('memberships');
  }

  user(login: string): User | undefined {
    return this.#byLogin.get(login.toLowerCase());
  }

  userById(id: number): User | undefined {
    return this.#byId.get(id);
  }

  organization(login: string): OrganizationState | undefined {
    const place = this.#empty.indexOf(login.toLowerCase());
    if (place >= 0) return this.organizationAt(this.#firstEmpty + place);
    const index = organizationIndex(login.toLowerCase());
    return index === undefined || index >= this.#firstEmpty ? undefined : this.organizationAt(index);
  }

  organizationById(id: number): OrganizationState | undefined {
    const index = id - firstOrganizationId;
    return index >= 0 && index < this.organizationCount ? this.organizationAt(index) : undefined;
  }

  /** The position of the first organization that is empty at first. */
  get #firstEmpty(): number {
    return this.organizationCount - this.#empty.length;
  }

  /** Returns the organization at a position in the order of creation. */
  organizationAt(index: number): OrganizationState {
    return this.#changed.get(index) ?? this.#seeded(index);
  }

  /** Returns the position of the first organization with an id above `since`. */
  placeAfter(since: number): number {
    return Math.max(0, since - firstOrganizationId + 1);
  }

  account(login: string): Account | undefined {
    return this.user(login) ?? this.organization(login);
  }

  accountById(id: number): Account | undefined {
    return this.userById(id) ?? this.organizationById(id);
  }

  changeOrganization(organization: OrganizationState, settings: OrganizationSettings, now: Date): OrganizationState {
    const changed = {
      ...organization,
      updated_at: isoSeconds(now),
      settings: { ...organization.settings, ...settings },
    };
    this.#changed.set(organization.index, changed);
    return changed;
  }

  /**
   * Returns the roles of a person in an organization. At first, the site administrator owns all organizations, and
   * members of the first are members of some others.
   */
  rolesIn(user: User, organization: Pick<OrganizationState, 'index'>): readonly OrganizationRole[] {
    return this.#changedRoles.get(`${organization.index}/${user.id}`)?.roles ?? this.#seededRolesIn(user, organization);
  }

  #seededRolesIn(
    { id, login, site_admin }: User,
    { index }: Pick<OrganizationState, 'index'>,
  ): readonly OrganizationRole[] {
    if (site_admin) return ['owner'];
    if (id > people.length || index >= this.#firstEmpty) return [];
    const inFirst = seededRoles[login as keyof typeof seededRoles] ?? ['member'];
    if (index === 0) return inFirst;
    if (isStrict({ index })) return strictPeople[login] ?? [];
    if (isLax({ index }) && login === outsiderOfLax) return ['outside collaborator'];
    return inFirst.some(isMembership) && this.#chance('member', index, id) < 0.5 ? ['member'] : [];
  }

  isMember(user: User, organization: Pick<OrganizationState, 'index'>): boolean {
    return this.rolesIn(user, organization).some(isMembership);
  }

  /** Returns whether somebody was a member at first. */
  isSeededMember(user: User, organization: Pick<OrganizationState, 'index'>): boolean {
    return this.#seededRolesIn(user, organization).some(isMembership);
  }

  /** Returns the membership of a person, pending ones included. */
  membershipOf(user: User, { index }: Pick<OrganizationState, 'index'>): MembershipState | undefined {
    const invited = this.#changedRoles.get(`${index}/${user.id}`)?.invited;
    const role = invited ?? this.rolesIn(user, { index }).find(isMembership);
    return role && { role: role === 'owner' ? 'admin' : 'member', state: invited ? 'pending' : 'active' };
  }

  /** Changes the role of a member, or invites somebody else. */
  setMembership(user: User, organization: OrganizationState, role: MembershipState['role']): void {
    const roles = this.rolesIn(user, organization);
    const given = role === 'admin' ? 'owner' : 'member';
    const key = `${organization.index}/${user.id}`;
    if (!roles.some(isMembership)) this.#changedRoles.set(key, { roles, invited: given });
    else this.#changedRoles.set(key, { roles: [given, ...roles.filter((each) => !isMembership(each))] });
  }

  /** Makes an invited person a member. */
  acceptInvitation(user: User, organization: OrganizationState): void {
    const key = `${organization.index}/${user.id}`;
    const { roles = [], invited } = this.#changedRoles.get(key) ?? {};
    if (invited) this.#changedRoles.set(key, { roles: [invited, ...roles.filter((each) => !isAffiliation(each))] });
  }

  /** Removes a member with all roles, or cancels an invitation. */
  removeMembership(user: User, organization: OrganizationState): void {
    const roles = this.isMember(user, organization) ? [] : this.rolesIn(user, organization);
    this.#changedRoles.set(`${organization.index}/${user.id}`, { roles });
  }

  /** Returns whether somebody has access to repositories of an organization without being a member. */
  isOutside(user: User, organization: Pick<OrganizationState, 'index'>): boolean {
    return this.rolesIn(user, organization).includes('outside collaborator');
  }

  /** Makes a member an outside collaborator, or an outside collaborator a stranger. */
  setOutside(user: User, organization: OrganizationState, isOutside: boolean): void {
    const others = this.rolesIn(user, organization).filter((role) => !isAffiliation(role));
    const roles = [...(isOutside ? (['outside collaborator'] as const) : []), ...others];
    this.#changedRoles.set(`${organization.index}/${user.id}`, { roles });
  }

  isPublicMember(user: User, organization: OrganizationState): boolean {
    return this.isMember(user, organization) && this.#chance('public member', organization.index, user.id) < 0.7;
  }

  #seeded(index: number): OrganizationState {
    const empty = this.#empty[index - this.#firstEmpty];
    const login = empty ?? organizationLogin(index);
    const isEmpty = empty !== undefined;
    const chance = (label: string) => this.#chance(label, 'organization', index);
    const title = login.replace(/(^|-)(\w)/g, (_, dash, letter) => (dash ? ' ' : '') + letter.toUpperCase());
    const created = this.#epoch - (6 * 365 - (index * 365) / this.organizationCount) * day;
    return {
      type: 'Organization',
      id: firstOrganizationId + index,
      login,
      index,
      isEmpty,
      created_at: isoSeconds(created),
      updated_at: isoSeconds(this.#epoch - chance('updated') * 90 * day),
      settings: {
        name: `${title} Corporation`,
        company: `${title} Holdings`,
        blog: `https://${login}.example`,
        location: pick(['Lisbon', 'Kraków', '東京', 'Montréal', 'Nairobi'], chance('location')),
        email: `hello@${login}.example`,
        twitter_username: null,
        description: `Everything that ${title} builds`,
        billing_email: `billing@${login}.example`,
        has_organization_projects: true,
        // Projects are disabled for repositories in one organization in four, but not in the first or in an empty one.
        has_repository_projects: index % 4 !== 1 || isEmpty,
        default_repository_permission: pick(['read', 'write', 'none'], chance('permission')),
        default_repository_branch: 'main',
        members_can_create_repositories: true,
        // Members of the first can create repositories of every visibility.
        members_can_create_public_repositories: index === 0 || chance('public') < 0.5,
        members_can_create_private_repositories: true,
        members_can_create_internal_repositories: true,
        members_can_create_pages: true,
        members_can_create_public_pages: true,
        members_can_create_private_pages: true,
        members_can_delete_repositories: chance('delete') < 0.3,
        members_can_change_repo_visibility: chance('visibility') < 0.3,
        members_can_invite_outside_collaborators: chance('invite') < 0.5,
        members_can_delete_issues: false,
        members_can_create_teams: true,
        members_can_view_dependency_insights: true,
        members_can_fork_private_repositories: false,
        display_commenter_full_name_setting_enabled: false,
        readers_can_create_discussions: true,
        web_commit_signoff_required: false,
        two_factor_requirement_enabled: chance('two factor') < 0.7,
        deploy_keys_enabled_for_repositories: true,
        dependency_graph_enabled_for_new_repositories: true,
        dependabot_alerts_enabled_for_new_repositories: chance('alerts') < 0.5,
        dependabot_security_updates_enabled_for_new_repositories: false,
        advanced_security_enabled_for_new_repositories: false,
        secret_scanning_enabled_for_new_repositories: chance('secrets') < 0.5,
        secret_scanning_push_protection_enabled_for_new_repositories: false,
        secret_scanning_push_protection_custom_link_enabled: false,
        secret_scanning_push_protection_custom_link: null,
        secret_scanning_validity_checks_enabled: false,
        ...(isStrict({ index, isEmpty }) && strictSettings),
        ...(isLax({ index, isEmpty }) && laxSettings),
      },
    };
  }
}

/** People without sample data have IDs that no organization reaches. */
const firstKnownId = 5_000_001;

/** Returns the seeded people, and those who are known besides. */
function usersFrom(known: readonly string[] = []): readonly User[] {
  const seeded = people.map(([login, name], index): User => {
    return { type: 'User', id: index + 1, login, name, site_admin: index === 0 };
  });
  const taken = new Set(seeded.map(({ login }) => login));
  const others = new Map(known.map((login) => [login.toLowerCase(), login]));
  const added = [...others].filter(([key]) => !taken.has(key));
  return [
    ...seeded,
    ...added.map(([, login], at): User => {
      return { type: 'User', id: firstKnownId + at, login, name: login, site_admin: false };
    }),
  ];
}

const knownSlugs = (kind: 'team' | 'app', { knownLogins = [] }: Scale): readonly string[] => [
  ...new Set(
    knownLogins.flatMap((login) => (login.startsWith(`${kind}:`) ? [login.slice(kind.length + 1).toLowerCase()] : [])),
  ),
];

/** Returns the logins of the empty organizations. Throws StateError for those of other organizations, or of people. */
function emptyIn({ orgs, emptyOrganizations = [], knownLogins = [] }: Scale): readonly string[] {
  const logins = new Set([...people.map(([login]) => login), ...knownLogins.map((login) => login.toLowerCase())]);
  for (const login of emptyOrganizations) {
    if ((organizationIndex(login.toLowerCase()) ?? orgs) < orgs)
      throw new StateError(
        `${login} is the login of an organization with sample data. Choose another one, or fewer --orgs.`,
      );
    if (logins.has(login.toLowerCase())) throw new StateError(`${login} is the login of a person. Choose another one.`);
  }
  return [...new Set(emptyOrganizations.map((login) => login.toLowerCase()))];
}

const isAffiliation = (role: OrganizationRole): boolean => isMembership(role) || role === 'outside collaborator';

const isMembership = (role: OrganizationRole): boolean => role === 'owner' || role === 'member';

function organizationLogin(index: number): string {
  const round = Math.floor(index / organizationNames.length);
  const name = organizationNames[index % organizationNames.length] as string;
  return round === 0 ? name : `${name}-${round + 1}`;
}

/** The inverse of `organizationLogin`. */
function organizationIndex(login: string): number | undefined {
  const [, name = '', round] = /^(.*?)(?:-(\d+))?$/.exec(login) ?? [];
  const place = (organizationNames as readonly string[]).indexOf(name);
  const index = place + ((round ? Number(round) : 1) - 1) * organizationNames.length;
  return place >= 0 && organizationLogin(index) === login ? index : undefined;
}

/** Formats a date like the platform: without fractions of a second. */
export function isoSeconds(moment: number | Date): string {
  return new Date(moment).toISOString().replace(/\.\d+Z$/, 'Z');
}
