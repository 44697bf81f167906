/** Makes entries of repositories read like those of a person: what all repositories share is declared once. */
import type { Place, Placed } from '../../../fleet/policy/wanted/placed.ts';
import { asText } from '../../../json/exact-json.ts';
import { listSections } from './draft.ts';
import type { EntryDraft } from './model.ts';
import { type Item, listAt, mappingAt, nowhere, placedAt } from './source.ts';

/** An entry with the positions that it comes from. */
export interface FoldedEntry extends EntryDraft {
  readonly origins: readonly Place[];
}

/** Sections of which a value may apply to all repositories. Access is only given to those that the source names. */
const sharedSections: readonly string[] = ['settings', 'alerts', 'labels', 'rulesets', 'properties'];

/**
 * Returns entries that together declare the same: values that all repositories have are those of one entry for all, and
 * entries with other values override it. Repositories with the same entry share one.
 */
export function folded(entries: readonly EntryDraft[]): readonly FoldedEntry[] {
  const each = entries.map((entry): FoldedEntry => ({ ...entry, origins: [entry.head[1].place] }));
  // Selectors of sources that have several levels are kept as they are.
  if (!entries.every((entry) => !entry.isOverride && nameOf(entry) !== undefined)) return each;
  const shared = sharedItems(entries);
  for (const [key, { item }] of shared) if (!shared.has(companionOf(item) ?? key)) shared.delete(key);
  if (shared.size === 0) return grouped(each);
  const rest = each.flatMap((entry): readonly FoldedEntry[] => {
    const own = entry.items.filter((item) => !isSame(item, shared.get(keyOf(item))?.item));
    const companions = new Set(own.flatMap((item) => companionOf(item) ?? []));
    const items = entry.items.filter((item) => own.includes(item) || companions.has(keyOf(item)));
    const isEmpty = items.length === 0 && entry.head[1].comment === undefined;
    if (isEmpty && entry.head[0] === 'select') return [];
    return [{ ...entry, items, isOverride: items.some((item) => shared.has(keyOf(item))) }];
  });
  return [entryOfAll([...shared.values()]), ...grouped(rest)];
}

/** Returns the name of the only repository that an entry selects or creates. */
function nameOf({ head: [kind, head] }: EntryDraft): string | undefined {
  if (kind === 'create') return asText(head.parts.get('name')?.value);
  const names = head.parts.get('names')?.value;
  return head.parts.size === 1 && Array.isArray(names) && names.length === 1 ? asText(names[0]) : undefined;
}

const keyOf = ({ path }: Item): string => JSON.stringify(path).toLowerCase();

/** Returns the key of the setting that must be declared with another one: a commit message requires its title. */
function companionOf({ path: [section, field] }: Item): string | undefined {
  const title = field?.replace(/_message$/, '_title');
  return section === 'settings' && title !== field ? JSON.stringify([section, title]) : undefined;
}

const textOf = ({ value }: Item): string => JSON.stringify(value.value);

const isSame = (item: Item, other: Item | undefined): boolean => other !== undefined && textOf(item) === textOf(other);

const isArchived = ({ items }: EntryDraft): boolean =>
  items.some(({ path, value }) => path.join('.') === 'settings.archived' && value.value === true);

interface SharedItem {
  readonly item: Item;
  readonly origins: readonly Place[];
}

/**
 * Returns the values that more than half of the repositories have of what all of them declare, by key. Archived repositories
 * do not count: they are skipped.
 */
function sharedItems(entries: readonly EntryDraft[]): Map<string, SharedItem> {
  const active = entries.filter((entry) => !isArchived(entry));
  const all = Map.groupBy(
    active.flatMap(({ items }) => items.filter(({ path }) => sharedSections.includes(path[0] ?? ''))),
    keyOf,
  );
  const everywhere = Map.groupBy(
    entries.flatMap(({ items }) => items),
    keyOf,
  );
  return new Map(
    [...all].flatMap(([key, items]): [string, SharedItem][] => {
      const [most = []] = [...Map.groupBy(items, textOf).values()].toSorted((a, b) => b.length - a.length);
      const [item] = most;
      if (!item || active.length < 2 || items.length < active.length || most.length * 2 <= items.length) return [];
      if (!(everywhere.get(key) ?? []).every((other) => canOverride(other, item))) return [];
      return [[key, { item, origins: most.map(({ value }) => value.place) }]];
    }),
  );
}

/** Returns whether a value replaces all of another one: of an object, an override cannot remove a field. */
const canOverride = (over: Item, base: Item): boolean =>
  isSame(over, base) ||
  !listSections.includes(base.path[0] ?? '') ||
  [...base.value.parts.keys()].every((field) => over.value.parts.has(field));

function entryOfAll(shared: readonly SharedItem[]): FoldedEntry {
  const origins = shared.flatMap((each) => each.origins);
  const [place = nowhere] = origins;
  return {
    head: ['select', placedAt({ names: ['*'] }, place)],
    isOverride: false,
    items: shared.map(({ item }) => item),
    origins,
  };
}

/** Returns entries of which one selects all repositories with the same content. */
function grouped(entries: readonly FoldedEntry[]): readonly FoldedEntry[] {
  const groups = Map.groupBy(entries, (entry) =>
    entry.head[0] === 'create'
      ? entry
      : JSON.stringify([
          entry.isOverride,
          entry.head[1].comment,
          entry.items.map((item) => [keyOf(item), textOf(item)]).toSorted(),
        ]),
  );
  return [...groups.values()].map((same) => {
    const [first, ...others] = same as [FoldedEntry, ...FoldedEntry[]];
    if (others.length === 0) return first;
    const { place, comment } = first.head[1];
    const names = same.map(({ head }) => head[1].parts.get('names')?.parts.get(0) as Placed);
    const head = { ...mappingAt(place, [['names', listAt(place, names)]]), comment };
    return { ...first, head: ['select', head], origins: same.flatMap(({ origins }) => origins) };
  });
}
