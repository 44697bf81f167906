/** The access to a repository that teams and people were given. Pending invitations count as access. */

import * as v from 'valibot';
import { getUser } from '../../../../platform/endpoints/accounts.ts';
import {
  addCollaborator,
  cancelInvitation,
  grantTeam,
  listInvitations,
  removeCollaborator,
  revokeTeam,
  updateInvitation,
} from '../../../../platform/endpoints/grants.ts';
import { listCollaborators, listRepositoryTeams } from '../../../../platform/endpoints/repos.ts';
import { getTeam } from '../../../../platform/endpoints/teams.ts';
import { baseRoles, isBaseRole, outranks, permissionOf, roleOf } from '../../../../platform/repository-roles.ts';
import { nested, optional, strings } from '../../../../platform/schema.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import { UnresolvedError } from '../../live/names.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import type { Absent, Wanted } from '../../wanted/model.ts';
import { elements, member, members, type Placed } from '../../wanted/placed.ts';
import { custom, logins, mapping } from '../../wanted/schema-parts.ts';
import { ownerOf, pathOf } from '../../wanted/target.ts';
import { fieldUpdate } from '../field-update.ts';
import type { Exported, ExportReadings, KindDeclaration, Live, StepRequest } from '../kind.ts';
import type { Found, ObjectContext, Refusal } from '../object-declaration.ts';
import { objectKind } from '../objects.ts';
import { directoryOf, userIdOf } from './directory.ts';
import {
  type GranteeName,
  granteeIn,
  grantOf,
  hasElsewhere,
  invitationsTo,
  isFromElsewhere,
  type LiveGrant,
  listGrants,
  readGrant,
} from './grants.ts';
import { slugOfTeam } from './team-names.ts';

interface WantedGrant extends GranteeName, Wanted {
  readonly body: Placed<{ readonly role: string }>;
}

/** The keys of the section, with the types of their grantees. */
const types = { teams: 'team', users: 'user' } as const;

const role = custom<string>(
  (value) => typeof value === 'string' && value.trim() !== '',
  `must be a role: ${baseRoles.join(', ')}, or a custom role`,
  { anyOf: [{ enum: [...baseRoles, 'pull', 'push'] }, { type: 'string', minLength: 1 }] },
);

const rolesOf = (description: string) => optional(nested(v.record(v.string(), role, 'must be an object'), description));

const grants = objectKind<WantedGrant, GranteeName, LiveGrant>({
  name: 'grant',
  plural: 'grants',
  targets: ['repository'],
  schema: {
    repository: optional(
      nested(
        mapping({ teams: rolesOf('Roles of teams by slug'), users: rolesOf('Roles of people by login') }),
        'Access of teams and people to the repositories',
      ),
    ),
  },
  absentSchema: {
    repository: optional(
      nested(
        mapping({
          teams: optional(strings('Slugs of teams that lose their access')),
          users: optional(logins('Logins of people who lose their access')),
        }),
        'Teams and people who lose their access',
      ),
    ),
  },
  checkedAs: {},
  ignoresCase: true,
  labelOf: ({ name }) => `access of ${name}`,
  keyFields: [],
  isNamed: ({ name }) => /^(?:team|user):./.test(name),
  takesAccess: isTaken,
  standsAlone: true,
  reads: [listRepositoryTeams, listCollaborators, listInvitations, getTeam, getUser].map(({ route }) => route),
  writes: [grantTeam, revokeTeam, addCollaborator, removeCollaborator, updateInvitation, cancelInvitation].map(
    ({ route }) => route,
  ),
  resource: { owners: {} },
  idParameter: '',
  list: listGrants,
  bodyOf: ({ role }) => ({ role }),
  isOwn: ({ isOwn }) => isOwn === true,
  find(key, listed): Found<LiveGrant> {
    const live = grantOf(key, listed);
    return { live, all: live ? [live] : [], ...(live?.refused && { refused: live.refused }) };
  },
  changesOf,
  effects: effectRows({
    'admin < maintain < write < triage < read': { role: 'The permission to grant the team on this repository.' },
  }),
  creation: () => 'loosens',
  deletion: 'tightens',
  guardedFrom: 3,
  inOrder: (steps) => steps.toSorted((a, b) => placeOf(a) - placeOf(b)),
});

export const access: KindDeclaration<WantedGrant, GranteeName> = {
  ...grants,
  bodies: () => [],
  parse: (section) =>
    Object.entries(types).flatMap(([key, type]) =>
      members(member(section, key)).flatMap(([called, { value, place }]): readonly WantedGrant[] => {
        if (typeof value !== 'string') return [];
        const wanted = writtenRole(value);
        const part = { value: wanted, place, parts: new Map() };
        return [
          { name: `${type}:${called}`, body: { value: { role: wanted }, place, parts: new Map([['role', part]]) } },
        ];
      }),
    ),
  parseAbsent: (section) =>
    Object.entries(types).flatMap(([key, type]) =>
      elements(member(section, key)).flatMap(({ value, place }): readonly Absent<GranteeName>[] =>
        typeof value === 'string' ? [{ name: `${type}:${value}`, kind: 'access', place }] : [],
      ),
    ),
  live: readLive,
  peopleIn: (grant) => {
    const { type, called } = granteeIn(grant);
    return { [type]: called };
  },
  request,
  listed: listDeletable,
  // The platform returns nothing, or an invitation.
  kept: ({ body = {} }) => body,
  export: exportAccess,
};

function isTaken({ action, effect }: PlannedChange): boolean {
  return action === 'delete' || effect === 'tightens';
}

/** What people have is compared before teams change it; what takes access away is made in reverse order. */
const placeOf = (step: Step): number => Number((granteeIn(step).type === 'user') === isTaken(step));

/** Returns a role by its name: permissions have those of their roles. */
function writtenRole(written: string): string {
  const known = roleOf(written.toLowerCase());
  return isBaseRole(known) ? known : written;
}

const isSameRole = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

async function changesOf(
  wanted: WantedGrant,
  live: LiveGrant | undefined,
  { readings, ofOwner, change }: ObjectContext<LiveGrant>,
): Promise<readonly PlannedChange[]> {
  const { name, body } = wanted;
  const { role: asked } = body.value;
  const later = live ? undefined : plannedTeam(wanted, ofOwner);
  const grantee = await granteeOf(wanted, live?.id ?? later, readings);
  if ('action' in grantee) return [change(grantee.action, name, body.place, { reason: grantee.reason })];
  const made = { changes: [{ path: 'role', to: asked }], effect: 'loosens', body: body.value, ...grantee } as const;
  // A team that the same policy renames keeps its access.
  if (live?.role === undefined)
    return [change('create', name, body.place, { ...made, ...(later?.action === 'update' && { sent: true }) })];
  // A custom role has no rank.
  const includes = (most: string) => isSameRole(most, asked) || outranks(most, asked);
  if (granteeIn(live).type === 'team' && !live.isOwn && includes(live.role)) {
    const { inheritedLater: inherited } = live;
    return inherited !== undefined && includes(inherited) ? [] : [change('create', name, body.place, made)];
  }
  if (isSameRole(live.role, asked)) return [];
  if (granteeIn(live).type === 'user' && live.isOwn && includes(live.role)) {
    const elsewhere = await hasElsewhere(live, readings);
    if ('unreadable' in elsewhere) return [change('unreadable', name, body.place, { reason: elsewhere.unreadable })];
    // Taking it from the person would change nothing.
    if (elsewhere.value) return [];
  }
  const update = fieldUpdate(body.value, { role: live.role }, access);
  return update ? [change('update', name, body.place, { id: live.id, ...update })] : [];
}

/** Returns the change of the organization that creates or renames a team. */
const plannedTeam = (grantee: GranteeName, ofOwner: readonly PlannedChange[]): PlannedChange | undefined => {
  const { type, called } = granteeIn(grantee);
  return ofOwner.find(
    ({ kind, action, name }) =>
      type === kind && (action === 'create' || action === 'update') && slugOfTeam(name) === called.toLowerCase(),
  );
};

/** Returns the ID of the team or the person, or why a grant cannot be made: one of them or the custom role does not exist. */
async function granteeOf(
  { name, body }: WantedGrant,
  known: LiveGrant['id'] | PlannedChange | undefined,
  readings: OwnerReadings,
): Promise<Refusal | Pick<PlannedChange, 'team_id' | 'user_id'>> {
  const { type, called } = granteeIn({ name });
  const { names } = readings;
  try {
    if (!isBaseRole(body.value.role)) await names.idOf('role', body.value.role);
    if (type === 'team') {
      const id = typeof known === 'object' ? known.id : (known ?? (await names.idOf('team', called)));
      return typeof id === 'number' ? { team_id: id } : {};
    }
    if (typeof known === 'number') return { user_id: known };
    if (known !== undefined) return {};
    const person = await (await directoryOf(readings)).person(called);
    return person.refused ?? userIdOf(person);
  } catch (error) {
    if (error instanceof UnresolvedError) return { action: 'unresolved', reason: error.message };
    throw error;
  }
}

/**
 * Reads the grant of a change. Lists show the highest role from any source, and other changes of the policy may have raised
 * it since: a role from elsewhere hides the planned one, and counts as that.
 */
async function readLive({ action, name, target, id, before }: Step, reader: Reader): Promise<Live> {
  const read = await readGrant({ name }, target, reader);
  if ('unreadable' in read) return read;
  if (!read.value) return { value: undefined };
  const { id: found, role = '', isOwn, parent } = read.value;
  if (id !== undefined && found !== id) return { ambiguous: true };
  const isHigher = action !== 'create' && outranks(role, String(before?.role));
  const hidden =
    parent === undefined && isHigher
      ? await isFromElsewhere(read.value, target, reader)
      : { value: parent !== undefined && !isOwn };
  if ('unreadable' in hidden) return hidden;
  return { value: hidden.value ? before : { role }, id: found };
}

/** Returns the ID of the invitation that the ID of a grant is. */
function invitationIn(id: PlannedChange['id']): number | undefined {
  const [, invitation] = /^invitation:(\d+)$/.exec(String(id)) ?? [];
  return invitation === undefined ? undefined : Number(invitation);
}

function request({ action, name, target, id = '', body }: PlannedChange): StepRequest {
  const repository = pathOf(target) as { readonly owner: string; readonly repo: string };
  const { type, called } = granteeIn({ name });
  const asked = String(body?.role);
  const permission = isBaseRole(asked) ? permissionOf[asked] : asked;
  if (type === 'team') {
    const path = { org: ownerOf(target), team_slug: called, ...repository };
    return action === 'delete'
      ? { endpoint: revokeTeam, input: { path } }
      : { endpoint: grantTeam, input: { path, body: { permission } } };
  }
  const invitation = invitationIn(id);
  if (invitation !== undefined && (action === 'delete' || isBaseRole(asked))) {
    const path = { ...repository, invitation_id: invitation };
    return action === 'delete'
      ? { endpoint: cancelInvitation, input: { path } }
      : { endpoint: updateInvitation, input: { path, body: { permissions: asked } } };
  }
  const path = { ...repository, username: called };
  return action === 'delete'
    ? { endpoint: removeCollaborator, input: { path } }
    : { endpoint: addCollaborator, input: { path, body: { permission } } };
}

/** Lists what was given, with the invitations if one of them is cancelled. */
async function listDeletable(
  target: string,
  reader: Reader,
  deletions: readonly PlannedChange[],
): Promise<Reading<readonly LiveGrant[]>> {
  const listed = await listGrants(target, reader);
  if ('unreadable' in listed) return listed;
  const own = listed.value.filter(({ isOwn }) => isOwn);
  if (!deletions.some(({ id }) => invitationIn(id) !== undefined)) return { value: own };
  const invited = await invitationsTo(target, reader);
  return 'unreadable' in invited ? invited : { value: [...own, ...invited.value] };
}

async function exportAccess(target: string, { reader, notExported }: ExportReadings): Promise<Exported> {
  const listed = await listGrants(target, reader);
  if ('unreadable' in listed) {
    notExported('grants', target, listed);
    return {};
  }
  const invited = await invitationsTo(target, reader);
  if ('unreadable' in invited) notExported('invitations', target, invited);
  const own = [...listed.value.filter(({ isOwn }) => isOwn), ...('value' in invited ? invited.value : [])];
  const lists = Object.entries(types).map(([key, type]) => {
    const ofType = own.filter((grant) => granteeIn(grant).type === type);
    return [key, Object.fromEntries(ofType.map((grant) => [granteeIn(grant).called, grant.role]).toSorted())] as const;
  });
  return Object.fromEntries(lists.filter(([, roles]) => Object.keys(roles).length > 0));
}
