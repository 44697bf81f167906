/** What a format makes of its sources, as a document, and what policies reject of it. */
import { checkDocument } from '../../../fleet/policy/wanted/check.ts';
import { mergeDocuments } from '../../../fleet/policy/wanted/merge.ts';
import { Pieces } from '../../../fleet/policy/wanted/pieces.ts';
import { type Place, type Placed, type PolicyProblem, withParts } from '../../../fleet/policy/wanted/placed.ts';
import type { EntryDraft, OrganizationDraft } from './model.ts';
import { withOwnEarlierNames } from './renames.ts';
import { type Item, type Lose, listAt, mappingAt, nowhere, placedAt } from './source.ts';

/** Sections that are lists of objects, each with a name. */
export const listSections: readonly string[] = ['teams', 'property_schema', 'labels', 'rulesets'];

/** Returns a draft as a document, whose values have the positions of the sources. */
export function documentOf({ organization, place, items, entries }: OrganizationDraft): Placed {
  const repositories = entries.map(({ head: [key, value], isOverride, items: own }) =>
    mappingAt(value.place, [
      [key, value],
      ...(isOverride ? [['override', placedAt(true, value.place)] as const] : []),
      ...sectionsOf(own),
    ]),
  );
  return mappingAt(nowhere, [
    ['organizations', placedAt([organization], place)],
    ...sectionsOf(items),
    ...(repositories.length > 0 ? [['repositories', listAt(nowhere, repositories)] as const] : []),
  ]);
}

type Member = readonly [string, Placed];

/** Returns the sections of items, in the order in which each first occurs. */
export function sectionsOf(items: readonly Item[]): readonly Member[] {
  const sections = Map.groupBy(items, ({ path }) => path[0] ?? '');
  return [...sections].map(([section, own]): Member => {
    const { place } = (own[0] as Item).value;
    if (!listSections.includes(section))
      return [section, nested((section === 'absent' ? listed(own) : own).map(inner))];
    return [
      section,
      listAt(
        place,
        own.map(({ value }) => value),
      ),
    ];
  });
}

const inner = ({ path, value }: Item): Item => ({ path: path.slice(1), value });

/** Returns items of `absent` in which those who lose their access are lists. */
const listed = (items: readonly Item[]): readonly Item[] =>
  [...Map.groupBy(items, ({ path }) => JSON.stringify(path.slice(0, 3))).values()].flatMap((same): readonly Item[] => {
    const [{ path, value }] = same as [Item];
    if (path.length < 4) return same;
    const all = same.map((item) => item.value);
    return [{ path: path.slice(0, 3), value: listAt(value.place, all) }];
  });

/** Returns the value at the path of items. */
function nested(items: readonly Item[]): Placed {
  const [first] = items as [Item];
  if (first.path.length === 0) return first.value;
  const groups = Map.groupBy(items, ({ path }) => path[0] ?? '');
  return mappingAt(
    first.value.place,
    [...groups].map(([key, own]) => [key, nested(own.map(inner))]),
  );
}

/**
 * Returns a draft without what policies reject, which is reported as lost: what is declared twice, and values that the
 * platform does not accept. `refuse` receives the problems of anything else.
 */
export function acceptedDraft(
  draft: OrganizationDraft,
  lose: Lose,
  refuse: (problem: PolicyProblem) => void,
): OrganizationDraft {
  const possible = withoutRefusedProjects(draft, lose);
  let accepted = withItems(possible, (items) => withOwnEarlierNames(distinct(items, lose), lose));
  for (;;) {
    const problems = problemsOf(documentOf(accepted));
    if (problems.length === 0) return accepted;
    const rejected = new Rejected(problems, lose);
    accepted = rejected.leavesOfDraft(accepted);
    if (rejected.isNothing) {
      problems.forEach(refuse);
      return accepted;
    }
  }
}

/**
 * Returns a draft without projects that the platform refuses. Create an organization repository: in an organization with
 * disabled repository projects, “if you pass `true`, the API returns an error”.
 */
function withoutRefusedProjects(draft: OrganizationDraft, lose: Lose): OrganizationDraft {
  const declares = ({ path, value }: Item, field: string, wanted: boolean) =>
    path.join('.') === `settings.${field}` && value.value === wanted;
  if (!draft.items.some((item) => declares(item, 'has_repository_projects', false))) return draft;
  const isPossible = (item: Item) => {
    const isRefused = declares(item, 'has_projects', true);
    if (isRefused)
      lose(item.value, 'The platform rejects projects if has_repository_projects of the organization is false');
    return !isRefused;
  };
  return { ...draft, entries: draft.entries.map((entry) => ({ ...entry, items: entry.items.filter(isPossible) })) };
}

function problemsOf(document: Placed): readonly PolicyProblem[] {
  const { document: whole, problems } = checkDocument(document, { allowsUnknown: false, pieces: new Pieces() });
  return problems.length > 0 ? problems : mergeDocuments(whole ? [whole] : []).problems;
}

const withItems = (
  draft: OrganizationDraft,
  change: (items: readonly Item[]) => readonly Item[],
): OrganizationDraft => ({
  ...draft,
  items: change(draft.items),
  entries: draft.entries.map((entry) => ({ ...entry, items: change(entry.items) })),
});

/** Returns items without those whose place in the policy an earlier one has. Policies ignore the case of names. */
function distinct(items: readonly Item[], lose: Lose): readonly Item[] {
  const known = new Set<string>();
  return items.filter(({ path, value }) => {
    const key = JSON.stringify(path).toLowerCase();
    const isNew = !known.has(key);
    if (!isNew) lose(value, 'is declared twice');
    known.add(key);
    return isNew;
  });
}

/** The problems of a document, which name positions in the sources. */
class Rejected {
  readonly #messages: ReadonlyMap<Place, string>;
  readonly #lose: Lose;
  isNothing = true;

  constructor(problems: readonly PolicyProblem[], lose: Lose) {
    this.#messages = new Map(
      problems.map(({ place, message }) => [place, message.replace(/^repositories\[\d+\]\./, '')]),
    );
    this.#lose = lose;
  }

  /** Returns what is left of a draft: an entry whose name is rejected has nothing left. */
  leavesOfDraft(draft: OrganizationDraft): OrganizationDraft {
    const items = (all: readonly Item[]) => all.flatMap((item) => this.leaves(item));
    const entries = draft.entries.flatMap((entry): EntryDraft[] => {
      const [key, head] = entry.head;
      const left = this.#left(head);
      if (left) return [{ ...entry, head: [key, { ...left, comment: head.comment }], items: items(entry.items) }];
      for (const { value } of entry.items) this.#lose(value, 'The entry has no valid name');
      return [];
    });
    return { ...draft, items: items(draft.items), entries };
  }

  /** Returns what is left of an item without its rejected parts. */
  leaves(item: Item): readonly Item[] {
    const left = this.#left(item.value);
    return left ? [left === item.value ? item : { ...item, value: left }] : [];
  }

  /** Returns what is left of a value: of a list the other elements, and of a mapping the other members, unless its name is rejected. */
  #left(part: Placed): Placed | undefined {
    const message = this.#messages.get(part.place);
    if (message !== undefined) {
      this.isNothing = false;
      this.#lose(part, message);
      return undefined;
    }
    const each = [...part.parts].map(([key, inner]) => [key, this.#left(inner)] as const);
    if (each.every(([key, inner]) => inner === part.parts.get(key))) return part;
    if (each.some(([key, inner]) => key === 'name' && !inner)) {
      this.#lose(part, 'must have a valid name');
      return undefined;
    }
    const left = each.flatMap(([key, inner]) => (inner ? [[key, inner] as const] : []));
    return withParts(part, Array.isArray(part.value) ? left.map(([, inner], at) => [at, inner] as const) : left);
  }
}
