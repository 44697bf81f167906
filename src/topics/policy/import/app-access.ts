/** The people and teams with access, as safe-settings and the repository-settings app declare them. */
import { slugOfTeam } from '../../../fleet/policy/kinds/people/team-names.ts';
import { elements, member, type Placed, textOf, without } from '../../../fleet/policy/wanted/placed.ts';
import { asText } from '../../../json/exact-json.ts';
import { roleOf } from '../../../platform/repository-roles.ts';
import type { AppTool } from './app-table.ts';
import { type Item, type Lose, namedIn, unknownKey } from './source.ts';

/** A part that only some of the repositories have. */
export interface FilteredItem extends Item {
  readonly only?: RepositoryFilter;
}

export interface RepositoryFilter {
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[];
}

/** Returns the access that a list of people or teams gives. */
export function accessItems(
  section: 'collaborators' | 'teams',
  list: Placed,
  tool: AppTool,
  lose: Lose,
): readonly FilteredItem[] {
  const [kind, key] = section === 'teams' ? (['teams', 'name'] as const) : (['users', 'username'] as const);
  const filters = tool === 'safe-settings' ? ['include', 'exclude'] : [];
  return namedIn(list, key, lose).flatMap((grantee): FilteredItem[] => {
    const name = String(textOf(grantee, key));
    const called = kind === 'teams' ? slugOfTeam(name) : name;
    if (called === '') {
      lose(grantee, 'The name must contain a letter or a digit');
      return [];
    }
    for (const [, part] of without(grantee, [key, 'permission', ...filters]).parts) lose(part, unknownKey);
    const [include, exclude] = filters.map((each) => member(grantee, each));
    if (![include, exclude].every((each) => each === undefined || isListOfText(each))) {
      lose(grantee, 'include and exclude must be lists of repositories');
      return [];
    }
    const permission = grantee.parts.get('permission') ?? { ...grantee, value: 'push', parts: new Map() };
    if (typeof permission.value !== 'string' || permission.value.trim() === '') {
      lose(grantee, 'The permission must be a role');
      return [];
    }
    const value = { ...permission, value: roleOf(permission.value) };
    const only = (include || exclude) && { include: include && namesIn(include), exclude: namesIn(exclude) };
    return [{ path: ['access', kind, called], value, ...(only && { only }) }];
  });
}

const isListOfText = ({ value }: Placed): boolean =>
  Array.isArray(value) && value.every((each: unknown) => typeof each === 'string');

const namesIn = (list: Placed | undefined): readonly string[] => elements(list).map(({ value }) => asText(value));
