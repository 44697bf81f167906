/** safe-settings: settings.yml of an organization, suborgs/*.yml and repos/*.yml, each laid over the ones before. */
import { isDeepStrictEqual } from 'node:util';
import { namePattern } from '../../../../fleet/policy/wanted/name-pattern.ts';
import {
  elements,
  member,
  members,
  type Place,
  type Placed,
  textOf,
  without,
  withParts,
} from '../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../json/exact-json.ts';
import { type FilteredItem, type RepositoryFilter, readAppSettings } from '../app-settings.ts';
import { appKeys, type Dialect, safeSettingsKeys } from '../app-table.ts';
import type { EntryDraft, Format, OrganizationDraft, SourceFile } from '../model.ts';
import { overlaid } from '../overlay.ts';
import { rulesetKeys } from '../ruleset-files.ts';
import { type Lose, placedAt } from '../source.ts';

type Level = 'organization' | 'suborg' | 'repository';

const dialect: Dialect = { defaultBranch: 'default', hasFilters: true, isOfOrganization: true };

/** Stands for the status checks that a branch has already. */
const externallyDefined = '{{EXTERNALLY_DEFINED}}';

const lacksTeams = 'Selectors have no condition on teams';

const externalKeys = ['contexts[]', 'checks[].context'].map((key) => ({
  key: `branches[].protection.required_status_checks.${key}`,
  value: externallyDefined,
  note: 'No effect on other rulesets, which may have further checks',
}));

const suborgKeys = ['suborgrepos', 'suborgteams', 'suborgproperties'];

/** Returns the level of a file, which its folder says, as safe-settings reads it. */
function levelOf({ file, root }: SourceFile): Level {
  const folder = /(?:^|[/\\])(suborgs|repos)[/\\][^/\\]+$/.exec(file)?.[1];
  if (folder === 'repos') return 'repository';
  return folder === 'suborgs' || suborgKeys.some((key) => root.parts.has(key)) ? 'suborg' : 'organization';
}

/** Returns the name of the repository that a file is about. */
const repositoryOf = (file: string): string => file.replace(/^.*[/\\]/, '').replace(/\.ya?ml$/i, '');

interface FilteredEntry extends EntryDraft {
  readonly items: readonly FilteredItem[];
}

interface Suborg {
  readonly file: string;
  readonly config: Placed;
  /** The selectors that together select its repositories. */
  readonly selectors: readonly Placed[];
  readonly matches: (repository: string) => boolean;
  /** What it declares, by key. */
  readonly own: ReadonlyMap<string, FilteredItem>;
}

interface Repository {
  readonly name: string;
  readonly own: ReadonlyMap<string, FilteredItem>;
  readonly entry: EntryDraft;
}

export const safeSettings: Format = {
  name: 'safe-settings',
  source: 'settings.yml, suborgs/*.yml and repos/*.yml of the safe-settings app',
  keys: [
    ...appKeys(dialect),
    ...safeSettingsKeys,
    ...rulesetKeys.map((key) => ({ key: `rulesets[].${key}`, policy: `rulesets[*].${key}`, note: 'Of settings.yml' })),
    { key: 'suborgrepos[]', policy: 'repositories[*].select.names[]' },
    { key: 'suborgproperties[].*', policy: 'repositories[*].select.properties.*' },
    { key: 'suborgteams', note: lacksTeams },
    ...externalKeys,
    { key: 'labels.exclude', note: 'No effect: policies keep labels that they do not declare' },
  ],
  read(files, { organization, lose, refuse }) {
    const [first] = files;
    if (organization === undefined) {
      if (first) refuse(first.root, 'does not specify an organization: add --organization ORG');
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
  #creations: readonly Placed[] = [];
  #ofOrganization: readonly FilteredItem[] = [];
  #ofAll: readonly FilteredItem[] = [];

  constructor(organization: string, lose: Lose) {
    this.#organization = organization;
    this.#lose = lose;
  }

  add(level: Level, { file, root }: SourceFile): void {
    const config = this.#withoutExternal(normal(root));
    if (level === 'organization') this.#addOrganization(config, file);
    else if (level === 'suborg') this.#addSuborg(config, file);
    else this.#addRepository(config, file);
  }

  draft(): OrganizationDraft {
    if (!this.#repositories.some(({ entry }) => entry.head[0] === 'create'))
      for (const part of this.#creations) this.#lose(part, 'Policies create only repositories that they name');
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
    const own = readAppSettings(config, dialect, this.#loseOf(file));
    this.#ofOrganization = own.items.filter((item) => isWithin(item, config, 'rulesets'));
    this.#ofAll = own.items.filter((item) => !isWithin(item, config, 'rulesets'));
    this.#creations = [...own.creation.values()];
    this.#base = without(config, ['rulesets']);
  }

  #addSuborg(config: Placed, file: string): void {
    const teams = config.parts.get('suborgteams');
    if (teams && teams.value !== null) this.#lose(teams, lacksTeams);
    const repositories = this.#listIn(config, 'suborgrepos', ({ value }) => typeof value === 'string', 'text');
    const properties = this.#listIn(config, 'suborgproperties', ({ value }) => isObject(value), 'mappings');
    const patterns = repositories.map(({ value }) => String(value));
    const selectors = [
      ...(repositories.length > 0 ? [mappingOf('names', listOf(repositories))] : []),
      ...properties.map((property) => mappingOf('properties', propertyLists(property))),
    ];
    const settings = without(config, suborgKeys);
    if (selectors.length === 0) {
      for (const [, part] of settings.parts)
        this.#lose(part, 'The suborg has no repositories that policies can select');
      return;
    }
    const matchers = patterns.map((pattern) => namePattern(pattern));
    const own = this.#ownOf(this.#base, settings, file);
    this.#suborgs.push({
      file,
      config: settings,
      selectors,
      matches: (name) => matchers.some((matches) => matches(name)),
      own: own.items,
    });
    for (const part of own.creation.values())
      if (part.place.file === file) this.#creations = [...this.#creations, part];
  }

  /** Returns the elements of a list of the kind that it must have. */
  #listIn(config: Placed, key: string, isValid: (element: Placed) => boolean, what: string): readonly Placed[] {
    const list = config.parts.get(key);
    if (!list || list.value === null) return [];
    if (!Array.isArray(list.value)) this.#lose(list, 'must be a list');
    return elements(list).filter((element) => {
      if (!isValid(element)) this.#lose(element, `must be a list of ${what}`);
      return isValid(element);
    });
  }

  #addRepository(config: Placed, file: string): void {
    const name = repositoryOf(file);
    const repository = config.parts.get('repository');
    const base = this.#suborgs
      .filter(({ matches }) => matches(name))
      .reduce<Placed | undefined>((below, suborg) => overlaid(below, suborg.config), this.#base);
    const settings = isObject(repository?.value)
      ? withParts(config, [...config.parts, ['repository', without(repository, ['force_create', 'name', 'org'])]])
      : config;
    const given = textOf(repository ?? config, 'name');
    if (repository && given !== undefined && given.toLowerCase() !== name.toLowerCase())
      this.#lose(repository.parts.get('name') ?? repository, 'Policies do not rename repositories');
    const { items, creation } = this.#ownOf(base, settings, file);
    const forced = repository?.parts.get('force_create');
    const isCreated = forced?.value === true;
    if (forced && typeof forced.value !== 'boolean') this.#lose(forced, 'must be true or false');
    const head = isCreated
      ? this.#creationOf(name, repository ?? config, items, creation)
      : (['select', placedAt({ names: [name] }, config.place)] as const);
    if (!isCreated)
      for (const part of creation.values())
        if (part.place.file === file) this.#lose(part, 'Policies create a repository only with force_create');
    const created = isCreated ? [...items].filter(([key]) => key !== 'settings.visibility') : [...items];
    this.#repositories.push({
      name,
      own: items,
      entry: {
        head,
        isOverride: base !== undefined,
        items: created.map(([, item]) => item).filter(({ only }) => appliesTo(name, only)),
      },
    });
  }

  #creationOf(
    name: string,
    repository: Placed,
    items: ReadonlyMap<string, FilteredItem>,
    creation: ReadonlyMap<string, Placed>,
  ): readonly ['create', Placed] {
    const { place } = repository.parts.get('force_create') ?? repository;
    const template = creation.get('template');
    const inherited = this.#ofAll.find(({ path }) => path.join('.') === 'settings.visibility');
    const visibility = (items.get('settings.visibility') ?? inherited)?.value;
    const others = [...creation].flatMap(([key, part]): [string, Placed][] => {
      if (key === 'template') return [];
      if (template) this.#lose(part, 'cannot be combined with a template');
      return template ? [] : [[key, part]];
    });
    const own = template && typeof template.value === 'string' && !template.value.includes('/');
    const from = own ? { ...template, value: `${this.#organization}/${template.value}` } : template;
    return [
      'create',
      withParts(placedAt({}, place), [
        ['name', placedAt(name, place)],
        ['visibility', visibility ?? placedAt(template ? 'private' : 'public', place)],
        ...(from ? [['template', from] as [string, Placed]] : []),
        ...others,
      ]),
    ];
  }

  /** Returns what a level declares: what its own file has, and what is different with it. */
  #ownOf(
    base: Placed | undefined,
    config: Placed,
    file: string,
  ): { readonly items: ReadonlyMap<string, FilteredItem>; readonly creation: ReadonlyMap<string, Placed> } {
    const before = itemsByKey(base ? readAppSettings(base, dialect, () => undefined).items : []);
    const { items, creation } = readAppSettings(overlaid(base, config), dialect, this.#loseOf(file));
    const declared = items.filter(({ value }) => isFrom(value, file));
    const kept = itemsByKey(declared);
    for (const item of declared) if (kept.get(keyOf(item)) !== item) this.#lose(item.value, 'is declared twice');
    const after = itemsByKey([...items, ...declared]);
    const own = [...after].filter(([key, { path, value }]) => {
      const isDeclared = path[0] !== 'rulesets' && isFrom(value, file);
      return isDeclared || !isDeepStrictEqual(before.get(key)?.value.value, value.value);
    });
    const gone = [...before]
      .filter(([key, { path }]) => path[0] === 'rulesets' && !after.has(key))
      .map(([, { path }]) => path[1]);
    for (const part of unset(base, config)) this.#lose(part, 'Overrides of policies do not take back a value');
    const absent = { path: ['absent', 'rulesets'], value: placedAt(gone, config.place) };
    return { items: new Map(gone.length > 0 ? [...own, ['absent.rulesets', absent]] : own), creation };
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

  /** Returns settings without what stands for the checks of other rulesets, which policies leave alone. */
  #withoutExternal(part: Placed): Placed {
    if (part.parts.size === 0) return part;
    const kept = [...part.parts].filter(([, each]) => !isExternal(each));
    const left = kept.map(([key, each]): [string | number, Placed] => [key, this.#withoutExternal(each)]);
    const whole = withParts(part, Array.isArray(part.value) ? left.map(([, each]) => each).entries() : left);
    const strict = member(whole, 'strict');
    if (strict?.value !== true || !hasOnlyExternalChecks(part)) return whole;
    this.#lose(strict, 'Belongs to the ruleset that has the checks');
    return without(whole, ['strict']);
  }

  /** Returns the losses of a file's own parts: those of the levels below are reported there. */
  #loseOf(file: string): Lose {
    return (part, reason) => {
      if (part.place.file === file) this.#lose(part, reason);
    };
  }
}

const isExternal = (part: Placed): boolean =>
  part.value === externallyDefined || member(part, 'context')?.value === externallyDefined;

const hasOnlyExternalChecks = (required: Placed): boolean => {
  const checks = ['checks', 'contexts'].flatMap((key) => elements(member(required, key)));
  return checks.length > 0 && checks.every(isExternal);
};

/** Returns settings with labels in one form. */
function normal(config: Placed): Placed {
  const labels = config.parts.get('labels');
  if (!labels || !Array.isArray(labels.value)) return config;
  return withParts(config, [...config.parts, ['labels', withParts({ ...labels, value: {} }, [['include', labels]])]]);
}

const isWithin = ({ value }: FilteredItem, config: Placed, section: string): boolean =>
  elements(config.parts.get(section)).some(({ place }) => place === value.place);

const everything = (place: Place = { file: '', line: 1, column: 1 }): Placed => placedAt({ names: ['*'] }, place);

const mappingOf = (key: string, part: Placed): Placed => withParts(placedAt({}, part.place), [[key, part]]);

const listOf = (parts: readonly [Placed, ...Placed[]] | readonly Placed[]): Placed =>
  withParts(placedAt([], parts[0]?.place ?? everything().place), parts.entries());

/** Returns a mapping of properties with a list of values for each. */
const propertyLists = (property: Placed): Placed =>
  withParts(
    property,
    members(property).map(([name, part]) => [
      name,
      Array.isArray(part.value) ? part : placedAt([String(part.value)], part.place),
    ]),
  );

const appliesTo = (
  name: string,
  { include, exclude }: RepositoryFilter = { include: undefined, exclude: [] },
): boolean => (include === undefined || include.includes(name)) && !exclude.includes(name);

/** Returns an entry, and one for each group of parts that only some of its repositories have. */
function narrowed(entry: FilteredEntry): readonly EntryDraft[] {
  const groups = Map.groupBy(entry.items, ({ only }) => JSON.stringify(only));
  return [...groups.values()].map((items): EntryDraft => {
    const [selector, { include, exclude = [] } = {} as Partial<RepositoryFilter>] = [entry.head[1], items[0]?.only];
    const selected = include
      ? withParts(selector, [...selector.parts, ['names', placedAt(include, selector.place)]])
      : selector;
    return { ...entry, head: ['select', excluding(selected, exclude)], items };
  });
}

function excluding(selector: Placed, names: readonly string[]): Placed {
  if (names.length === 0) return selector;
  const selected = selector.parts.get('names')?.value ?? ['*'];
  const all = placedAt([...(selected as readonly string[]), ...names.map((name) => `!${name}`)], selector.place);
  return withParts(selector, [...selector.parts, ['names', all]]);
}

const itemsByKey = (items: readonly FilteredItem[]): ReadonlyMap<string, FilteredItem> =>
  new Map(items.map((item) => [keyOf(item), item]));

const keyOf = ({ path }: FilteredItem): string => path.join('.');

/** Returns what a level sets to null, and the levels below it to something. */
const unset = (base: Placed | undefined, config: Placed): readonly Placed[] =>
  [[base, config] as const, [member(base, 'repository'), member(config, 'repository')] as const].flatMap(
    ([below, over]) =>
      [...(over?.parts ?? [])].flatMap(([key, part]) =>
        part.value === null && (below?.parts.get(key)?.value ?? null) !== null ? [part] : [],
      ),
  );

/** Returns whether any part of a value comes from a file. */
const isFrom = ({ place, parts }: Placed, file: string): boolean =>
  parts.size === 0 ? place.file === file : [...parts.values()].some((part) => isFrom(part, file));
