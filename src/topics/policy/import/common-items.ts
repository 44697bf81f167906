/** Finds the items that several entries have in common. */
import type { Place } from '../../../fleet/policy/wanted/placed.ts';
import type { FoldedEntry } from './fold.ts';
import type { Item } from './source.ts';

/** Fewer items are as short as the use of a piece. */
export const fewestItems = 3;

/** Returns the items of a section that has several. */
export const itemsIn = (entries: readonly FoldedEntry[], section: string): readonly Item[] =>
  entries.flatMap(({ items }) => items.filter(({ path }) => path[0] === section && path.length > 1));

/** Returns a key that items with the same place in a policy and the same value share. */
export const itemKey = ({ path, value }: Item): string => JSON.stringify([path, value.value]);

export interface CommonItems {
  readonly items: readonly [Item, ...Item[]];
  readonly origins: readonly Place[];
}

/** Returns sets of items that entries have together, of which an entry takes up to `most`. */
export function commonItems(
  entries: readonly FoldedEntry[],
  section: string,
  most = Number.POSITIVE_INFINITY,
): readonly CommonItems[] {
  const found: CommonItems[] = [];
  let left = entries.map((entry) => ({
    items: new Map(itemsIn([entry], section).map((item) => [itemKey(item), item])),
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
): { readonly items: CommonItems['items']; readonly keys: readonly string[] } | undefined {
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
    .filter(({ shared }) => shared.length >= fewestItems)
    .map((candidate) => ({ ...candidate, saved: saving(candidate.shared) }))
    .filter(({ saved }) => saved > 0)
    .toSorted((a, b) => b.saved - a.saved);
  if (!best) return undefined;
  const items = best.shared.map((key) => best.each.get(key) as Item) as unknown as CommonItems['items'];
  return { items, keys: best.shared };
}
