/** Declares what entries repeat once, as pieces of `define`. */
import { distinctFileNames, slugOf } from '../../../fleet/policy/file-names.ts';
import { type Place, type Placed, withParts } from '../../../fleet/policy/wanted/placed.ts';
import type { FoldedEntry } from './fold.ts';
import { type Item, placedAt } from './source.ts';

/** A part of entries that several repeat. */
export interface Piece {
  readonly name: string;
  readonly content: Placed;
  readonly origins: readonly Place[];
}

interface WithPieces {
  readonly entries: readonly FoldedEntry[];
  readonly pieces: readonly Piece[];
}

/** A repetition before pieces have their names. */
interface Repetition {
  readonly name: string;
  readonly content: Placed;
  readonly origins: readonly Place[];
  /** Replaces the items of an entry that it stands for. */
  readonly take: (items: readonly Item[], piece: string) => readonly Item[];
}

/** Returns entries that use pieces. Names of pieces begin with the organization, as other policies may define their own. */
export function withPieces(entries: readonly FoldedEntry[], organization: string): WithPieces {
  const repetitions = [
    ...repeatedSettings(entries),
    ...repeatedAccess(entries),
    ...repeatedLabels(entries),
    ...repeatedRulesets(entries),
  ];
  const prefix = organization.toLowerCase();
  const names = distinctFileNames(repetitions.map(({ name }) => `${prefix}-${name}`));
  const pieces = repetitions.map(({ content, origins }, at) => ({ name: names[at] ?? '', content, origins }));
  return {
    pieces,
    entries: entries.map((entry) => ({
      ...entry,
      items: repetitions.reduce((items, { take }, at) => take(items, pieces[at]?.name ?? ''), entry.items),
    })),
  };
}

const itemsOf = (entries: readonly FoldedEntry[], section: string): readonly Item[] =>
  entries.flatMap(({ items }) => items.filter(({ path }) => path[0] === section && path.length > 1));

const keyOf = ({ path, value }: Item): string => JSON.stringify([path, value.value]);

const use = (section: string, piece: string, place: Place): Item => ({
  path: [section, `use ${piece}`],
  value: placedAt({ use: piece }, place),
});

/** Returns the access of teams that several entries give. Pieces replace `teams` as a whole. */
function repeatedAccess(entries: readonly FoldedEntry[]): readonly Repetition[] {
  const given = entries.map(({ items }) => items.filter(isOfTeam)).filter(({ length }) => length >= fewestValues);
  const same = [...Map.groupBy(given, (items) => items.map(keyOf).toSorted().join()).values()];
  return same
    .filter(({ length }) => length > 1)
    .map((lists): Repetition => {
      const [items] = lists as [Item[]];
      const { place } = (items[0] as Item).value;
      const teams = withParts(
        placedAt({}, place),
        items.map(({ path, value }) => [path[2] ?? '', value] as const),
      );
      return {
        name: 'access',
        content: withParts(placedAt({}, place), [['teams', teams]]),
        origins: lists.map((each) => (each[0] as Item).value.place),
        take: (own, piece) =>
          own.filter(isOfTeam).length === items.length
            ? replacing(items, (name, at) => ({ path: ['access', 'use'], value: placedAt(name, at) }))(own, piece)
            : own,
      };
    });
}

const isOfTeam = ({ path }: Item): boolean => path[0] === 'access' && path[1] === 'teams';

function repeatedRulesets(entries: readonly FoldedEntry[]): readonly Repetition[] {
  const same = [...Map.groupBy(itemsOf(entries, 'rulesets'), keyOf).values()].filter(({ length }) => length > 1);
  return same.map((items): Repetition => {
    const [first] = items as [Item];
    return {
      name: slugOf(first.path[1] ?? ''),
      content: first.value,
      origins: items.map(({ value }) => value.place),
      take: (own, piece) => own.map((item) => (items.includes(item) ? use('rulesets', piece, item.value.place) : item)),
    };
  });
}

/** Fewer values are as short as the use of a piece. */
const fewestValues = 3;

/** Returns the labels that several entries share: the most, in the most entries, first. */
function repeatedLabels(entries: readonly FoldedEntry[]): readonly Repetition[] {
  return repeatedTogether(entries, 'labels').map(({ items, origins }) => ({
    name: 'labels',
    content: withParts(
      placedAt([], items[0].value.place),
      items.map(({ value }, index) => [index, value] as const),
    ),
    origins,
    take: replacing(items, (piece, place) => use('labels', piece, place)),
  }));
}

/** Returns the settings that several entries share. An entry uses one piece at most. */
function repeatedSettings(entries: readonly FoldedEntry[]): readonly Repetition[] {
  return repeatedTogether(entries, 'settings', 1).map(({ items, origins }) => ({
    name: 'settings',
    content: withParts(
      placedAt({}, items[0].value.place),
      items.map(({ path, value }) => [path[1] ?? '', value] as const),
    ),
    origins,
    take: (own, piece) =>
      own.some(usesSettings)
        ? own
        : replacing(items, (name, place) => ({ path: ['settings', 'use'], value: placedAt(name, place) }))(own, piece),
  }));
}

const usesSettings = ({ path }: Item): boolean => path.join('.') === 'settings.use';

interface Together {
  readonly items: readonly [Item, ...Item[]];
  readonly origins: readonly Place[];
}

/** Returns sets of items that entries have together, of which an entry takes up to `most`. */
function repeatedTogether(
  entries: readonly FoldedEntry[],
  section: string,
  most = Number.POSITIVE_INFINITY,
): readonly Together[] {
  const found: Together[] = [];
  let left = entries.map((entry) => ({
    items: new Map(itemsOf([entry], section).map((item) => [keyOf(item), item])),
    taken: 0,
  }));
  for (;;) {
    const best = mostRepeated(left.filter(({ taken }) => taken < most).map(({ items }) => items));
    if (!best) return found;
    const { items, keys } = best;
    const isTaking = (each: (typeof left)[number]) => each.taken < most && keys.every((key) => each.items.has(key));
    found.push({
      items,
      origins: left.filter(isTaking).map((each) => (each.items.get(keys[0] ?? '') as Item).value.place),
    });
    left = left.map((each) =>
      isTaking(each)
        ? { items: new Map([...each.items].filter(([key]) => !keys.includes(key))), taken: each.taken + 1 }
        : each,
    );
  }
}

/** Returns the items that make the most others superfluous, of those that entries have together. */
function mostRepeated(
  all: readonly ReadonlyMap<string, Item>[],
): { readonly items: Together['items']; readonly keys: readonly string[] } | undefined {
  const frequency = new Map(
    [
      ...Map.groupBy(
        all.flatMap((each) => [...each.keys()]),
        (key) => key,
      ),
    ].map(([key, same]) => [key, same.length]),
  );
  const candidates = new Map(
    all.map((each) => {
      const shared = [...each.keys()].filter((key) => (frequency.get(key) ?? 0) > 1);
      return [shared.toSorted().join(), { each, shared }];
    }),
  );
  const saving = (keys: readonly string[]) =>
    keys.length * (all.filter((each) => keys.every((key) => each.has(key))).length - 1);
  const [best] = [...candidates.values()]
    .filter(({ shared }) => shared.length >= fewestValues)
    .map((candidate) => ({ ...candidate, saved: saving(candidate.shared) }))
    .filter(({ saved }) => saved > 0)
    .toSorted((a, b) => b.saved - a.saved);
  if (!best) return undefined;
  const items = best.shared.map((key) => best.each.get(key) as Item) as unknown as Together['items'];
  return { items, keys: best.shared };
}

/** Returns a function that puts one item in the place of several, if all of them are there. */
const replacing =
  (replaced: readonly Item[], by: (piece: string, place: Place) => Item): Repetition['take'] =>
  (own, piece) => {
    const keys = new Set(replaced.map(keyOf));
    const taken = own.filter((item) => keys.has(keyOf(item)));
    const [first] = taken;
    if (!first || taken.length < keys.size) return own;
    return own.flatMap((item) =>
      item === first ? [by(piece, first.value.place)] : taken.includes(item) ? [] : [item],
    );
  };
