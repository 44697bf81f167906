/** Names of teams. The slug of the name identifies a team in its organization. */
import type { PlannedChange } from '../../live/change.ts';

/**
 * Returns the slug of a name. Public platform, Teams: “special characters in the `name` string” are replaced, “all words” changed
 * “to lowercase”, and “spaces with a `-` separator”.
 */
export const slugOfTeam = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\w]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/**
 * Returns the slugs that planned changes of an organization give to its teams, by their slugs of today. One that another team
 * gets is not among these.
 */
export function newSlugs(changes: readonly PlannedChange[]): ReadonlyMap<string, string> {
  const known = slugsOf.get(changes);
  if (known) return known;
  const ofTeams = changes.filter(({ kind }) => kind === 'team');
  const taken = new Set(ofTeams.flatMap(({ action, name }) => (action === 'delete' ? [] : [slugOfTeam(name)])));
  const slugs = ofTeams.flatMap(({ before, body }): readonly (readonly [string, string])[] =>
    typeof before?.name === 'string' && typeof body?.name === 'string'
      ? [[slugOfTeam(before.name), slugOfTeam(body.name)]]
      : [],
  );
  const found = new Map(slugs.filter(([slug]) => !taken.has(slug)));
  slugsOf.set(changes, found);
  return found;
}

/** By the changes of the organization, which all of its repositories share. */
const slugsOf = new WeakMap<readonly PlannedChange[], ReadonlyMap<string, string>>();

/** Returns references to the teams that planned changes of their organization create or rename, with the IDs of the latter. */
export const teamsToBe = (changes: readonly PlannedChange[]): ReadonlyMap<string, number | undefined> =>
  new Map(
    changes.flatMap(({ kind, action, name, id }) =>
      kind === 'team' && (action === 'create' || action === 'update')
        ? [[`team:${slugOfTeam(name)}`, typeof id === 'number' ? id : undefined]]
        : [],
    ),
  );
