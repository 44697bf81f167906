/** Completes the plan of the teams of an organization: what follows from their hierarchy, and from who manages them. */
import { isStep, type PlannedChange } from '../../live/change.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { type WantedTarget, wantedOf } from '../../wanted/model.ts';
import { PolicyError } from '../../wanted/placed.ts';
import { managementOf } from './managed-teams.ts';
import { withChildren } from './team-deletions.ts';
import { teamOf, teamsIn, type WantedTeam } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';
import { asParent, parentOf, parentProblems } from './team-parents.ts';

/** Returns the changes of teams as they are made. Throws PolicyError for a hierarchy that is impossible. */
export async function completed(
  planned: readonly PlannedChange[],
  wanted: WantedTarget,
  readings: OwnerReadings,
): Promise<readonly PlannedChange[]> {
  const declared = wantedOf<WantedTeam>(wanted, 'teams');
  const listed = declared.length + planned.length > 0 ? await readings.shared(teamsIn) : undefined;
  if (!listed || 'unreadable' in listed) return planned;
  const management = await managementOf(readings);
  const liveOf = ({ id }: PlannedChange) => listed.value.find((team) => team.id === id);
  const changes = await management.unmanaged(planned, liveOf, readings);
  warnOfRenames(wanted.target, changes, readings);
  const deleted = new Set(changes.flatMap(({ action, id }) => (action === 'delete' ? [id] : [])));
  const problems = parentProblems(declared, listed.value, deleted, wanted.target);
  if (problems.length) throw new PolicyError(problems);
  const parents = new Set(declared.map(parentOf));
  const deletions = await withChildren(changes, listed.value, declared, management);
  return deletions.map((change) => {
    const made = change.action === 'create' && parents.has(slugOfTeam(change.name)) ? asParent(change) : change;
    const parent = isStep(made) && typeof made.body?.parent === 'string' ? made.body.parent : undefined;
    const named = declared.find(({ name }) => slugOfTeam(name) === parent);
    const live = named ? teamOf(named, listed.value) : listed.value.find(({ slug }) => slug === parent);
    return live && parent !== undefined ? { ...made, parent_id: live.id } : made;
  });
}

/** A renamed team looks like a missing one beside an undeclared one, whose deletion would end its access. */
function warnOfRenames(org: string, changes: readonly PlannedChange[], { warn }: OwnerReadings): void {
  const namesOf = (those: readonly PlannedChange[]) => those.map(({ name }) => name).join(', ');
  const missing = changes.filter(({ action }) => action === 'create');
  const undeclared = changes.filter((change) => change.undeclared);
  if (missing.length && undeclared.length)
    warn(
      `${org} lacks declared teams (${namesOf(missing)}) and has undeclared ones (${namesOf(undeclared)}). For a renamed team, declare its new name, or rename it back with “was”.`,
    );
}
