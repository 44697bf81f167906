/** What the resources of a state declare of an organization. */
import { isDeepStrictEqual } from 'node:util';
import { type Place, type Placed, textOf, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { ownMember } from '../../../../../json/exact-json.ts';
import type { EntryDraft, OrganizationDraft } from '../../model.ts';
import { type Item, type Lose, listAt, mappingAt, nowhere, placedAt } from '../../source.ts';
import { Attributes } from './attributes.ts';
import { Ids, type Team } from './ids.ts';
import { withoutSensitive } from './sensitive.ts';
import { lackingTypes, unknownAttribute } from './table.ts';

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

/** What resources declare for a team, beside the team itself. */
type TeamMembers = Record<'maintainers' | 'members', Placed[]>;

export class State {
  readonly #resources: readonly Resource[];
  readonly #readers: Readers;
  readonly #organization: string;
  readonly #lose: Lose;
  readonly #ids: Ids;
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
    this.#resources = resources.map((each) =>
      Object.hasOwn(readers, each.type) ? withoutSensitive(each, lose) : each,
    );
    this.#organization = organization;
    this.#lose = lose;
    this.#ids = new Ids(this.#resources);
    for (const { type, values } of this.#resources) if (type === 'github_branch_protection') this.#addPattern(values);
  }

  draft(): Omit<OrganizationDraft, 'place'> {
    for (const resource of this.#resources) if (resource.mode === 'managed') this.#read(resource);
    const teams = this.#allTeams();
    const members = peopleLists(this.#members).map(
      ([key, people]): Item => ({ path: ['members', key], value: people }),
    );
    const items = [...members, ...teams, ...this.#items];
    return { organization: this.#organization, items, entries: this.#allEntries() };
  }

  #addPattern(values: Placed): void {
    const repository = (this.repositoryOf(values.parts.get('repository_id')?.value) ?? '').toLowerCase();
    this.#patterns.set(repository, [...(this.#patterns.get(repository) ?? []), textOf(values, 'pattern') ?? '']);
  }

  #read({ type, values, resource }: Resource): void {
    const read = ownMember(this.#readers, type);
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
      this.#lose(value, 'Another resource declares a different value');
    else entry.items.set(key, { path, value });
  }

  /** Returns false if another resource has created the repository. */
  create(repository: string, create: Placed): boolean {
    const entry = this.#entryOf(repository, create.place);
    if (entry.create) return false;
    entry.create = create;
    return true;
  }

  #entryOf(repository: string, place: Place): Entry {
    this.#found += 1;
    const key = repository.toLowerCase();
    const entry = this.#entries.get(key) ?? { name: repository, place, items: new Map() };
    this.#entries.set(key, entry);
    return entry;
  }

  teamOf(id: unknown): Team | undefined {
    return this.#ids.team(id);
  }

  repositoryOf(id: unknown): string | undefined {
    return this.#ids.repository(id);
  }

  /** Returns actors of classic protection with names for IDs. */
  named(list: Placed): Placed {
    return this.#ids.named(list, this.#organization);
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
        mappingAt(named?.place ?? nowhere, [['name', named ?? placedAt(slug, nowhere)]]);
      const lists = peopleLists(this.#membersOfTeams.get(slug) ?? {});
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

interface Entry {
  readonly name: string;
  readonly place: Place;
  create?: Placed;
  readonly items: Map<string, Item>;
}

/** Returns lists of people by role, without those that are empty. A list has a position of its own: one person may be rejected. */
const peopleLists = (byRole: Readonly<Record<string, readonly Placed[]>>): readonly [string, Placed][] =>
  Object.entries(byRole).flatMap(([role, people]): [string, Placed][] =>
    people[0] ? [[role, listAt({ ...people[0].place }, people)]] : [],
  );
