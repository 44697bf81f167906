/** The parents of teams, as policies declare them. */
import { fieldsOf } from '../../../diff.ts';
import type { Creation } from '../../live/change.ts';
import { member, type Placed, type PolicyProblem } from '../../wanted/placed.ts';
import { type LiveTeam, teamOf, type WantedTeam } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';

/** Returns the slug of the declared parent; null for none, and undefined if none is declared. */
export const parentOf = ({ body: { value } }: WantedTeam): string | null | undefined =>
  typeof value.parent === 'string' ? slugOfTeam(value.parent) : (value.parent as null | undefined);

/** Returns the problems of teams that are their own ancestors. */
export function hierarchyProblems(declared: readonly WantedTeam[]): readonly PolicyProblem[] {
  const above = (team: WantedTeam) => {
    const parent = parentOf(team);
    return parent ? declared.find(({ name }) => slugOfTeam(name) === parent) : undefined;
  };
  return declared.flatMap((team): readonly PolicyProblem[] => {
    const ancestors = new Set<WantedTeam>();
    for (let at = above(team); at && !ancestors.has(at); at = above(at)) ancestors.add(at);
    const { place } = member(team.body, 'parent') ?? team.body;
    return ancestors.has(team) ? [{ place, message: `team “${team.name}” is its own ancestor` }] : [];
  });
}

/** Public platform, Teams: new teams are secret unless they are children, and parents are closed. */
export function asParent(change: Creation): Creation {
  const body = { ...change.body, privacy: 'closed' };
  return { ...change, changes: fieldsOf(body), body };
}

/** Returns the problems of the parent of a team, as it will be. */
export function parentProblems(
  wanted: WantedTeam,
  declared: readonly WantedTeam[],
  teams: readonly LiveTeam[],
  org: string,
): readonly PolicyProblem[] {
  const slug = parentOf(wanted);
  if (typeof slug !== 'string') return [];
  const { value, place } = member(wanted.body, 'parent') as Placed;
  const parent = declared.find(({ name }) => slugOfTeam(name) === slug);
  const live = parent ? teamOf(parent, teams) : teams.find((team) => team.slug === slug);
  if (!parent && !live) return [{ place, message: `no team “${value}” in ${org}, the parent of “${wanted.name}”` }];
  const isSecret = (team: WantedTeam | undefined, its: LiveTeam | undefined) =>
    (team?.body.value.privacy ?? its?.body.privacy) === 'secret';
  const secret = [
    ...(isSecret(parent, live) ? [value] : []),
    ...(isSecret(wanted, teamOf(wanted, teams)) ? [wanted.name] : []),
  ];
  return secret.map((name) => ({
    place,
    message: `team “${name}” is secret; only closed teams can be parents or have one: set privacy: closed`,
  }));
}
