/** Declares what entries repeat once, as pieces of `define`. */
import { distinctFileNames, slugOf } from '../../../fleet/policy/file-names.ts';
import type { Place, Placed } from '../../../fleet/policy/wanted/placed.ts';
import { commonItems, fewestItems, itemKey, itemsIn } from './common-items.ts';
import type { FoldedEntry } from './fold.ts';
import { type Item, listAt, mappingAt, placedAt } from './source.ts';

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

const use = (section: string, piece: string, place: Place): Item => ({
  path: [section, `use ${piece}`],
  value: placedAt({ use: piece }, place),
});

/** Returns the access of teams that several entries give. Pieces replace `teams` as a whole. */
function repeatedAccess(entries: readonly FoldedEntry[]): readonly Repetition[] {
  const given = entries.map(({ items }) => items.filter(isOfTeam)).filter(({ length }) => length >= fewestItems);
  const same = [...Map.groupBy(given, (items) => items.map(itemKey).toSorted().join()).values()];
  return same
    .filter(({ length }) => length > 1)
    .map((lists): Repetition => {
      const [items] = lists as [Item[]];
      const { place } = (items[0] as Item).value;
      const teams = mappingAt(
        place,
        items.map(({ path, value }) => [path[2] ?? '', value] as const),
      );
      return {
        name: 'access',
        content: mappingAt(place, [['teams', teams]]),
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
  const same = [...Map.groupBy(itemsIn(entries, 'rulesets'), itemKey).values()].filter(({ length }) => length > 1);
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

/** Returns the labels that several entries share: the most, in the most entries, first. */
function repeatedLabels(entries: readonly FoldedEntry[]): readonly Repetition[] {
  return commonItems(entries, 'labels').map(({ items, origins }) => ({
    name: 'labels',
    content: listAt(
      items[0].value.place,
      items.map(({ value }) => value),
    ),
    origins,
    take: replacing(items, (piece, place) => use('labels', piece, place)),
  }));
}

/** Returns the settings that several entries share. An entry uses one piece at most. */
function repeatedSettings(entries: readonly FoldedEntry[]): readonly Repetition[] {
  return commonItems(entries, 'settings', 1).map(({ items, origins }) => ({
    name: 'settings',
    content: mappingAt(
      items[0].value.place,
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

/** Returns a function that puts one item in the place of several, if all of them are there. */
const replacing =
  (replaced: readonly Item[], by: (piece: string, place: Place) => Item): Repetition['take'] =>
  (own, piece) => {
    const keys = new Set(replaced.map(itemKey));
    const taken = own.filter((item) => keys.has(itemKey(item)));
    const [first] = taken;
    if (!first || taken.length < keys.size) return own;
    return own.flatMap((item) =>
      item === first ? [by(piece, first.value.place)] : taken.includes(item) ? [] : [item],
    );
  };
