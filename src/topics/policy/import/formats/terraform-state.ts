/** What the resources of a state declare of an organization. */
import { isDeepStrictEqual } from 'node:util';
import { isPossibleName } from '../../../../fleet/policy/file-names.ts';
import { slugOfTeam } from '../../../../fleet/policy/kinds/people/team-names.ts';
import { elements, type Place, type Placed, textOf, withParts } from '../../../../fleet/policy/wanted/placed.ts';
import type { EntryDraft, OrganizationDraft } from '../model.ts';
import { type Item, type Lose, placedAt } from '../source.ts';
import { Attributes } from './terraform-attributes.ts';
import { withoutSensitive } from './terraform-sensitive.ts';
import { lackingTypes, unknownAttribute } from './terraform-table.ts';

/** A resource of a state. */
export interface Resource {
  readonly type: string;
  readonly mode: string;
  readonly values: Placed;
  readonly resource: Placed;
}

/** Reads a resource of one type. */
export type Reader = (state: State, attributes: Attributes) => void;

export type Readers = Readonly<Record<string, Reader>>;

export interface Team {
  readonly name: string;
  readonly slug: string;
}

/** What resources declare for a team, beside the team itself. */
type TeamMembers = Record<'maintainers' | 'members', Placed[]>;

export class State {
  readonly #resources: readonly Resource[];
  readonly #readers: Readers;
  readonly #organization: string;
  readonly #lose: Lose;
  readonly #teams = new Map<string, Team>();
  readonly #people = new Map<string, string>();
  readonly #repositories = new Map<string, string>();
  readonly #items: Item[] = [];
  readonly #members: Record<'owners' | 'members', Placed[]> = { owners: [], members: [] };
  readonly #membersOfTeams = new Map<string, TeamMembers>();
  readonly #declaredTeams = new Map<string, Placed>();
  readonly #namesOfTeams = new Map<string, Placed>();
  readonly #entries = new Map<string, Entry>();
  readonly #patterns = new Map<string, string[]>();
  /** The number of values that resources have had so far, imported or lost. */
  #found = 0;

  constructor(resources: readonly Resource[], organization: string, readers: Readers, lose: Lose) {
    this.#readers = readers;
    this.#resources = resources.map((each) => (readers[each.type] ? withoutSensitive(each, lose) : each));
    this.#organization = organization;
    this.#lose = lose;
    for (const { type, values } of this.#resources) this.#index(type, values);
    for (const { type, values } of this.#resources) if (type === 'github_branch_protection') this.#addPattern(values);
  }

  draft(): Omit<OrganizationDraft, 'place'> {
    for (const resource of this.#resources) if (resource.mode === 'managed') this.#read(resource);
    const teams = this.#allTeams();
    const lists = Object.entries(this.#members).filter(([, people]) => people.length > 0);
    const members = lists.map(([key, people]): Item => ({ path: ['members', key], value: listOf(people) }));
    const items = [...members, ...teams, ...this.#items];
    return { organization: this.#organization, items, entries: this.#allEntries() };
  }

  /** Remembers what IDs stand for. Data sources are read for that alone. */
  #index(type: string, values: Placed): void {
    const ids = ['id', 'node_id', 'slug', 'repo_id', 'team_id'].flatMap((key) => {
      const { value } = values.parts.get(key) ?? {};
      return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
    });
    const name = textOf(values, 'name');
    if (type === 'github_team' && name !== undefined)
      for (const id of [...ids, name]) this.#teams.set(id, { name, slug: textOf(values, 'slug') ?? slugOfTeam(name) });
    if (type === 'github_repository' && name !== undefined) for (const id of ids) this.#repositories.set(id, name);
    const login = textOf(values, 'login') ?? textOf(values, 'username');
    if (type === 'github_user' && login !== undefined) for (const id of ids) this.#people.set(id, login);
  }

  #addPattern(values: Placed): void {
    const repository = (this.repositoryOf(values.parts.get('repository_id')?.value) ?? '').toLowerCase();
    this.#patterns.set(repository, [...(this.#patterns.get(repository) ?? []), textOf(values, 'pattern') ?? '']);
  }

  #read({ type, values, resource }: Resource): void {
    const read = this.#readers[type];
    if (!read) {
      const reason = lackingTypes.find(([beginning]) => type.startsWith(beginning))?.[1] ?? unknownAttribute;
      // Its values may be secret.
      this.#lose(values, reason, textOf(resource, 'address'));
      return;
    }
    const attributes = new Attributes(type, values, this.#lose);
    const before = this.#found;
    read(this, attributes);
    if (this.#found === before) attributes.loseAll();
    else attributes.finish();
  }

  lose(part: Placed, reason: string): void {
    this.#found += 1;
    this.#lose(part, reason);
  }

  addToOrganization(path: readonly string[], value: Placed): void {
    this.#found += 1;
    this.#items.push({ path, value });
  }

  addPerson(role: 'owners' | 'members', login: Placed): void {
    this.#found += 1;
    this.#members[role].push(login);
  }

  addTeam(slug: string, team: Placed): void {
    this.#found += 1;
    this.#declaredTeams.set(slug, team);
  }

  addToTeam(slug: string, name: string, role: 'maintainers' | 'members', login: Placed): void {
    this.#found += 1;
    const team = this.#membersOfTeams.get(slug) ?? { maintainers: [], members: [] };
    this.#membersOfTeams.set(slug, team);
    team[role].push(login);
    if (!this.#declaredTeams.has(slug)) this.#namesOfTeams.set(slug, placedAt(name, login.place));
  }

  /** Adds a part of a repository; parts of other resources take precedence over those of the repository itself. */
  add(repository: string, path: readonly string[], value: Placed): void {
    const entry = this.#entryOf(repository, value.place);
    const key = path.join('.');
    const earlier = entry.items.get(key);
    if (earlier && !isDeepStrictEqual(earlier.value.value, value.value))
      this.#lose(value, 'Another resource declares another value, which policies cannot have at once');
    else entry.items.set(key, { path, value });
  }

  create(repository: string, create: Placed): void {
    this.#entryOf(repository, create.place).create = create;
  }

  #entryOf(repository: string, place: Place): Entry {
    this.#found += 1;
    const key = repository.toLowerCase();
    const entry = this.#entries.get(key) ?? { name: repository, place, items: new Map() };
    this.#entries.set(key, entry);
    return entry;
  }

  teamOf(id: unknown): Team | undefined {
    return this.#teams.get(String(id));
  }

  /** Returns the name of a repository, which resources name by name, by owner and name, or by ID. */
  repositoryOf(id: unknown): string | undefined {
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    const name = this.#repositories.get(String(id)) ?? String(id).replace(/^[^/]*\//, '');
    return nodeId.test(name) || !isPossibleName(name) ? undefined : name;
  }

  /** Returns actors of classic protection with names for IDs. */
  named(list: Placed): Placed {
    const each = elements(list).map((actor, index): [number, Placed] => {
      const id = String(actor.value);
      const team = id.includes('/') ? undefined : this.#teams.get(id);
      const login = this.#people.get(id);
      const name = team ? `${this.#organization}/${team.slug}` : login === undefined ? id : `/${login}`;
      return [index, { ...actor, value: name }];
    });
    return withParts(list, each);
  }

  otherPatterns(repository: string): readonly string[] {
    return this.#patterns.get(repository.toLowerCase()) ?? [];
  }

  #allTeams(): readonly Item[] {
    const slugs = [...new Set([...this.#declaredTeams.keys(), ...this.#membersOfTeams.keys()])];
    return slugs.map((slug): Item => {
      const named = this.#namesOfTeams.get(slug);
      const team =
        this.#declaredTeams.get(slug) ??
        withParts(placedAt({}, named?.place ?? nowhere), [['name', named ?? placedAt(slug, nowhere)]]);
      const lists = Object.entries(this.#membersOfTeams.get(slug) ?? {})
        .filter(([, people]) => people.length > 0)
        .map(([role, people]): [string, Placed] => [role, listOf(people)]);
      return { path: ['teams', slug], value: withParts(team, [...team.parts, ...lists]) };
    });
  }

  #allEntries(): readonly EntryDraft[] {
    return [...this.#entries.values()].map(
      ({ name, place, create, items }): EntryDraft => ({
        head: create ? ['create', create] : ['select', placedAt({ names: [name] }, place)],
        isOverride: false,
        items: [...items.values()],
      }),
    );
  }
}

/** IDs of repositories in the GraphQL API, which the state does not explain. */
// cspell:ignore Rvcnk
const nodeId = /^(?:R_kg|MDEwOlJlcG9zaXRvcnk)/;

const nowhere: Place = { file: '', line: 1, column: 1 };

interface Entry {
  readonly name: string;
  readonly place: Place;
  create?: Placed;
  readonly items: Map<string, Item>;
}

const listOf = (parts: readonly Placed[]): Placed =>
  withParts({ value: [], place: parts[0]?.place ?? nowhere, parts: new Map() }, parts.entries());
