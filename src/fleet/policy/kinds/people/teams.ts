/** The teams of an organization. Their members are a kind of their own. */
import { createTeam, deleteTeam, getTeam, listTeams, updateTeam } from '../../../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../../../platform/records.ts';
import { teams as resource } from '../../../../platform/resources/teams.ts';
import { boolean, nullable, oneOf, optional, string } from '../../../../platform/schema.ts';
import { type Given, invalid, type Problem } from '../../../../platform/validate.ts';
import { fieldsOf } from '../../../diff.ts';
import { readAll } from '../../../read-all.ts';
import { type Creation, isStep, type PlannedChange, type Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import type { Reader } from '../../live/requests.ts';
import { earlierNames, earlierNamesOf } from '../../wanted/earlier-names.ts';
import { type WantedTarget, wantedOf } from '../../wanted/model.ts';
import {
  elements,
  member,
  type Placed,
  PolicyError,
  type PolicyProblem,
  textOf,
  without,
} from '../../wanted/placed.ts';
import { list, logins, mapping } from '../../wanted/schema-parts.ts';
import { fieldUpdate, keptFields, liveFields, touchedFields } from '../field-update.ts';
import type { Exported, ExportReadings, KindDeclaration, Live, StepRequest } from '../kind.ts';
import type { Found, Listed, ObjectContext, PlannedList } from '../object-declaration.ts';
import { explainedFields } from '../object-defaults.ts';
import { objectKind } from '../objects.ts';
import { directoryOf } from './directory.ts';
import { byLogin, isSameLogin } from './logins.ts';
import { managementOf } from './managed-teams.ts';
import { withChildren } from './team-deletions.ts';
import {
  type LiveTeam,
  liveTeam,
  notificationSettings,
  type TeamName,
  teammatesIn,
  teamNamed,
  teamOf,
  teamsIn,
  type WantedTeam,
  type WantedTeammate,
} from './team-list.ts';
import { slugOfTeam } from './team-names.ts';

const team = mapping({
  name: string('Team name; its slug identifies the team'),
  was: earlierNames('team'),
  description: optional(string('Description of the team', { mayBeEmpty: true })),
  privacy: optional(
    oneOf(['closed', 'secret'], 'Who sees the team: all members of the organization (closed), or its own and owners'),
  ),
  parent: optional(nullable(string('Name of the parent team; null for none'))),
  notifications: optional(boolean('Whether members are notified when the team is mentioned')),
  maintainers: optional(logins('Logins of the maintainers')),
  members: optional(logins('Logins of the other members')),
});

/** The keys of the lists of people, with their roles. */
const roles = { maintainers: 'maintainer', members: 'member' } as const;

const objects = objectKind<WantedTeam, TeamName, LiveTeam>({
  name: 'team',
  targets: ['organization'],
  schema: { organization: list(team, 'Teams of the organizations') },
  absentSchema: { organization: list(string('Name or slug of a team'), 'Names of teams') },
  checkedAs: {},
  rules: teamRules,
  parseObject,
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
  plan: planTeams,
  live: readTeam,
  peopleIn: ({ body }) => (typeof body?.parent === 'string' ? { parent: body.parent } : {}),
  request: requestFor,
  kept: ({ body = {} }, data) => keptFields(liveFields(liveTeam(data as unknown as FullTeam).body, body), body),
  export: exportTeams,
};

function parseObject(object: Placed): WantedTeam | undefined {
  const name = textOf(object, 'name');
  if (name === undefined) return undefined;
  const isDeclared = Object.keys(roles).some((key) => member(object, key));
  const people = Object.entries(roles).flatMap(([key, role]) =>
    elements(member(object, key)).flatMap(({ value, place }): readonly WantedTeammate[] =>
      typeof value === 'string' ? [{ name: value, role, place }] : [],
    ),
  );
  const body = without<Given>(object, ['was', ...Object.keys(roles)]);
  return { name, was: earlierNamesOf(object), body, people: isDeclared ? people : undefined };
}

/** Public platform, Teams: teams with a parent are closed. */
function teamRules({ name, privacy, parent, maintainers, members }: Given): Problem[] {
  const others = (Array.isArray(maintainers) ? maintainers : []).map((login) => String(login).toLowerCase());
  const twice = Array.isArray(members)
    ? members.findIndex((login) => others.includes(String(login).toLowerCase()))
    : -1;
  return [
    ...(typeof name === 'string' && slugOfTeam(name) === ''
      ? [invalid('name', 'must contain a letter or a digit')]
      : []),
    ...(privacy === 'secret' && typeof parent === 'string'
      ? [invalid('privacy', 'must be closed for a team with a parent')]
      : []),
    ...(twice === -1 ? [] : [invalid(`members[${twice}]`, 'is one of the maintainers, too')]),
  ];
}

const parentOf = ({ body: { value } }: WantedTeam): string | null | undefined =>
  typeof value.parent === 'string' ? slugOfTeam(value.parent) : (value.parent as null | undefined);

/** Returns the problems of teams that are their own ancestors. */
function hierarchyProblems(declared: readonly WantedTeam[]): readonly PolicyProblem[] {
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
  const incomplete = planned.isManaged ? await whyIncomplete(planned.readings) : undefined;
  return { value, ...(incomplete !== undefined && { incomplete }) };
}

/** Public platform, About teams: secret teams are visible to owners and to their members. */
async function whyIncomplete(readings: OwnerReadings): Promise<string | undefined> {
  const { identity } = readings;
  if (identity === undefined || identity.startsWith('app:')) return undefined;
  const listed = await (await directoryOf(readings)).members();
  const isOwner =
    'value' in listed && listed.value.some(({ name, role }) => role === 'admin' && isSameLogin(name, identity));
  return isOwner ? undefined : `secret teams are not listed for ${identity}, who is not an owner`;
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
  const update = fieldUpdate(fields, { ...own, parent: live.parent }, teams);
  if (!update) return [];
  if (!('parent' in update.body)) return [change('update', name, place, { id, ...update })];
  // The earlier parent may be renamed before this change, or after it.
  const before = { ...update.before, parent: own.parent, parent_id: parentId };
  const changes = update.changes.map((each) => (each.path === 'parent' ? { ...each, from: own.parent } : each));
  return [change('update', name, place, { id, ...update, changes, before })];
}

/** Throws PolicyError for parents that do not exist, or that are secret. */
async function planTeams(
  wanted: WantedTarget,
  readings: OwnerReadings,
  ofOwner: readonly PlannedChange[],
): Promise<readonly PlannedChange[]> {
  const planned = await objects.plan(wanted, readings, ofOwner);
  const declared = wantedOf<WantedTeam>(wanted, 'teams');
  const listed = declared.length + planned.length > 0 ? await readings.shared(teamsIn) : undefined;
  if (!listed || 'unreadable' in listed) return planned;
  const management = await managementOf(readings);
  const liveOf = ({ id }: PlannedChange) => listed.value.find((team) => team.id === id);
  const changes = await management.unmanaged(planned, liveOf, readings);
  warnOfRenames(wanted.target, changes, readings);
  const problems = declared.flatMap((each) => parentProblems(each, declared, listed.value, wanted.target));
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

/** Public platform, Teams: new teams are secret unless they are children, and parents are closed. */
function asParent(change: Creation): Creation {
  const body = { ...change.body, privacy: 'closed' };
  return { ...change, changes: fieldsOf(body), body };
}

/** Returns the problems of the parent of a team, as it will be. */
function parentProblems(
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

/** Returns the slug of the team of a change, before the change. */
const slugOf = ({ name, before }: PlannedChange): string =>
  slugOfTeam(typeof before?.name === 'string' ? before.name : name);

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
  // Without its ID, a parent may have another name by now.
  const isSame = plannedId === undefined || plannedId === parentId;
  const under = { ...(isSame && { parent }), ...(plannedId !== undefined && { parent_id: parentId }) };
  return { value: touchedFields({ ...body, ...under }, change), id: itsId };
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

/**
 * Returns changes in an order in which every parent exists under its name: after it is created or renamed to that name, and
 * before it is renamed from it. In the reverse order, child teams are deleted before their parents.
 */
function parentsFirst(steps: readonly Step[]): readonly Step[] {
  const named = new Map(steps.map((step) => [slugOfTeam(step.name), step]));
  const renamed = new Set(steps.filter((step) => slugOf(step) !== slugOfTeam(step.name)).map(slugOf));
  const depth = ({ action, body, before }: Step, seen: readonly string[] = []): number => {
    const parent = (action === 'delete' ? before : body)?.parent;
    if (typeof parent !== 'string' || seen.includes(parent)) return 0;
    const above = named.get(parent);
    // A parent that stays where it is may be below a team that moves.
    const stays = above ? above.action === 'update' && above.body.parent === undefined : !renamed.has(parent);
    if (stays) return steps.length;
    return above ? 1 + depth(above, [...seen, parent]) : -1;
  };
  const earlier = new Map(steps.map((step) => [slugOf(step), step]));
  const earlierDepth = ({ before }: Step, seen: readonly unknown[] = []): number => {
    const above = earlier.get(String(before?.parent));
    return above && !seen.includes(above) ? 1 + earlierDepth(above, [...seen, above]) : 0;
  };
  // A team leaves another one before that one moves, perhaps below it.
  return steps.toSorted((a, b) => depth(a) - depth(b) || earlierDepth(b) - earlierDepth(a));
}

/** Returns the teams with their own members. Those that an identity provider manages are omitted. */
async function exportTeams(org: string, readings: ExportReadings): Promise<Exported> {
  const listed = await readings.shared(teamsIn);
  if ('unreadable' in listed) {
    readings.notExported('teams', org, listed);
    return [];
  }
  const parents = new Map(listed.value.map(({ slug, name }) => [slug, name]));
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
    const lists = Object.entries(roles).map(
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
