/** Repositories that safe-settings creates. */
import type { Place, Placed } from '../../../../../fleet/policy/wanted/placed.ts';
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
  const template = creation.get('template');
  const others = [...creation].flatMap(([key, part]): [string, Placed][] => {
    if (key === 'template' || key === 'visibility') return [];
    if (template) lose(part, 'cannot be combined with a template');
    return template ? [] : [[key, part]];
  });
  const isOwn = template && typeof template.value === 'string' && !template.value.includes('/');
  const from = isOwn ? { ...template, value: `${organization}/${template.value}` } : template;
  return mappingAt(place, [
    ['name', placedAt(name, place)],
    ['visibility', creation.get('visibility') ?? placedAt(template ? 'private' : 'public', place)],
    ...(from ? [['template', from] as const] : []),
    ...others,
  ]);
}
