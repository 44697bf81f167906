/** Exports the teams of an organization with their own members. */
import type { Given } from '../../../../platform/validate.ts';
import { readAll } from '../../../read-all.ts';
import type { Exported, ExportReadings } from '../kind.ts';
import { byLogin } from './logins.ts';
import { managementOf } from './managed-teams.ts';
import { type LiveTeam, rolesInTeam, teammatesIn, teamsIn } from './team-list.ts';
import { slugOfTeam } from './team-names.ts';
import { whyTeamsLack } from './team-visibility.ts';

/** Returns the teams with their own members. Those that an identity provider manages are omitted. */
export async function exportTeams(org: string, readings: ExportReadings): Promise<Exported> {
  const listed = await readings.shared(teamsIn);
  if ('unreadable' in listed) {
    readings.notExported('teams', org, listed);
    return [];
  }
  const parents = new Map(listed.value.map(({ slug, name }) => [slug, name]));
  const reason = await whyTeamsLack(readings);
  if (reason !== undefined) readings.lacks(`Teams of ${org} may be missing: ${reason}.`);
  const management = await managementOf(readings);
  const omitted: string[] = [];
  const exported = new Map<string, Given>();
  const read = async (team: LiveTeam) => {
    const managed = await management.isManaged(team);
    if ('unreadable' in managed) return [team, managed] as const;
    if (managed.value || team.slug !== slugOfTeam(team.name)) return [team, undefined] as const;
    return [team, await teammatesIn(readings.reader.forTask(), org, team.slug)] as const;
  };
  for await (const [{ name, slug, parent, body }, people] of readAll(listed.value, read)) {
    if (!people) {
      omitted.push(name);
      continue;
    }
    if ('unreadable' in people) readings.notExported(`members of the team ${slug}`, org, people);
    const own = 'value' in people ? people.value.toSorted(byLogin) : [];
    const lists = Object.entries(rolesInTeam).map(
      ([key, role]) => [key, own.filter((each) => each.role === role).map((each) => each.name)] as const,
    );
    const { parent: _, description, ...fields } = body;
    exported.set(slug, {
      ...fields,
      name,
      ...(description !== '' && { description }),
      ...(parent !== null && { parent: parents.get(parent) ?? parent }),
      ...Object.fromEntries(lists.filter(([, those]) => those.length > 0)),
    });
  }
  if (omitted.length)
    readings.warn(
      `Teams of ${org} that an identity provider manages, or whose slug is not that of their name, were not exported: ${omitted.toSorted().join(', ')}.`,
    );
  return [...exported].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}
