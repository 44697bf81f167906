/** Teams and people, which several tools declare alike. */
import { elements, type Placed, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { type Item, mappingAt, placedAt } from './source.ts';

/** Keys of teams in the order of the documents. */
const teamKeys = ['was', 'description', 'privacy', 'parent', 'maintainers', 'members'];

/** Returns a team with its members by key. */
export function teamItem(name: string, { place }: Placed, body: ReadonlyMap<string, Placed>): Item {
  const members = teamKeys.flatMap((key): [string, Placed][] => {
    const part = body.get(key);
    return part ? [[key, part]] : [];
  });
  return {
    path: ['teams', name],
    value: mappingAt(place, [['name', placedAt(name, place)], ...members]),
  };
}

/** Returns a list of logins, each once; those with digits alone may be numbers. */
export function logins(list: Placed): Placed {
  if (!Array.isArray(list.value)) return list;
  const byLogin = new Map(
    // Of several spellings, the first counts.
    elements(list)
      .toReversed()
      .map((each) => {
        const login = typeof each.value === 'number' ? { ...each, value: String(each.value) } : each;
        return [typeof login.value === 'string' ? login.value.toLowerCase() : each, login] as const;
      }),
  );
  return withParts(list, [...byLogin.values()].toReversed().entries());
}
