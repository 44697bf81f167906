/** What a person who pushes may do, by bypass lists, teams and roles. */
import type { Session } from '../../cli/command/session.ts';
import { UsageError } from '../../cli/errors.ts';
import type { RepoName } from '../../cli/input/args.ts';
import { NotFoundError, PermissionError, unlessHidden } from '../../client/errors.ts';
import { isObject } from '../../json/exact-json.ts';
import { getAuthenticatedUser, getUser, getUserById } from '../../platform/endpoints/accounts.ts';
import { getMembership } from '../../platform/endpoints/members.ts';
import { getCollaboratorPermission } from '../../platform/endpoints/repos.ts';
import { getTeamMembership, listTeams } from '../../platform/endpoints/teams.ts';
import type { Team } from '../../platform/records.ts';

/** The requests that tell what a person may do. */
export const personReads = [
  getAuthenticatedUser.route,
  getMembership.route,
  getTeamMembership.route,
  listTeams.route,
  getUser.route,
  getUserById.route,
  getCollaboratorPermission.route,
];

/** The roles that every repository has, by their ID in bypass lists, where three of them can be. */
const roleNames: ReadonlyMap<unknown, string> = new Map([
  [2, 'maintain'],
  [4, 'write'],
  [5, 'admin'],
]);

/** Of repositories, from the lowest. */
const baseRoles = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];

/** Bypass modes in the words of `current_user_can_bypass`, from the strongest. */
const modes: ReadonlyMap<unknown, string> = new Map([
  ['exempt', 'exempt'],
  ['always', 'always'],
  ['pull_request', 'pull_requests_only'],
]);

/** Reads each fact about a person at most once, and only if a list asks for it. What cannot be read is undefined. */
export class PushingPerson {
  readonly #session: Session;
  readonly #path: RepoName;
  readonly #known = new Map<string, Promise<unknown>>();
  readonly #named: string | undefined;

  /** `login` is undefined for the owner of the token. */
  constructor(session: Session, path: RepoName, login: string | undefined) {
    this.#session = session;
    this.#path = path;
    this.#named = login;
  }

  /** Returns whether the person may bypass a ruleset with this list, in the words of `current_user_can_bypass`. */
  async bypassOf(actors: unknown): Promise<string | undefined> {
    if (!Array.isArray(actors)) return undefined;
    const answers = await Promise.all(
      actors.map(async (actor) => {
        const { actor_type: type, actor_id: id, bypass_mode: mode = 'always' } = isObject(actor) ? actor : {};
        const is = await this.#is(type, id);
        return is ? modes.get(mode) : is === undefined ? undefined : 'never';
      }),
    );
    // Another entry can only add to what the strongest one allows.
    const strongest = [...modes.values()].find((each) => answers.includes(each));
    if (strongest !== undefined && strongest !== 'pull_requests_only') return strongest;
    return answers.includes(undefined) ? undefined : (strongest ?? 'never');
  }

  /** Returns whether the person has at least one of these logins, or is in one of these teams. */
  async isAmong({ users = [], teams = [] }: PeopleAndTeams): Promise<boolean | undefined> {
    const login = await this.#login();
    if (login !== undefined && users.some((user) => isSame(user.login, login))) return true;
    return anyOf([
      login === undefined && users.length > 0 ? undefined : false,
      ...(await Promise.all(teams.map(({ slug }) => this.#isInTeam(slug)))),
    ]);
  }

  /** Returns whether the person administers the repository; undefined also for custom roles, which may bypass protection. */
  async isAdministrator(): Promise<boolean | undefined> {
    const role = await this.#role();
    return role === undefined || !baseRoles.includes(role) ? undefined : role === 'admin';
  }

  /** Returns whether the person is what an entry of a bypass list stands for. */
  async #is(type: unknown, id: unknown): Promise<boolean | undefined> {
    switch (type) {
      case 'DeployKey':
      case 'Integration':
        return (await this.#login()) === undefined && type === 'Integration' ? undefined : false;
      case 'OrganizationAdmin':
        return this.#ownsOrganization();
      case 'Team': {
        const team = (await this.#teams())?.find((each) => each.id === id);
        return team && this.#isInTeam(team.slug);
      }
      case 'User':
        return this.#isUser(id);
      case 'RepositoryRole':
        return this.#hasRole(roleNames.get(id));
      default:
        return undefined;
    }
  }

  /** Whether a higher role bypasses, too, is not documented. */
  async #hasRole(wanted: string | undefined): Promise<boolean | undefined> {
    const role = await this.#role();
    if (wanted === undefined || role === undefined || !baseRoles.includes(role)) return undefined;
    if (role === wanted) return true;
    return baseRoles.indexOf(role) < baseRoles.indexOf(wanted) ? false : undefined;
  }

  #login(): Promise<string | undefined> {
    return this.#once('login', async () => {
      if (this.#named !== undefined) return this.#existing(this.#named);
      const { tokenKind, credential } = await this.#session.connection();
      if (tokenKind === 'installation' || credential === undefined) return undefined;
      return (await unlessHidden(this.#session.call(getAuthenticatedUser, {}, {})))?.login;
    });
  }

  /** A misspelled login would be that of a person without rights. Throws UsageError. */
  async #existing(login: string): Promise<string> {
    await this.#session.call(getUser, { path: { username: login } }, {}).catch((error) => {
      if (error instanceof NotFoundError)
        throw new UsageError(`--as ${login}: the platform has no user with this login.`);
      if (!(error instanceof PermissionError)) throw error;
    });
    return login;
  }

  #ownsOrganization(): Promise<boolean | undefined> {
    return this.#once('owner', () =>
      this.#ofPerson(async (username) => {
        const input = { path: { org: this.#path.owner, username } };
        const { role, state } = await this.#session.call(getMembership, input, {});
        return role === 'admin' && state === 'active';
      }),
    );
  }

  #isInTeam(slug: string): Promise<boolean | undefined> {
    return this.#once(`team ${slug}`, () =>
      this.#ofPerson(async (username) => {
        const input = { path: { org: this.#path.owner, team_slug: slug, username } };
        return (await this.#session.call(getTeamMembership, input, {})).state === 'active';
      }),
    );
  }

  /** Returns the teams of the organization; undefined if the token cannot see them. */
  #teams(): Promise<readonly Team[] | undefined> {
    return this.#once('teams', async () => {
      const input = { path: { org: this.#path.owner } };
      const listing = await this.#session.list(listTeams, input, { all: true }, {});
      return unlessHidden(listing.records());
    });
  }

  async #isUser(id: unknown): Promise<boolean | undefined> {
    const login = await this.#login();
    if (login === undefined || typeof id !== 'number') return undefined;
    const user = await unlessHidden(this.#session.call(getUserById, { path: { account_id: id } }, {}));
    return user && isSame(user.login, login);
  }

  /** Returns the name of the person’s highest role in the repository, which may be a custom one. */
  #role(): Promise<string | undefined> {
    return this.#once('role', async () => {
      const username = await this.#login();
      if (username === undefined) return undefined;
      const input = { path: { ...this.#path, username } };
      return (await unlessHidden(this.#session.call(getCollaboratorPermission, input, {})))?.role_name;
    });
  }

  /** Returns what a read says about the person; false for 404, which is the response for people who are no member. */
  async #ofPerson(read: (username: string) => Promise<boolean>): Promise<boolean | undefined> {
    const username = await this.#login();
    if (username === undefined) return undefined;
    return unlessHidden(
      read(username).catch((error) => {
        if (error instanceof NotFoundError) return false;
        throw error;
      }),
    );
  }

  #once<T>(what: string, read: () => Promise<T>): Promise<T> {
    const known = (this.#known.get(what) as Promise<T> | undefined) ?? read();
    this.#known.set(what, known);
    return known;
  }
}

interface PeopleAndTeams {
  readonly users?: readonly { readonly login?: string }[];
  readonly teams?: readonly { readonly slug: string }[];
}

const isSame = (one: unknown, other: string): boolean =>
  typeof one === 'string' && one.toLowerCase() === other.toLowerCase();

function anyOf(answers: readonly (boolean | undefined)[]): boolean | undefined {
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}
