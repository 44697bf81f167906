/** safe-settings: settings.yml of an organization, suborgs/*.yml and repos/*.yml, each laid over the ones before. */
import { namePattern } from '../../../../../fleet/policy/wanted/name-pattern.ts';
import { elements, member, type Place, type Placed, without } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText, isObject } from '../../../../../json/exact-json.ts';
import type { FilteredItem } from '../../app-access.ts';
import { readAppSettings } from '../../app-settings.ts';
import type { EntryDraft, Format, OrganizationDraft, SourceFile } from '../../model.ts';
import { type Lose, noOrganization, placedAt } from '../../source.ts';
import { creationOf } from './creation.ts';
import { declaredAt, type Level, type LevelDraft, levelOf, loseOf, repositoryOf, withoutTakenBack } from './levels.ts';
import { normalForm, withoutKeys } from './normal-form.ts';
import { overlaid } from './overlay.ts';
import { appliesTo, everything, excluding, type FilteredEntry, narrowed, selectorsOf } from './selectors.ts';
import { keys, suborgKeys } from './table.ts';

interface Suborg {
  readonly config: Placed;
  readonly selectors: readonly Placed[];
  readonly matches: (repository: string) => boolean;
  /** What it declares, by place in the policy. */
  readonly own: LevelDraft['items'];
}

/** What a file has of the creations of the repositories that it is about. */
interface Creations {
  readonly parts: readonly Placed[];
  readonly matches: (repository: string) => boolean;
}

interface Repository {
  readonly name: string;
  readonly own: LevelDraft['items'];
  readonly entry: EntryDraft;
}

export const safeSettings: Format = {
  name: 'safe-settings',
  source: 'settings.yml, suborgs/*.yml and repos/*.yml of the safe-settings app',
  keys,
  read(files, { organization, lose, refuse }) {
    const [first] = files;
    if (organization === undefined) {
      if (first) refuse(first.root, noOrganization);
      return [];
    }
    const reader = new SafeSettings(organization, lose);
    for (const { root } of files) if (!isObject(root.value)) refuse(root, 'must be a mapping');
    for (const level of ['organization', 'suborg', 'repository'] as const)
      for (const file of files) if (levelOf(file) === level) reader.add(level, file);
    return [reader.draft()];
  },
};

class SafeSettings {
  readonly #organization: string;
  readonly #lose: Lose;
  #base: Placed | undefined;
  readonly #suborgs: Suborg[] = [];
  readonly #repositories: Repository[] = [];
  /** What files of several repositories have of creations. */
  readonly #creations: Creations[] = [];
  #ofOrganization: readonly FilteredItem[] = [];
  #ofAll: readonly FilteredItem[] = [];

  constructor(organization: string, lose: Lose) {
    this.#organization = organization;
    this.#lose = lose;
  }

  add(level: Level, { file, root }: SourceFile): void {
    const config = normalForm(root, this.#organization, this.#lose);
    if (level === 'organization') this.#addOrganization(config, file);
    else if (level === 'suborg') this.#addSuborg(config, file);
    else this.#addRepository(config, file);
  }

  draft(): OrganizationDraft {
    const created = this.#repositories.filter(({ entry }) => entry.head[0] === 'create');
    for (const { parts, matches } of this.#creations)
      if (!created.some(({ name }) => matches(name)))
        for (const part of parts)
          this.#lose(part, 'Policies create only named repositories: import repos/NAME.yml, too');
    const all: FilteredEntry = {
      head: ['select', everything(this.#base?.place)],
      isOverride: false,
      items: this.#ofAll,
    };
    return {
      organization: this.#organization,
      place: all.head[1].place,
      items: this.#ofOrganization,
      entries: [
        ...(this.#ofAll.length > 0 ? narrowed(all) : []),
        ...this.#suborgs.flatMap((suborg) => this.#entriesOf(suborg)),
        ...this.#repositories.map(({ entry }) => entry),
      ],
    };
  }

  #addOrganization(config: Placed, file: string): void {
    if (this.#base) {
      this.#lose(config, 'An organization has one settings file');
      return;
    }
    const { items, creation } = readAppSettings(config, 'safe-settings', loseOf(file, this.#lose));
    this.#ofOrganization = items.filter((item) => isWithin(item, config, 'rulesets'));
    this.#ofAll = items.filter((item) => !isWithin(item, config, 'rulesets'));
    this.#creations.push({ parts: ownParts(creation, file), matches: () => true });
    this.#base = without(config, ['rulesets']);
  }

  #addSuborg(config: Placed, file: string): void {
    const selectors = selectorsOf(config, this.#lose);
    const settings = withoutTakenBack(this.#base, without(config, suborgKeys), this.#lose);
    if (selectors.length === 0) {
      for (const [, part] of settings.parts) this.#lose(part, 'Policies cannot select the repositories of this suborg');
      return;
    }
    const patterns = selectors.flatMap((selector) => elements(selector.parts.get('names')));
    const matchers = patterns.map(({ value }) => namePattern(asText(value)));
    const { items, creation } = declaredAt(this.#base, settings, file, this.#lose);
    const matches = (name: string) => matchers.some((each) => each(name));
    const parts = ownParts(creation, file);
    const scope = items.size > 0 ? [] : suborgKeys.flatMap((key) => member(config, key) ?? []);
    const isOfCreations = [...creation.values()].some(({ place }) => place.file === file);
    if (parts.length > 0) this.#creations.push({ parts: [...parts, ...scope], matches });
    else if (!isOfCreations)
      for (const part of scope) this.#lose(part, 'The suborg declares nothing that policies can have');
    this.#suborgs.push({ config: settings, selectors, matches, own: items });
  }

  #addRepository(config: Placed, file: string): void {
    const name = repositoryOf(file);
    const base = this.#suborgs
      .filter(({ matches }) => matches(name))
      .reduce<Placed | undefined>((below, suborg) => overlaid(below, suborg.config), this.#base);
    const given = member(config.parts.get('repository'), 'name');
    if (given && given.value !== null && asText(given.value).toLowerCase() !== name.toLowerCase())
      this.#lose(given, 'Policies cannot rename repositories');
    const settings = withoutTakenBack(base, withoutKeys(config, ['name']), this.#lose);
    const own = declaredAt(base, settings, file, this.#lose);
    const forced = own.creation.get('force_create');
    const isCreated = forced?.value === true;
    if (!isCreated)
      for (const part of ownParts(own.creation, file)) this.#lose(part, 'Has no effect without force_create');
    const created = [...own.items].filter(([key]) => !isCreated || key !== 'settings.visibility');
    this.#repositories.push({
      name,
      own: own.items,
      entry: {
        head: isCreated
          ? ['create', this.#creationOf(name, forced.place.file === file ? forced.place : config.place, own)]
          : ['select', placedAt({ names: [name] }, config.place)],
        isOverride: base !== undefined,
        items: created.map(([, item]) => item).filter(({ only }) => appliesTo(name, only)),
      },
    });
  }

  #creationOf(name: string, place: Place, { items, creation }: LevelDraft): Placed {
    const inherited = this.#ofAll.find(({ path }) => path.join('.') === 'settings.visibility');
    const visibility = (items.get('settings.visibility') ?? inherited)?.value;
    const creates = new Map([...(visibility ? [['visibility', visibility] as const] : []), ...creation]);
    creates.delete('force_create');
    return creationOf(name, place, creates, this.#organization, this.#lose);
  }

  /** Returns the entries of a suborg, without the repositories whose own files declare other values. */
  #entriesOf({ selectors, matches, own }: Suborg): readonly EntryDraft[] {
    return selectors.flatMap((selector) => {
      const groups = new Map<string, { readonly excluded: readonly string[]; readonly items: FilteredItem[] }>();
      for (const [key, item] of own) {
        const excluded = this.#repositories
          .filter((repository) => selector.parts.has('properties') || matches(repository.name))
          .filter((repository) => repository.own.has(key))
          .map(({ name }) => name);
        const group = groups.get(excluded.join(' ')) ?? { excluded, items: [] };
        groups.set(excluded.join(' '), group);
        group.items.push(item);
      }
      return [...groups.values()].flatMap(({ excluded, items }) => {
        const head = ['select', excluding(selector, excluded)] as const;
        return narrowed({ head, isOverride: true, items });
      });
    });
  }
}

const isWithin = ({ value }: FilteredItem, config: Placed, section: string): boolean =>
  elements(config.parts.get(section)).some(({ place }) => place === value.place);

/** Returns what a file has of creations; `force_create: false` is the default. */
const ownParts = (creation: LevelDraft['creation'], file: string): readonly Placed[] =>
  [...creation].filter(([, { value, place }]) => value !== false && place.file === file).map(([, part]) => part);
