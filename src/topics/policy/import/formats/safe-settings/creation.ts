/** Repositories that safe-settings creates. */
import type { Place, Placed } from '../../../../../fleet/policy/wanted/placed.ts';
import { creationMembers } from '../../creation.ts';
import { type Lose, mappingAt, placedAt } from '../../source.ts';

/**
 * Returns a creation as policies have it.
 *
 * @param creation what it has, by key of `create`; a template may be named without its owner
 */
export function creationOf(
  name: string,
  place: Place,
  creation: ReadonlyMap<string, Placed>,
  organization: string,
  lose: Lose,
): Placed {
  const { visibility, template, ...seeds } = Object.fromEntries(creation);
  const isOwn = template && typeof template.value === 'string' && !template.value.includes('/');
  const from = isOwn ? { ...template, value: `${organization}/${template.value}` } : template;
  const members = [
    ['name', placedAt(name, place)],
    ['visibility', visibility ?? placedAt(template ? 'private' : 'public', place)],
    ...(from ? [['template', from] as const] : []),
    ...Object.entries(seeds),
  ] as const;
  return mappingAt(place, creationMembers(members, lose));
}
