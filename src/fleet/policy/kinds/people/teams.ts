/** The teams of an organization. Their members are a kind of their own. */
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../../../platform/records.ts';
import { teams as resource } from '../../../../platform/resources/teams.ts';
import { string } from '../../../../platform/schema.ts';
import type { Given } from '../../../../platform/validate.ts';
import { fieldsOf } from '../../../diff.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { Reader } from '../../live/requests.ts';
import { list } from '../../wanted/schema-parts.ts';
import { fieldUpdate, isWholeRemoval, keptFields, liveFields, touchedFields } from '../field-update.ts';
import type { KindDeclaration, Live, StepRequest } from '../kind.ts';
import type { Found, Listed, ObjectContext, PlannedList } from '../object-declaration.ts';
import { explainedFields } from '../object-defaults.ts';
import { objectKind } from '../objects.ts';
import { isSameLogin } from './logins.ts';
import { exportTeams } from './team-export.ts';
import {
  type LiveTeam,
  liveTeam,
  notificationSettings,
  type TeamName,
  teamNamed,
  teamOf,
  teamsIn,
  type WantedTeam,
} from './team-list.ts';
import { slugOfTeam } from './team-names.ts';
import { parentsFirst, slugOf } from './team-order.ts';
import { hierarchyProblems, parentOf } from './team-parents.ts';
import { completed } from './team-plan.ts';
import { ownFields, parseTeam, teamRules, teamSchema } from './team-section.ts';
import { whyTeamsLack } from './team-visibility.ts';

const objects = objectKind<WantedTeam, TeamName, LiveTeam>({
  name: 'team',
  targets: ['organization'],
  schema: { organization: list(teamSchema, 'Teams of the organizations') },
  absentSchema: { organization: list(string('Name or slug of a team'), 'Names of teams') },
  checkedAs: {},
  // Unknown fields could grant access.
  openPaths: undefined,
  unmanageable: [
    [/^teams\[\d+\]\.parent_team_(?:id|slug)$/, 'is not supported; use parent'],
    [/^teams\[\d+\]\.notification_setting$/, 'is not supported; use notifications'],
  ],
  rules: teamRules,
  parseObject: parseTeam,
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  labelOf: ({ name }) => `team “${slugOfTeam(name)}”`,
  problemsOf: hierarchyProblems,
  placesOf: ({ people = [] }, login) => people.flatMap(({ name, place }) => (isSameLogin(name, login) ? [place] : [])),
  explain: (wanted) => [
    ...explainedFields(wanted.name, wanted, ['name']),
    ...(wanted.people ?? []).map(({ name, role, place }) => ({
      name: wanted.name,
      field: `${role}s[${name}]`,
      value: name,
      place,
    })),
  ],
  reads: [listTeams.route, getTeam.route],
  writes: [createTeam.route, updateTeam.route, deleteTeam.route],
  // A team becomes secret once it has no child teams. Under a new name, its members are changed later.
  takesAccess: ({ action, body }) =>
    action === 'delete' || (action === 'update' && body.privacy === 'secret' && body.name === undefined),
  inOrder: parentsFirst,
  resource,
  idParameter: 'team_slug',
  numericIds: true,
  list: listAll,
  bodyOf: ({ body }) => body,
  find,
  spared: ({ name, slug }) =>
    slug === slugOfTeam(name)
      ? undefined
      : { action: 'unresolved', name, reason: `not declared, and cannot be: its slug ${slug} is not that of its name` },
  changesOf,
  effects: effectRows({
    neutral: {
      name: 'The name of the team.',
      description: 'The description of the team.',
      notifications: 'The notification setting the team has chosen.',
    },
    'closed < secret': { privacy: 'The level of privacy this team should have.' },
  }),
  creation: () => 'neutral',
  lostWith: 'the members and access of deleted teams',
  deletion: 'tightens',
  guardedFrom: 3,
});

export const teams: KindDeclaration<WantedTeam, TeamName> = {
  ...objects,
  plan: async (wanted, readings, ofOwner) => completed(await objects.plan(wanted, readings, ofOwner), wanted, readings),
  live: readTeam,
  isNamed: (change) =>
    objects.isNamed(change) && Object.entries(change.body ?? {}).every(isOfPolicies) && showsParent(change),
  isNamedByOthers: true,
  returnsId: true,
  peopleIn: ({ body }) => (typeof body?.parent === 'string' ? { parent: body.parent } : {}),
  request: requestFor,
  deletesMore,
  kept: ({ body = {} }, data) => keptFields(liveFields(liveTeam(data as unknown as FullTeam).body, body), body),
  export: exportTeams,
};

/**
 * Returns whether a change may send a field. Those that only endpoints have could give access without a row of their own, or
 * have other names in policies.
 */
const isOfPolicies = ([name, value]: readonly [string, unknown]): boolean => {
  if (name === 'parent') return value === null || typeof value === 'string';
  // Requests have other values for it.
  return name === 'notifications' ? typeof value === 'boolean' : ownFields.has(name);
};

/**
 * Returns whether an update has a row for its parent: only the ID of the earlier one is compared with the platform, as other
 * changes may replace its slug.
 */
function showsParent({ action, before, body = {} }: PlannedChange): boolean {
  if (action !== 'update' || before.parent_id === undefined) return true;
  return (before.parent === null) === (before.parent_id === null) && before.parent !== body.parent;
}

/** Lists the teams; parents have the slugs that they have after the planned renames. */
async function listAll(org: string, reader: Reader, planned?: PlannedList<TeamName>): Promise<Listed<LiveTeam>> {
  const listed = await (planned?.readings.shared(teamsIn) ?? teamsIn(reader, org));
  if ('unreadable' in listed || !planned) return listed;
  const renamed = new Map(
    planned.keys.flatMap((key): readonly (readonly [string, string])[] => {
      const live = key.was === undefined ? undefined : teamOf(key, listed.value);
      return live ? [[live.slug, slugOfTeam(key.name)]] : [];
    }),
  );
  const value = listed.value.map((each) => {
    const parent = each.parent === null ? null : (renamed.get(each.parent) ?? each.parent);
    return { ...each, parent };
  });
  const incomplete = planned.isManaged ? await whyTeamsLack(planned.readings) : undefined;
  return { value, ...(incomplete !== undefined && { incomplete }) };
}

function find(key: TeamName, listed: readonly LiveTeam[]): Found<LiveTeam> {
  const live = teamOf(key, listed);
  return { live, all: live ? [live] : [] };
}

function changesOf(
  wanted: WantedTeam,
  live: LiveTeam | undefined,
  { change }: ObjectContext<LiveTeam>,
): readonly PlannedChange[] {
  const { name, body } = wanted;
  const { place } = body;
  const parent = parentOf(wanted);
  const fields = { ...body.value, ...(parent !== undefined && { parent }) };
  if (!live) return [change('create', name, place, { changes: fieldsOf(fields), effect: 'neutral', body: fields })];
  const { id, parentId, body: own } = live;
  const current: Given = { ...own, parent: live.parent };
  const known = Object.entries(fields).filter(([field]) => current[field] !== undefined);
  const unknown = Object.keys(fields).filter((field) => current[field] === undefined);
  const missing = unknown.map((field) => `“${field}”`).join(' and ');
  const unresolved =
    missing === '' ? [] : [change('unresolved', name, place, { reason: `the team has no ${missing}` })];
  const update = fieldUpdate(Object.fromEntries(known), current, teams);
  if (!update) return unresolved;
  if (!('parent' in update.body)) return [change('update', name, place, { id, ...update }), ...unresolved];
  // The earlier parent may be renamed before this change, or after it; another team may then take its slug.
  const from = own.parent === update.body.parent ? live.parent : own.parent;
  const before = { ...update.before, parent: from, parent_id: parentId };
  const changes = update.changes.map((each) => (each.path === 'parent' ? { ...each, from } : each));
  return [change('update', name, place, { id, ...update, changes, before }), ...unresolved];
}

/** Reads the team of a change. Another one may have its name by now. */
async function readTeam(change: Step, reader: Reader): Promise<Live> {
  const { target: org, id, name } = change;
  const slugs = new Set([slugOf(change), slugOfTeam(name)]);
  let found: Awaited<ReturnType<typeof teamNamed>> = { value: undefined };
  // A team that was renamed already has its new name.
  for (const slug of slugs) if ('value' in found && !found.value) found = await teamNamed(reader, org, slug);
  if ('unreadable' in found) return found;
  if (!found.value) return { value: undefined };
  if (id !== undefined && id !== found.value.id) return { ambiguous: true };
  const { id: itsId, parentId, body } = found.value;
  const { parent = body.parent, parent_id: plannedId } = change.before ?? {};
  // The parent of a team to delete may have another name by now.
  const isSame = plannedId === undefined ? change.action !== 'update' : plannedId === parentId;
  const under = { ...(isSame && { parent }), ...(plannedId !== undefined && { parent_id: parentId }) };
  const value = { ...body, ...under };
  return { value: isWholeRemoval(change) ? value : touchedFields(value, change), id: itsId };
}

/** The platform deletes the child teams of a team with it: those of the plan are gone before, or have moved. */
async function deletesMore({ target: org, id }: PlannedChange, reader: Reader): Promise<string | undefined> {
  const listed = await teamsIn(reader, org);
  if ('unreadable' in listed) return 'may also delete child teams, which cannot be listed';
  const children = listed.value.filter(({ parentId }) => parentId === id).map((child) => `“${child.name}”`);
  if (children.length === 0) return undefined;
  return `would also delete its child ${children.length === 1 ? 'team' : 'teams'} ${children.join(', ')}`;
}

function requestFor(change: PlannedChange): StepRequest {
  const { action, target: org, body = {} } = change;
  const path = { org, team_slug: slugOf(change) };
  if (action === 'delete') return { endpoint: deleteTeam, input: { path } };
  const { parent, notifications, ...fields } = body;
  const sent = {
    ...fields,
    ...(notifications !== undefined && {
      notification_setting: notifications ? notificationSettings.on : notificationSettings.off,
    }),
  };
  if (action === 'update')
    return {
      endpoint: updateTeam,
      input: { path, body: { ...sent, ...(parent !== undefined && { parent_team_slug: parent }) } },
    };
  const under = typeof parent === 'string' && { parent_team_slug: parent };
  return { endpoint: createTeam, input: { path: { org }, body: { ...sent, ...under } } };
}
