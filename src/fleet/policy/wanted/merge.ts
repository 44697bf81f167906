/** Builds the policy of each owner from all documents that name it. */
import { asText, isObject } from '../../../json/exact-json.ts';
import type { KindDeclaration } from '../kinds/kind.ts';
import { kindsIn } from '../kinds/lookup.ts';
import type { Section } from '../kinds/names.ts';
import {
  absentOf,
  type Declarations,
  type OwnerPolicy,
  type Policy,
  type RepositoryEntry,
  type Selector,
  wantedOf,
} from './model.ts';
import { elements, member, members, type Place, type Placed, type PolicyProblem, placeText } from './placed.ts';

const kindsOfOwners = kindsIn('organization');
const kindsOfRepositories = kindsIn('repository');

/** Returns the merged policy of documents, and all duplicate declarations. */
export function mergeDocuments(documents: readonly Placed[]): {
  readonly policy: Policy;
  readonly problems: readonly PolicyProblem[];
} {
  const problems: PolicyProblem[] = [];
  const owners = new Map<string, { readonly owner: OwnerPolicy; readonly register: Register }>();
  for (const document of documents) {
    const declared = declarationsOf(document, kindsOfOwners);
    const repositories = elements(member(document, 'repositories')).flatMap(entryOf);
    const named = ownersOf(document, problems);
    const logins = named.map(({ name }) => name);
    for (const owner of named) {
      const key = `${owner.kind} ${owner.name.toLowerCase()}`;
      const known = owners.get(key) ?? { owner, register: new Register(kindsOfOwners, problems) };
      const own = ofOwner(declared, owner.name, logins);
      known.register.add(own);
      const { owner: before, register } = known;
      const both = { ...joined(before, own), repositories: [...before.repositories, ...repositories] };
      owners.set(key, { owner: { ...before, ...both }, register });
    }
    for (const entry of repositories) new Register(kindsOfRepositories, problems).add(entry);
  }
  const sorted = [...owners].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { owner }]) => owner);
  for (const owner of sorted)
    for (const { section, problemsOf } of kindsOfOwners)
      problems.push(...(problemsOf?.(wantedOf(owner, section)) ?? []));
  return { policy: { owners: sorted }, problems: distinct(problems) };
}

/** Documents that share several organizations declare a thing twice for each of them, which is one mistake. */
const distinct = (problems: readonly PolicyProblem[]): readonly PolicyProblem[] => [
  ...new Map(problems.map((problem) => [`${placeText(problem.place)} ${problem.message}`, problem])).values(),
];

/** Returns the declarations without those that belong only to another owner that the document names. */
const ofOwner = (declared: Declarations, owner: string, owners: readonly string[]): Declarations => ({
  ...declared,
  wanted: new Map(
    kindsOfOwners.map((kind) => {
      const all = wantedOf(declared, kind.section);
      return [kind.section, all.filter((each) => kind.belongsTo?.(each, owner, owners) ?? true)];
    }),
  ),
});

const joined = (a: Declarations, b: Declarations): Declarations => ({
  wanted: new Map(
    kindsOfOwners.map(({ section }) => [section, [...wantedOf(a, section), ...wantedOf(b, section)]] as const),
  ),
  absent: [...a.absent, ...b.absent],
  managed: new Map([...b.managed, ...a.managed]),
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
    return earlier
      ? []
      : [{ kind, name: value, place, wanted: new Map(), absent: [], managed: new Map(), repositories: [] }];
  };
  return [
    ...elements(member(document, 'organizations')).flatMap((each) => owner('organization', each)),
    ...(enterprise ? owner('enterprise', enterprise) : []),
  ];
}

type State = 'declared' | 'absent' | 'renamed';

/** What is declared for one owner, or by one entry of `repositories`. */
class Register {
  readonly #seen = new Map<string, { readonly state: State; readonly place: Place }>();
  readonly #kinds: readonly KindDeclaration[];
  readonly #problems: PolicyProblem[];

  constructor(kinds: readonly KindDeclaration[], problems: PolicyProblem[]) {
    this.#kinds = kinds;
    this.#problems = problems;
  }

  add(declarations: Declarations): void {
    for (const kind of this.#kinds) this.#addOf(kind, declarations);
  }

  #addOf(kind: KindDeclaration, declarations: Declarations): void {
    const { section } = kind;
    const managed = declarations.managed.get(section);
    if (managed) this.#note(`manage.${section}`, 'declared', managed);
    for (const each of wantedOf(declarations, section)) {
      const { was, body } = each;
      this.#note(kind.labelOf(each), 'declared', body.place, kind);
      for (const name of was ?? []) this.#note(kind.labelOf({ ...each, name }), 'renamed', body.place, kind);
    }
    for (const each of absentOf(declarations, section)) this.#note(kind.labelOf(each), 'absent', each.place, kind);
  }

  #note(label: string, state: State, place: Place, { ignoresCase }: Pick<KindDeclaration, 'ignoresCase'> = {}): void {
    const key = ignoresCase ? label.toLowerCase() : label;
    const earlier = this.#seen.get(key);
    if (!earlier) {
      this.#seen.set(key, { state, place });
      return;
    }
    this.#problems.push({ place, message: messageOf(label, state, earlier, place) });
  }
}

function messageOf(
  label: string,
  state: State,
  earlier: { readonly state: State; readonly place: Place },
  place: Place,
): string {
  const states = new Set([earlier.state, state]);
  const at = placeText(earlier.place);
  if (states.size === 1) return `${label} is ${state} twice (first at ${at})`;
  if (earlier.place === place) return `${label} cannot be renamed to its own name`;
  return `${label} is both ${[...states].sort().reverse().join(' and ')} (${earlier.state} at ${at})`;
}

const declarationsOf = (owner: Placed, kinds: readonly KindDeclaration[]): Declarations => {
  const [absent, manage] = [member(owner, 'absent'), member(owner, 'manage')];
  return {
    wanted: new Map(
      kinds.map((kind) => {
        const section = member(owner, kind.section);
        return [kind.section, section ? kind.parse(section) : []];
      }),
    ),
    absent: kinds.flatMap((kind) => {
      const section = member(absent, kind.section);
      return section ? kind.parseAbsent(section) : [];
    }),
    managed: extentsIn(manage, kinds, 'all'),
  };
};

/** Returns the manageable kinds with an extent, with its position. */
const extentsIn = (
  manage: Placed | undefined,
  kinds: readonly KindDeclaration[],
  value: 'all' | 'declared',
): ReadonlyMap<Section, Place> =>
  new Map(
    kinds.flatMap(({ section, isManageable }): [Section, Place][] => {
      const extent = isManageable ? member(manage, section) : undefined;
      return extent?.value === value ? [[section, extent.place]] : [];
    }),
  );

const textsOf = (list: Placed | undefined): readonly string[] | undefined =>
  list && Array.isArray(list.value) ? list.value.filter((each): each is string => typeof each === 'string') : undefined;

function entryOf(entry: Placed): RepositoryEntry[] {
  const selected = selectionOf(entry);
  if (!selected) return [];
  const declared = declarationsOf(entry, kindsOfRepositories);
  const overriding = {
    override: true,
    unmanaged: extentsIn(member(entry, 'manage'), kindsOfRepositories, 'declared'),
  } as const;
  const overrides = member(entry, 'override')?.value === true;
  return [{ ...declared, ...selected, place: entry.place, ...(overrides && overriding) }];
}

/** Returns which repositories an entry selects: those of a selector, or the one that it creates. */
function selectionOf(entry: Placed): Pick<RepositoryEntry, 'select' | 'creates'> | undefined {
  const select = member(entry, 'select');
  if (select && isObject(select.value)) return { select: selectorOf(select) };
  const create = member(entry, 'create');
  const name = member(create, 'name');
  if (!create || typeof name?.value !== 'string') return undefined;
  const { value, place } = name;
  const names = { value: [value], place, parts: new Map([[0, name]]) };
  const byName = { value: { names: [value] }, place: create.place, parts: new Map([['names', names]]) };
  return { select: selectorOf(byName), creates: value };
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
  const [least = Number.NaN, most = least] = asText(value).split('..').map(Number);
  return Number.isNaN(least + most) ? undefined : { least, most, place };
}
