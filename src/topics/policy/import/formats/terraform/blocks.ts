/** What readers of several types of resources have in common. */
import { slugOfTeam } from '../../../../../fleet/policy/kinds/people/team-names.ts';
import { elements, type Placed, without } from '../../../../../fleet/policy/wanted/placed.ts';
import { asText } from '../../../../../json/exact-json.ts';
import { roleOf } from '../../../../../platform/repository-roles.ts';
import { isUnset } from './attributes.ts';
import type { Team } from './ids.ts';
import type { State } from './state.ts';
import { unknownAttribute } from './table.ts';

/** Returns blocks that have a name, and reports the others, and keys that are not known. */
export function blocksOf(
  state: State,
  list: Placed | undefined,
  name: string,
  keys: readonly string[],
): readonly Placed[] {
  return elements(list).filter((block) => {
    const { value } = block.parts.get(name) ?? {};
    const isNamed = typeof value === 'number' || (typeof value === 'string' && value !== '');
    if (!isNamed) state.lose(block, `must have a ${name}`);
    else
      for (const [, part] of without(block, [name, ...keys]).parts)
        if (!isUnset(part)) state.lose(part, unknownAttribute);
    return isNamed;
  });
}

/** Returns a role: the higher one, or member, which is also that of a role that policies do not have. */
export function roleIn(state: State, role: Placed | undefined, higher: string): string {
  if (role?.value === higher) return higher;
  if (role && !isUnset(role) && role.value !== 'member') state.lose(role, `must be member or ${higher}`);
  return 'member';
}

/** Runs `use` with the team of an ID, a slug or a name; reports a team that the state does not have. */
export function withTeam(
  state: State,
  id: Placed | undefined,
  use: (team: Team, id: Placed) => void,
  others: readonly (Placed | undefined)[] = [],
): void {
  if (!id) return;
  const value = ['string', 'number'].includes(typeof id.value) ? asText(id.value) : '';
  const slug = slugOfTeam(value);
  const team = state.teamOf(value) ?? (/^\d+$/.test(value) || slug === '' ? undefined : { name: value, slug });
  if (team) use(team, id);
  else for (const part of [id, ...others]) if (part) state.lose(part, 'The state has no team with this ID');
}

/** Returns a role at the position of what grants it, all of which is lost if the role is rejected. */
export const roleAt = (role: Placed, { place }: Placed): Placed => ({
  ...role,
  ...(typeof role.value === 'string' && { value: roleOf(role.value) }),
  place,
});
