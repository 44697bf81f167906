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
  const children = ({ slug }: LiveTeam): readonly LiveTeam[] =>
    teams.filter(({ id, parent }) => (moved.has(id) ? moved.get(id) : parent) === slug);
  const below = (team: LiveTeam, found = new Set<LiveTeam>()): readonly LiveTeam[] => {
    for (const child of children(team).filter((each) => !found.has(each))) below(child, found.add(child));
    return [...found];
  };
  const managed = new Set<LiveTeam>();
  for (const team of teams.filter(({ id }) => deletions.has(id)))
    for (const child of below(team)) {
      const read = await management.isManaged(child);
      if ('unreadable' in read || read.value) managed.add(child);
    }
  const kept = (team: LiveTeam) => staying.has(team.id) || managed.has(team);
  const result = new Map<unknown, PlannedChange>();
  for (const change of changes) {
    const team = change.action === 'delete' ? teams.find(({ id }) => id === change.id) : undefined;
    const stays = team && below(team).find(kept);
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
    for (const child of below(team)) {
      const { undeclared: _, ...own } = deletions.get(child.id) ?? change;
      result.set(child.id, { ...own, action: 'delete', name: child.name, id: child.id, before: child.body });
    }
  }
  return [...result.values()];
}
