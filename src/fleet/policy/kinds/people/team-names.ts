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

/** Returns the slug that planned changes of an organization give the team with a slug; undefined if it keeps that, or another team gets it. */
export function newSlugOf(slug: string, changes: readonly PlannedChange[]): string | undefined {
  const ofTeams = changes.filter(({ kind }) => kind === 'team');
  const isTaken = ofTeams.some(({ action, name }) => action !== 'delete' && slugOfTeam(name) === slug);
  const renaming = ofTeams.find(({ before }) => typeof before?.name === 'string' && slugOfTeam(before.name) === slug);
  const later = renaming?.body?.name;
  return isTaken || typeof later !== 'string' ? undefined : slugOfTeam(later);
}

/** Returns references to the teams that planned changes of their organization create or rename, with the IDs of the latter. */
export const teamsToBe = (changes: readonly PlannedChange[]): ReadonlyMap<string, number | undefined> =>
  new Map(
    changes.flatMap(({ kind, action, name, id }) =>
      kind === 'team' && (action === 'create' || action === 'update')
        ? [[`team:${slugOfTeam(name)}`, typeof id === 'number' ? id : undefined]]
        : [],
    ),
  );
