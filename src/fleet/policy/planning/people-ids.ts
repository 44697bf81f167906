/** The IDs of the teams and people that changes name: slugs and logins are reused, so a plan without IDs cannot be applied. */
import { kindNamed } from '../kinds/lookup.ts';
import { slugOfTeam } from '../kinds/people/team-names.ts';
import { type Action, isStep, type PlannedChange } from '../live/change.ts';
import { type Reference, referencesIn } from '../wanted/references.ts';
import { ownerOf } from '../wanted/target.ts';

/** Teams by organization and slug. */
type Teams = ReadonlySet<string>;

/** Returns the key of a team in maps. */
export const teamKey = (owner: string, slug: string): string => `${owner}/${slug}`.toLowerCase();

/** Returns the teams that changes create: only those have no ID yet. */
export const createdTeams = (changes: readonly PlannedChange[]): Teams => teamsAfter(changes, ['create']);

/** Returns the teams that changes create or rename. */
export const namedTeams = (changes: readonly PlannedChange[]): Teams => teamsAfter(changes, ['create', 'update']);

const teamsAfter = (changes: readonly PlannedChange[], actions: readonly Action[]): Teams =>
  new Set(
    changes.flatMap(({ kind, action, target, name }) =>
      kind === 'team' && actions.includes(action) ? [teamKey(target, slugOfTeam(name))] : [],
    ),
  );

/** Returns whether a change names one of some teams: as the team that it changes, as a parent, or as a reference. */
export function namesTeam(change: PlannedChange, teams: Teams): boolean {
  const { team, parent } = kindNamed(change.kind).peopleIn?.(change) ?? {};
  const referred = referencesIn([change.body, change.between]).map(({ kind, name }) =>
    kind === 'team' ? name : undefined,
  );
  return [team, parent, ...referred].some(
    (slug) => slug !== undefined && teams.has(teamKey(ownerOf(change.target), slug)),
  );
}

/** Returns whether an update of a team has the name of one that the plan creates: references would mean either. */
export const takesName = ({ kind, action, target, before, between, body }: PlannedChange, created: Teams): boolean =>
  kind === 'team' &&
  action === 'update' &&
  [before, between, body].some(
    (given) => typeof given?.name === 'string' && created.has(teamKey(target, slugOfTeam(given.name))),
  );

/**
 * Returns whether a change lacks the ID of a team or person that it names, other than of those that the plan creates, or of the
 * team that it creates again. Undoing a creation starts without one, and undoing a deletion knows no parent.
 */
export function lacksIds(change: PlannedChange, created: Teams): boolean {
  if (!isStep(change) || (change.sent && change.action === 'delete')) return false;
  const { peopleIn, isNamedByOthers } = kindNamed(change.kind);
  const { team, parent, user } = peopleIn?.(change) ?? {};
  const { id, team_id = id, user_id = id, parent_id, target } = change;
  if (isNamedByOthers && change.action === 'create' && change.sent && id === undefined) return true;
  const isKnown = (slug: string | undefined, its: unknown) =>
    slug === undefined || its !== undefined || created.has(teamKey(ownerOf(target), slug));
  const isCreated = ({ kind, name }: Reference) => kind === 'team' && created.has(teamKey(ownerOf(target), name));
  if (!referencesIn([change.body, change.between]).every(isCreated)) return true;
  const knowsParent = change.sent || isKnown(parent, parent_id);
  return !isKnown(team, team_id) || !knowsParent || (user !== undefined && user_id === undefined);
}
