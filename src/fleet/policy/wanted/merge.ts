/** Builds the policy of each owner from all documents that name it. */
import { isObject } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import {
  type Absent,
  type BudgetKey,
  budgetName,
  type ManagedKind,
  managedKinds,
  type OwnerPolicy,
  type Policy,
  type RepositoryEntry,
  registryName,
  type Selector,
  type WantedBudget,
  type WantedHook,
  type WantedRegistry,
  type WantedRuleset,
} from './model.ts';
import { elements, member, type Place, type Placed, type PolicyProblem, placeText, without } from './placed.ts';

type Section = Omit<OwnerPolicy, 'kind' | 'name' | 'place'>;

/** Returns the merged policy of documents, and all duplicate declarations. */
export function mergeDocuments(documents: readonly Placed[]): {
  readonly policy: Policy;
  readonly problems: readonly PolicyProblem[];
} {
  const problems: PolicyProblem[] = [];
  const owners = new Map<string, { readonly owner: OwnerPolicy; readonly declarations: Declarations }>();
  for (const document of documents) {
    const section = sectionOf(document);
    const named = ownersOf(document, problems);
    for (const owner of named) {
      const key = `${owner.kind} ${owner.name.toLowerCase()}`;
      const { owner: before, declarations } = owners.get(key) ?? { owner, declarations: new Declarations(problems) };
      const own = { ...section, budgets: section.budgets.filter(({ key }) => isOfOwner(key, owner, named)) };
      declarations.add(own);
      owners.set(key, { owner: { ...before, ...joined(before, own) }, declarations });
    }
    for (const entry of section.repositories) new Declarations(problems).add(entry);
  }
  const sorted = [...owners].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { owner }]) => owner);
  return { policy: { owners: sorted }, problems: distinct(problems) };
}

/** Documents that share several organizations declare a thing twice for each of them, which is one mistake. */
const distinct = (problems: readonly PolicyProblem[]): readonly PolicyProblem[] => [
  ...new Map(problems.map((problem) => [`${placeText(problem.place)} ${problem.message}`, problem])).values(),
];

/** A budget that names one of a document's organizations, or a repository of it, is a budget of that one only. */
function isOfOwner(budget: BudgetKey, { name }: OwnerPolicy, owners: readonly OwnerPolicy[]): boolean {
  if (budget.budget_scope !== 'organization' && budget.budget_scope !== 'repository') return true;
  const login = budget.budget_entity_name.split('/', 1)[0]?.toLowerCase();
  return login === name.toLowerCase() || !owners.some((owner) => owner.name.toLowerCase() === login);
}

const emptySection: Section = {
  settings: new Map(),
  rulesets: [],
  registries: [],
  budgets: [],
  hooks: [],
  absent: [],
  managed: new Map(),
  repositories: [],
};

const joined = (a: Section, b: Section): Section => ({
  settings: new Map([...b.settings, ...a.settings]),
  rulesets: [...a.rulesets, ...b.rulesets],
  registries: [...a.registries, ...b.registries],
  budgets: [...a.budgets, ...b.budgets],
  hooks: [...a.hooks, ...b.hooks],
  absent: [...a.absent, ...b.absent],
  managed: new Map([...b.managed, ...a.managed]),
  repositories: [...a.repositories, ...b.repositories],
});

function ownersOf(document: Placed, problems: PolicyProblem[]): OwnerPolicy[] {
  const enterprise = member(document, 'enterprise');
  const seen = new Map<string, Place>();
  const owner = (kind: OwnerPolicy['kind'], { value, place }: Placed): OwnerPolicy[] => {
    if (typeof value !== 'string') return [];
    const earlier = seen.get(value.toLowerCase());
    if (earlier)
      problems.push({ place, message: `organization ${value} is named twice (first at ${placeText(earlier)})` });
    seen.set(value.toLowerCase(), place);
    return earlier ? [] : [{ ...emptySection, kind, name: value, place }];
  };
  return [
    ...elements(member(document, 'organizations')).flatMap((each) => owner('organization', each)),
    ...(enterprise ? owner('enterprise', enterprise) : []),
  ];
}

type State = 'declared' | 'absent' | 'renamed';

/** What is declared for one owner, or by one entry of `repositories`. */
class Declarations {
  readonly #seen = new Map<string, { readonly state: State; readonly place: Place }>();
  readonly #problems: PolicyProblem[];

  constructor(problems: PolicyProblem[]) {
    this.#problems = problems;
  }

  add(section: Omit<Partial<Section>, 'absent'> & Pick<RepositoryEntry, 'absent'>): void {
    const { settings = [], rulesets = [], registries = [], budgets = [], hooks = [], managed = [] } = section;
    for (const [name, { place }] of settings) this.#note(`settings.${name}`, 'declared', place);
    for (const [kind, place] of managed) this.#note(`manage.${kind}`, 'declared', place);
    for (const { name, was, body } of rulesets) {
      this.#note(rulesetLabel(name), 'declared', body.place);
      if (was !== undefined) this.#note(rulesetLabel(was), 'renamed', body.place);
    }
    for (const registry of registries) this.#note(registryLabel(registry), 'declared', registry.body.place);
    for (const { key, body } of budgets) this.#note(budgetLabel(key), 'declared', body.place);
    for (const { name, body } of hooks) this.#note(`hook “${name.toLowerCase()}”`, 'declared', body.place);
    for (const absent of section.absent) this.#note(absentLabel(absent), 'absent', absent.place);
  }

  #note(label: string, state: State, place: Place): void {
    // The names in the key of a budget ignore case.
    const key = label.startsWith('budget ') ? label.toLowerCase() : label;
    const earlier = this.#seen.get(key);
    if (!earlier) {
      this.#seen.set(key, { state, place });
      return;
    }
    const states = new Set([earlier.state, state]);
    const message =
      states.size === 1
        ? `${label} is ${state === 'declared' ? 'declared' : `${state}`} twice (first at ${placeText(earlier.place)})`
        : `${label} is both ${[...states].sort().reverse().join(' and ')} (${earlier.state} at ${placeText(earlier.place)})`;
    this.#problems.push({ place, message });
  }
}

const rulesetLabel = (name: string) => `ruleset “${name}”`;

const registryLabel = (key: Parameters<typeof registryName>[0]) => `registry ${registryName(key)}`;

const budgetLabel = (key: BudgetKey) => `budget ${budgetName(key)}`;

function absentLabel(absent: Absent): string {
  if (absent.kind === 'rulesets') return rulesetLabel(absent.name);
  return absent.kind === 'registries' ? registryLabel(absent) : budgetLabel(absent.key);
}

function sectionOf(document: Placed): Section {
  return {
    ...commonOf(document),
    registries: elements(member(document, 'registries')).flatMap(registryOf),
    budgets: elements(member(document, 'budgets')).flatMap(budgetOf),
    repositories: elements(member(document, 'repositories')).flatMap(entryOf),
  };
}

type Common = Pick<Section, 'settings' | 'rulesets' | 'hooks' | 'absent' | 'managed'>;

/** Returns what organizations and entries of `repositories` have in common. */
const commonOf = (owner: Placed): Common => ({
  settings: new Map(members(member(owner, 'settings'))),
  rulesets: elements(member(owner, 'rulesets')).flatMap(rulesetOf),
  hooks: elements(member(owner, 'hooks')).flatMap(hookOf),
  absent: absentOf(member(owner, 'absent')),
  managed: managedOf(member(owner, 'manage')),
});

const members = (mapping: Placed | undefined): [string, Placed][] =>
  mapping && isObject(mapping.value) ? [...mapping.parts].map(([name, part]) => [String(name), part]) : [];

const textOf = (mapping: Placed | undefined, name: string): string | undefined => {
  const value = member(mapping, name)?.value;
  return typeof value === 'string' ? value : undefined;
};

const textsOf = (list: Placed | undefined): readonly string[] | undefined =>
  list && Array.isArray(list.value) ? list.value.filter((each): each is string => typeof each === 'string') : undefined;

function rulesetOf(ruleset: Placed): WantedRuleset[] {
  const name = textOf(ruleset, 'name');
  if (name === undefined) return [];
  return [{ name, was: textOf(ruleset, 'was'), body: without<Given>(ruleset, ['was']) }];
}

function registryOf(registry: Placed): WantedRegistry[] {
  const registryType = textOf(registry, 'registry_type');
  const url = textOf(registry, 'url');
  if (registryType === undefined || url === undefined) return [];
  const body = without<Given>(registry, ['name', 'repositories', 'secret']);
  const repositories = member(registry, 'repositories') as Placed<readonly string[]> | undefined;
  const secret = member(registry, 'secret');
  const [[source, where] = []] = Object.entries(isObject(secret?.value) ? secret.value : {});
  const place = secret?.place ?? registry.place;
  return [
    {
      registryType,
      url,
      name: textOf(registry, 'name'),
      body,
      repositories,
      secret:
        source === undefined
          ? undefined
          : source === 'env'
            ? { env: String(where), place }
            : { file: String(where), place },
    },
  ];
}

const keyOf = (budget: Placed): BudgetKey => ({
  budget_scope: textOf(budget, 'budget_scope') ?? '',
  budget_entity_name: textOf(budget, 'budget_entity_name') ?? '',
  budget_type: textOf(budget, 'budget_type') ?? '',
  budget_product_sku: textOf(budget, 'budget_product_sku') ?? '',
  user: textOf(budget, 'user') ?? '',
});

const budgetOf = (budget: Placed): WantedBudget[] =>
  isObject(budget.value) ? [{ key: keyOf(budget), body: budget as Placed<Given> }] : [];

function hookOf(hook: Placed): WantedHook[] {
  const name = textOf(hook, 'name');
  if (name === undefined) return [];
  const inherits = textOf(hook, 'enforcement') === 'inherit';
  return [{ name, inherits, body: without<Given>(hook, inherits ? ['name', 'enforcement'] : ['name']) }];
}

function absentOf(absent: Placed | undefined): Absent[] {
  const rulesets = elements(member(absent, 'rulesets')).flatMap(({ value, place }): Absent[] =>
    typeof value === 'string' ? [{ kind: 'rulesets', name: value, place }] : [],
  );
  const registries = elements(member(absent, 'registries')).flatMap(registryOf);
  const budgets = elements(member(absent, 'budgets')).flatMap(budgetOf);
  return [
    ...rulesets,
    ...registries.map(
      ({ registryType, url, name, body: { place } }): Absent => ({
        kind: 'registries',
        registryType,
        url,
        name,
        place,
      }),
    ),
    ...budgets.map(({ key, body: { place } }): Absent => ({ kind: 'budgets', key, place })),
  ];
}

const managedOf = (manage: Placed | undefined): ReadonlyMap<ManagedKind, Place> =>
  new Map(
    managedKinds.flatMap((kind): [ManagedKind, Place][] => {
      const extent = member(manage, kind);
      return extent?.value === 'all' ? [[kind, extent.place]] : [];
    }),
  );

function entryOf(entry: Placed): RepositoryEntry[] {
  const select = member(entry, 'select');
  if (!select || !isObject(select.value)) return [];
  const properties = new Map(members(member(entry, 'properties')));
  return [
    {
      ...commonOf(entry),
      place: entry.place,
      select: selectorOf(select),
      properties: properties as RepositoryEntry['properties'],
    },
  ];
}

function selectorOf(select: Placed): Selector {
  const names = member(select, 'names');
  const properties = member(select, 'properties');
  const where = member(select, 'where');
  const expect = member(select, 'expect');
  return {
    place: select.place,
    names: names && elements(names).filter((each): each is Placed<string> => typeof each.value === 'string'),
    visibility: textsOf(member(select, 'visibility')),
    archived: member(select, 'archived')?.value === true,
    topics: textsOf(member(select, 'topics')),
    properties:
      properties &&
      new Map(
        members(properties).map(([name, values]) => [name, { place: values.place, values: textsOf(values) ?? [] }]),
      ),
    where: typeof where?.value === 'string' ? (where as Placed<string>) : undefined,
    expect: expect && rangeOf(expect),
  };
}

function rangeOf({ value, place }: Placed): Selector['expect'] {
  const [least = Number.NaN, most = least] = String(value).split('..').map(Number);
  return Number.isNaN(least + most) ? undefined : { least, most, place };
}
