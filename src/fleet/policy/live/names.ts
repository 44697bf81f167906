/** Resolves references in policies, such as `team:release`, to IDs of one organization, and back. */
import * as v from 'valibot';
import { getUser } from '../../../platform/endpoints/accounts.ts';
import { listOrganizationInstallations } from '../../../platform/endpoints/installations.ts';
import { listCustomRepositoryRoles } from '../../../platform/endpoints/orgs.ts';
import { listTeams } from '../../../platform/endpoints/teams.ts';
import type { CustomRepositoryRole, Installation, Team, User } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import type { ListedRepository } from '../wanted/model.ts';
import { type IdSite, kindOfId, parseReference, type ReferenceKind, withIds } from '../wanted/references.ts';
import { checked, shape } from './record-shapes.ts';
import type { Reader, Reading } from './requests.ts';

/** References that do not exist in their organization, or cannot be looked up. */
export class UnresolvedError extends Error {}

const teams = checked(listTeams, shape<Team>({ id: v.number(), slug: v.string() }));
const installations = checked(
  listOrganizationInstallations,
  shape<Installation>({ app_id: v.number(), app_slug: v.string() }),
);
const customRoles = checked(
  listCustomRepositoryRoles,
  shape<CustomRepositoryRole>({ id: v.number(), name: v.string() }),
);

const users = checked(getUser, shape<User>({ id: v.number(), login: v.string() }));

/** The organization in which references are looked up. */
export const referenceReads = [teams.route, installations.route, customRoles.route, users.route];

/** Public platform, Repository rulesets: the IDs of the roles that may bypass them. */
const builtInRoles: readonly Named[] = [
  { name: 'maintain', id: 2 },
  { name: 'write', id: 4 },
  { name: 'admin', id: 5 },
];

interface Named {
  /** As the platform writes it; references ignore case. */
  readonly name: string;
  readonly id: number;
}

interface ResolveOptions {
  /** References to what the plan creates or renames, with the IDs that are known; the others are kept. */
  readonly later?: ReadonlyMap<string, number | undefined>;
  /** True to keep references that have no ID, instead of an error. */
  readonly keepsUnknown?: boolean;
}

/** The names of one organization; each list, and each person, is fetched when first needed, once. */
export class Names {
  readonly #reader: Reader;
  readonly #org: string;
  readonly #repositories: () => Promise<Reading<readonly ListedRepository[]>>;
  readonly #lists = new Map<ReferenceKind, Promise<readonly Named[]>>();
  readonly #users = new Map<string, Promise<Named>>();
  /** People who were fetched; others keep their IDs. */
  readonly #knownUsers: Named[] = [];
  readonly #resolved = new WeakMap<Given, Promise<Given>>();
  /** Why the custom roles cannot be listed. */
  #hiddenRoles: string | undefined;

  constructor(reader: Reader, org: string, repositories: () => Promise<Reading<readonly ListedRepository[]>>) {
    this.#reader = reader;
    this.#org = org;
    this.#repositories = repositories;
  }

  /**
   * Returns a body with IDs in place of all references; the same object for all targets of the same body. Throws
   * UnresolvedError with all references that have none.
   */
  resolve(body: Given, options: ResolveOptions = {}): Promise<Given> {
    const known = this.#resolved.get(body) ?? this.#resolveAll(body, options);
    this.#resolved.set(body, known);
    return known;
  }

  async #resolveAll(body: Given, { later, keepsUnknown = false }: ResolveOptions): Promise<Given> {
    const problems = new Set<string>();
    const resolved = await replaceEach(body, async ({ value }) => {
      const reference = parseReference(value);
      if (!reference) return value;
      // Another one may have the name today.
      const key = String(value).toLowerCase();
      if (later?.has(key)) return later.get(key) ?? value;
      try {
        return await this.idOf(reference.kind, reference.name);
      } catch (error) {
        if (!(error instanceof UnresolvedError)) throw error;
        if (!keepsUnknown) problems.add(error.message);
        return value;
      }
    });
    if (problems.size) throw new UnresolvedError([...problems].join('; '));
    return resolved;
  }

  /** Returns a value with a reference in place of each ID whose name the caller can see; the same value without any. */
  inNames<T>(value: T): Promise<T> {
    return replaceEach(value, async ({ value: id, field, around }) => {
      const kind = typeof id === 'number' ? kindOfId(field, around) : undefined;
      return (kind && (await this.#nameOf(kind, Number(id)))) ?? id;
    });
  }

  async #nameOf(kind: ReferenceKind, id: number): Promise<string | undefined> {
    try {
      const all = kind === 'user' ? this.#knownUsers : await this.#named(kind);
      const named = all.find((each) => each.id === id);
      return named && `${kind}:${named.name}`;
    } catch (error) {
      if (error instanceof UnresolvedError) return undefined;
      throw error;
    }
  }

  /** Throws UnresolvedError. */
  async idOf(kind: ReferenceKind, name: string): Promise<number> {
    const wanted = name.toLowerCase();
    if (kind === 'user') return (await this.#user(wanted)).id;
    const named = (await this.#named(kind)).find((each) => each.name.toLowerCase() === wanted);
    if (named) return named.id;
    throw new UnresolvedError(
      kind === 'role' && this.#hiddenRoles !== undefined
        ? `no built-in role “${name}”, and the custom roles of ${this.#org} cannot be listed (${this.#hiddenRoles})`
        : `no ${kind} “${name}” in ${this.#org}`,
    );
  }

  #user(login: string): Promise<Named> {
    const fetched = this.#users.get(login) ?? this.#fetchUser(login);
    this.#users.set(login, fetched);
    return fetched;
  }

  async #fetchUser(login: string): Promise<Named> {
    const read = await this.#reader.find(users, { path: { username: login } });
    if ('unreadable' in read) throw new UnresolvedError(`the user “${login}” cannot be read (${read.unreadable})`);
    if (!read.value) throw new UnresolvedError(`no user “${login}”`);
    const user = { name: read.value.login, id: read.value.id };
    this.#knownUsers.push(user);
    return user;
  }

  #named(kind: Exclude<ReferenceKind, 'user'>): Promise<readonly Named[]> {
    const fetched = this.#lists.get(kind) ?? this.#fetch(kind);
    this.#lists.set(kind, fetched);
    return fetched;
  }

  async #fetch(kind: Exclude<ReferenceKind, 'user'>): Promise<readonly Named[]> {
    const listed = await this.#list(kind);
    if ('unreadable' in listed)
      throw new UnresolvedError(`the ${plurals[kind]} of ${this.#org} cannot be listed (${listed.unreadable})`);
    return listed.value;
  }

  async #list(kind: Exclude<ReferenceKind, 'user'>): Promise<Reading<readonly Named[]>> {
    const path = { org: this.#org };
    switch (kind) {
      case 'team':
        return mapped(await this.#reader.list(teams, { path }), ({ slug, id }) => ({ name: slug, id }));
      case 'app': {
        const listed = await this.#reader.list(installations, { path });
        return mapped(listed, ({ app_slug, app_id }) => ({ name: app_slug, id: app_id }));
      }
      case 'repository':
        return mapped(await this.#repositories(), ({ name, id }) => ({ name, id }));
      default: {
        // Editions without custom roles return 404.
        const custom = await this.#reader.get(customRoles, { path });
        if ('unreadable' in custom) this.#hiddenRoles = custom.unreadable;
        const roles = 'value' in custom ? (custom.value as unknown as readonly Named[]) : [];
        return { value: [...builtInRoles, ...roles.map(({ name, id }) => ({ name, id }))] };
      }
    }
  }
}

/** Returns a value with its IDs and references replaced, one after the other. */
async function replaceEach<T>(value: T, replaced: (site: IdSite) => Promise<unknown>): Promise<T> {
  const sites: IdSite[] = [];
  withIds(value, (site) => {
    sites.push(site);
    return site.value;
  });
  const found: unknown[] = [];
  for (const site of sites) found.push(await replaced(site));
  return withIds(value, () => found.shift()) as T;
}

const plurals: Readonly<Record<string, string>> = { team: 'teams', app: 'apps', repository: 'repositories' };

const mapped = <T>(reading: Reading<readonly T[]>, named: (record: T) => Named): Reading<readonly Named[]> =>
  'value' in reading ? { value: reading.value.map(named) } : reading;
