/** Resolves references of policies, such as `team:release`, to the IDs of one organization, and back. */
import { isObject } from '../../json/exact-json.ts';
import { listOrganizationInstallations } from '../../platform/endpoints/installations.ts';
import { listCustomRepositoryRoles } from '../../platform/endpoints/orgs.ts';
import { listTeams } from '../../platform/endpoints/teams.ts';
import type { Given } from '../../platform/validate.ts';
import type { ListedRepository } from './model.ts';
import { actorTypes, parseReference } from './references.ts';
import type { Reader, Reading } from './requests.ts';

/** A reference that names nothing in its organization, or that cannot be looked up. */
export class UnresolvedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnresolvedError';
  }
}

/** Public platform, Repository rulesets: the IDs of the roles that may bypass them. */
const builtInRoles: readonly (readonly [string, number])[] = [
  ['maintain', 2],
  ['write', 4],
  ['admin', 5],
];

type Ids = ReadonlyMap<string, number>;

/** The names of one organization; each list is fetched when first needed, once. */
export class Names {
  readonly #reader: Reader;
  readonly #org: string;
  readonly #repositories: () => Promise<Reading<readonly ListedRepository[]>>;
  readonly #lists = new Map<string, Promise<Ids>>();
  readonly #resolved = new WeakMap<Given, Promise<Given>>();

  constructor(reader: Reader, org: string, repositories: () => Promise<Reading<readonly ListedRepository[]>>) {
    this.#reader = reader;
    this.#org = org;
    this.#repositories = repositories;
  }

  /**
   * Returns a body with IDs in place of all references; the same object for all targets of the same body. Throws
   * UnresolvedError.
   */
  resolve(body: Given): Promise<Given> {
    const known = this.#resolved.get(body) ?? (this.#resolve(body, '') as Promise<Given>);
    this.#resolved.set(body, known);
    return known;
  }

  async #resolve(value: unknown, key: string): Promise<unknown> {
    if (Array.isArray(value)) {
      const elements: unknown[] = [];
      for (const element of value) elements.push(await this.#resolve(element, key));
      return elements;
    }
    if (isObject(value)) {
      const members: [string, unknown][] = [];
      for (const [name, member] of Object.entries(value)) members.push([name, await this.#resolve(member, name)]);
      return Object.fromEntries(members);
    }
    if (typeof value !== 'string') return value;
    const reference = /(?:^|_)ids?$/.test(key) ? parseReference(value) : undefined;
    return reference ? this.#idOf(reference.kind, reference.name) : value;
  }

  /** Returns the reference for an ID, as `team:release`; undefined for one without a name that the caller can see. */
  async nameOf(actorType: string, id: unknown): Promise<string | undefined> {
    const word = Object.entries(actorTypes).find(([, type]) => type === actorType)?.[0];
    if (!word) return undefined;
    try {
      const ids = await this.#ids(word);
      const name = [...ids].find(([, other]) => other === id)?.[0];
      return name === undefined ? undefined : `${word}:${name}`;
    } catch (error) {
      if (error instanceof UnresolvedError) return undefined;
      throw error;
    }
  }

  async #idOf(word: string, name: string): Promise<number> {
    const id = (await this.#ids(word)).get(name.toLowerCase());
    if (id === undefined) throw new UnresolvedError(`no ${word} “${name}” in ${this.#org}`);
    return id;
  }

  #ids(word: string): Promise<Ids> {
    const fetched = this.#lists.get(word) ?? this.#fetch(word);
    this.#lists.set(word, fetched);
    return fetched;
  }

  async #fetch(word: string): Promise<Ids> {
    const listed = await this.#list(word);
    if ('unreadable' in listed)
      throw new UnresolvedError(`the ${plurals[word]} of ${this.#org} cannot be listed (${listed.unreadable})`);
    return new Map(listed.value.map(([name, id]) => [name.toLowerCase(), id]));
  }

  async #list(word: string): Promise<Reading<readonly (readonly [string, number])[]>> {
    const path = { org: this.#org };
    switch (word) {
      case 'team':
        return mapped(await this.#reader.list(listTeams, { path }), ({ slug, id }) => [slug, id]);
      case 'app': {
        const installations = await this.#reader.list(listOrganizationInstallations, { path });
        return mapped(installations, ({ app_slug, app_id }) => [app_slug, app_id]);
      }
      case 'repository':
        return mapped(await this.#repositories(), ({ name, id }) => [name, id]);
      default: {
        // Editions without custom roles return 404.
        const custom = await this.#reader.get(listCustomRepositoryRoles, { path });
        const roles = 'value' in custom ? (custom.value as unknown as readonly { name: string; id: number }[]) : [];
        return { value: [...builtInRoles, ...roles.map(({ name, id }) => [name, id] as const)] };
      }
    }
  }
}

const plurals: Readonly<Record<string, string>> = { team: 'teams', app: 'apps', repository: 'repositories' };

const mapped = <T>(
  reading: Reading<readonly T[]>,
  pair: (record: T) => readonly [string, number],
): Reading<readonly (readonly [string, number])[]> =>
  'value' in reading ? { value: reading.value.map(pair) } : reading;
