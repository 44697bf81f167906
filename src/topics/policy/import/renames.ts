/** The earlier names of objects, each of which can belong to one object. */
import { slugOfTeam } from '../../../fleet/policy/kinds/people/team-names.ts';
import { elements, member, type Placed, without, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { type Item, type Lose, listAt } from './source.ts';

/** Sections whose objects can be renamed, with the word for an object. */
const nouns: Readonly<Record<string, string>> = { teams: 'team', labels: 'label', rulesets: 'ruleset' };

/** Returns items whose objects have the earlier names that no other object has, and no object before them. */
export function withOwnEarlierNames(items: readonly Item[], lose: Lose): readonly Item[] {
  const declared = new Set(items.filter(isNamed).map(({ path: [section = '', name = ''] }) => keyOf(section, name)));
  const earlier = new Set<string>();
  return items.map((item) => {
    const [section = ''] = item.path;
    const was = isNamed(item) ? member(item.value, 'was') : undefined;
    if (!was) return item;
    const names = Array.isArray(was.value) ? elements(was) : [was];
    const own = new Set<string>();
    const kept = names.filter((name) => {
      if (typeof name.value !== 'string') {
        lose(name, 'An earlier name must be text');
        return false;
      }
      const key = keyOf(section, name.value);
      const isTaken = declared.has(key) || earlier.has(key);
      if (isTaken)
        lose(name, `Another ${nouns[section]} ${declared.has(key) ? 'has this name' : 'also has this earlier name'}`);
      const isNew = !own.has(key);
      own.add(key);
      return isNew && !isTaken;
    });
    for (const key of own) earlier.add(key);
    return { ...item, value: withEarlierNames(item.value, kept) };
  });
}

/** Returns an object with its earlier names: a name, or a list of several. */
export function withEarlierNames(object: Placed, names: readonly Placed[]): Placed {
  const [first, ...others] = names;
  if (!first) return without(object, ['was']);
  const was = others.length > 0 ? listAt({ ...first.place }, names) : first;
  const name = [...object.parts].filter(([key]) => key === 'name');
  return withParts(object, [...name, ['was', was], ...without(object, ['was']).parts]);
}

const isNamed = ({ path: [section = '', name] }: Item): boolean => section in nouns && name !== undefined;

/** Labels ignore case, and teams are identified by their slugs. */
const keyOf = (section: string, name: string): string => {
  const key = section === 'teams' ? slugOfTeam(name) : section === 'labels' ? name.toLowerCase() : name;
  return JSON.stringify([section, key]);
};
