/** The parents of teams, as policies declare them. */
import { asText } from '../../../../json/exact-json.ts';
import { fieldsOf } from '../../../diff.ts';
import type { Creation } from '../../live/change.ts';
import { member, type Placed, type PolicyProblem } from '../../wanted/placed.ts';
import { type LiveTeam, teamOf, type WantedTeam } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';

/** Returns the slug of the declared parent; null for none, and undefined if none is declared. */
export const parentOf = ({ body: { value } }: WantedTeam): string | null | undefined =>
  typeof value.parent === 'string' ? slugOfTeam(value.parent) : (value.parent as null | undefined);

/** Returns the problems of declared teams that are their own ancestors. */
export function hierarchyProblems(declared: readonly WantedTeam[]): readonly PolicyProblem[] {
  return cycles(declared, new Map(declared.toReversed().map((team) => [slugOfTeam(team.name), parentOf(team)])));
}

/** Returns the problems of teams that are their own ancestors, given the slug of the parent of each team. */
function cycles(
  declared: readonly WantedTeam[],
  parents: ReadonlyMap<string, string | null | undefined>,
): readonly PolicyProblem[] {
  return declared.flatMap((team): readonly PolicyProblem[] => {
    const slug = slugOfTeam(team.name);
    const ancestors = new Set<string>();
    for (let at = parents.get(slug); at && !ancestors.has(at); at = parents.get(at)) ancestors.add(at);
    const declaredParent = member(team.body, 'parent');
    if (!declaredParent || !ancestors.has(slug)) return [];
    const between = [...ancestors].slice(0, [...ancestors].indexOf(slug));
    const through = between.length > 0 ? ` through ${between.join(', ')}` : '';
    return [{ place: declaredParent.place, message: `team “${team.name}” is its own ancestor${through}` }];
  });
}

/** Public platform, Teams: new teams are secret unless they are children, and parents are closed. */
export function asParent(change: Creation): Creation {
  const body = { ...change.body, privacy: 'closed' };
  return { ...change, changes: fieldsOf(body), body };
}

/** A team as it is after the plan. */
interface PlannedTeam {
  readonly name: string;
  readonly wanted: WantedTeam | undefined;
  /** The slug of the parent. */
  readonly parent: string | null | undefined;
  readonly isSecret: boolean;
}

/** Returns the teams as they are after the plan, by slug. */
function afterPlan(declared: readonly WantedTeam[], teams: readonly LiveTeam[]): ReadonlyMap<string, PlannedTeam> {
  const wantedFor = new Map(declared.map((wanted) => [teamOf(wanted, teams), wanted]));
  const slugAfter = (slug: string) => {
    const wanted = wantedFor.get(teams.find((team) => team.slug === slug));
    return wanted ? slugOfTeam(wanted.name) : slug;
  };
  const planned = (wanted: WantedTeam | undefined, live: LiveTeam | undefined): PlannedTeam => {
    const parent = wanted && parentOf(wanted);
    return {
      name: wanted?.name ?? live?.name ?? '',
      wanted,
      parent: parent === undefined && live?.parent ? slugAfter(live.parent) : parent,
      isSecret: (wanted?.body.value.privacy ?? live?.body.privacy) === 'secret',
    };
  };
  return new Map([
    ...teams.map((live) => [slugAfter(live.slug), planned(wantedFor.get(live), live)] as const),
    ...declared.map((wanted) => [slugOfTeam(wanted.name), planned(wanted, teamOf(wanted, teams))] as const),
  ]);
}

/** Returns the problems of the hierarchy after the plan, which deletes the teams with the given IDs. */
export function parentProblems(
  declared: readonly WantedTeam[],
  teams: readonly LiveTeam[],
  deleted: ReadonlySet<unknown>,
  org: string,
): readonly PolicyProblem[] {
  const all = afterPlan(declared, teams);
  const staying = afterPlan(
    declared,
    teams.filter(({ id }) => !deleted.has(id)),
  );
  return [
    ...cycles(declared, new Map([...staying].map(([slug, { parent }]) => [slug, parent]))),
    ...declared.flatMap((wanted) => [
      ...declaredParentProblems(wanted, all, teams, org),
      ...secrecyProblems(wanted, staying),
    ]),
  ];
}

/** Returns the problems of a parent that a policy declares. */
function declaredParentProblems(
  wanted: WantedTeam,
  all: ReadonlyMap<string, PlannedTeam>,
  teams: readonly LiveTeam[],
  org: string,
): readonly PolicyProblem[] {
  const slug = parentOf(wanted);
  if (typeof slug !== 'string') return [];
  const { value, place } = member(wanted.body, 'parent') as Placed;
  const parent = all.get(slug);
  if (!parent) {
    const live = teams.find((team) => team.slug === slug);
    const renamed = live && [...all.values()].find((team) => team.wanted && teamOf(team.wanted, teams) === live);
    const why = renamed ? `, which is renamed to “${renamed.name}”` : ` in ${org}`;
    return [{ place, message: `no team “${asText(value)}”${why}, the parent of “${wanted.name}”` }];
  }
  const secret = [
    ...(parent.isSecret ? [value] : []),
    ...(all.get(slugOfTeam(wanted.name))?.isSecret ? [wanted.name] : []),
  ];
  return secret.map((name) => ({
    place,
    message: `team “${asText(name)}” is secret; only closed teams can be parents or have one: set privacy: closed`,
  }));
}

/** Returns the problems of a team that is to be secret, with a parent or child teams that no policy declares as such. */
function secrecyProblems(wanted: WantedTeam, staying: ReadonlyMap<string, PlannedTeam>): readonly PolicyProblem[] {
  const privacy = member(wanted.body, 'privacy');
  if (privacy?.value !== 'secret') return [];
  const slug = slugOfTeam(wanted.name);
  const { parent: above } = staying.get(slug) ?? {};
  const parent = above && parentOf(wanted) === undefined ? staying.get(above) : undefined;
  const children = [...staying.values()].filter(
    ({ parent, wanted: child }) => parent === slug && !(child && parentOf(child) === slug),
  );
  const reasons = [
    ...(parent ? [`its parent is “${parent.name}”`] : []),
    ...children.map(({ name }) => `“${name}” is its child team`),
  ];
  return reasons.map((reason) => ({
    place: privacy.place,
    message: `team “${wanted.name}” cannot be secret: ${reason}`,
  }));
}
