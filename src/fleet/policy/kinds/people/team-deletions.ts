/** Deletions of teams: the platform deletes the child teams of a team with it. */
import { isStep, type PlannedChange } from '../../live/change.ts';
import type { Management } from './managed-teams.ts';
import { type LiveTeam, teamOf, type WantedTeam } from './team-list.ts';

/**
 * Returns the changes of teams with a deletion for each child team that is deleted with its parent. A team with a child that
 * stays is not deleted.
 */
export async function withChildren(
  changes: readonly PlannedChange[],
  teams: readonly LiveTeam[],
  declared: readonly WantedTeam[],
  management: Management,
): Promise<readonly PlannedChange[]> {
  const deletions = new Map(
    changes.flatMap((change) => (change.action === 'delete' ? [[change.id, change] as const] : [])),
  );
  if (deletions.size === 0) return changes;
  const staying = new Set(declared.map((each) => teamOf(each, teams)?.id));
  const moved = new Map(
    changes.flatMap(({ id, body }) => (id !== undefined && body && 'parent' in body ? [[id, body.parent]] : [])),
  );
  const parentOf = ({ id, parent }: LiveTeam) => (moved.has(id) ? moved.get(id) : parent);
  const children = Map.groupBy(teams, parentOf);
  const below = (tops: readonly LiveTeam[]): ReadonlySet<LiveTeam> => {
    const found = new Set<LiveTeam>();
    for (const teamsAbove of [tops, found])
      for (const { slug } of teamsAbove) for (const child of children.get(slug) ?? []) found.add(child);
    return found;
  };
  const managed = new Set<LiveTeam>();
  for (const child of below(teams.filter(({ id }) => deletions.has(id)))) {
    const read = await management.isManaged(child);
    if ('unreadable' in read || read.value) managed.add(child);
  }
  const bySlug = Map.groupBy(teams, ({ slug }) => slug as unknown);
  const keptBelow = new Map<LiveTeam, LiveTeam>();
  const left = teams.filter((team) => staying.has(team.id) || managed.has(team)).map((kept) => ({ team: kept, kept }));
  for (const { team, kept } of left)
    for (const above of bySlug.get(parentOf(team)) ?? []) {
      if (keptBelow.has(above)) continue;
      keptBelow.set(above, kept);
      left.push({ team: above, kept });
    }
  const result = new Map<unknown, PlannedChange>();
  for (const change of changes) {
    const team = change.action === 'delete' ? teams.find(({ id }) => id === change.id) : undefined;
    const stays = team && keptBelow.get(team);
    if (!team || !stays) result.set(change.id ?? change, result.get(change.id) ?? change);
    else {
      const { kind, target, name, source } = change;
      const reason = `cannot be deleted: its child team “${stays.name}” would be deleted, too`;
      result.set(change.id, { action: 'unresolved', kind, target, name, source, changes: [], reason });
    }
  }
  for (const change of [...result.values()].filter(isStep)) {
    const team = teams.find(({ id }) => id === change.id);
    // The children of an undeclared team are undeclared, too.
    if (change.action !== 'delete' || change.undeclared || !team) continue;
    for (const child of below([team])) {
      const { undeclared: _, ...own } = deletions.get(child.id) ?? change;
      result.set(child.id, { ...own, action: 'delete', name: child.name, id: child.id, before: child.body });
    }
  }
  return [...result.values()];
}
