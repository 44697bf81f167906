/** The selectors of entries, some parts of which only some of the selected repositories have. */
import { elements, members, type Place, type Placed, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText, isObject } from '../../../../../json/exact-json.ts';
import type { FilteredItem, RepositoryFilter } from '../../app-access.ts';
import type { EntryDraft } from '../../model.ts';
import { type Lose, listAt, mappingAt, nowhere, placedAt } from '../../source.ts';
import { lacksTeams } from './table.ts';

export interface FilteredEntry extends EntryDraft {
  readonly items: readonly FilteredItem[];
}

export const everything = (place: Place = nowhere): Placed => placedAt({ names: ['*'] }, place);

/** Returns the selectors that together select the repositories of a suborg. */
export function selectorsOf(suborg: Placed, lose: Lose): readonly Placed[] {
  const teams = suborg.parts.get('suborgteams');
  if (teams && teams.value !== null) lose(teams, lacksTeams);
  const names = listIn(suborg, 'suborgrepos', ({ value }) => typeof value === 'string', 'text', lose);
  const properties = listIn(suborg, 'suborgproperties', hasTexts, 'a mapping of properties to values', lose);
  const [first] = names;
  return [
    ...(first ? [mappingAt(first.place, [['names', listAt(first.place, names)]])] : []),
    ...properties.map((property) => mappingAt(property.place, [['properties', propertyLists(property)]])),
  ];
}

/** Returns the elements of a list of the kind that it must have. */
function listIn(
  suborg: Placed,
  key: string,
  isValid: (element: Placed) => boolean,
  kind: string,
  lose: Lose,
): readonly Placed[] {
  const list = suborg.parts.get(key);
  if (!list || list.value === null) return [];
  if (!Array.isArray(list.value)) lose(list, 'must be a list');
  return elements(list).filter((element) => {
    if (!isValid(element)) lose(element, `must be ${kind}`);
    return isValid(element);
  });
}

const hasTexts = (property: Placed): boolean =>
  isObject(property.value) &&
  property.parts.size > 0 &&
  [...property.parts.values()].every((part) => {
    const values = valuesOf(part);
    return values.length > 0 && values.every(({ value }) => ['string', 'number', 'boolean'].includes(typeof value));
  });

const valuesOf = (part: Placed): readonly Placed[] => (Array.isArray(part.value) ? elements(part) : [part]);

/** Returns a mapping of properties with a list of values for each. */
const propertyLists = (property: Placed): Placed =>
  withParts(
    property,
    members(property).map(([name, part]) => [
      name,
      listAt(
        { ...part.place },
        valuesOf(part).map((each) => ({ ...each, value: asText(each.value) })),
      ),
    ]),
  );

export const appliesTo = (
  name: string,
  { include, exclude }: RepositoryFilter = { include: undefined, exclude: [] },
): boolean => (include === undefined || include.includes(name)) && !exclude.includes(name);

/** Returns an entry, and one for each group of parts that only some of its repositories have. */
export function narrowed(entry: FilteredEntry): readonly EntryDraft[] {
  const groups = Map.groupBy(entry.items, ({ only }) => JSON.stringify(only));
  return [...groups.values()].map((items): EntryDraft => {
    const [selector, { include, exclude = [] } = {} as Partial<RepositoryFilter>] = [entry.head[1], items[0]?.only];
    const selected = include
      ? withParts(selector, [...selector.parts, ['names', placedAt(include, selector.place)]])
      : selector;
    return { ...entry, head: ['select', excluding(selected, exclude)], items };
  });
}

/** Returns a selector of all but some repositories. */
export function excluding(selector: Placed, names: readonly string[]): Placed {
  if (names.length === 0) return selector;
  const selected = selector.parts.get('names')?.value ?? ['*'];
  const all = placedAt([...(selected as readonly string[]), ...names.map((name) => `!${name}`)], selector.place);
  return withParts(selector, [...selector.parts, ['names', all]]);
}
