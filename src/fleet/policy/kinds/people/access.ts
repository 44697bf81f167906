/** The access to a repository that teams and people were given. Pending invitations count as access. */

import * as v from 'valibot';
import { asText } from '../../../../json/exact-json.ts';
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
import { baseRoles, isBaseRole, outranks, roleOf } from '../../../../platform/repository-roles.ts';
import { nested, optional, strings } from '../../../../platform/schema.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import type { Absent } from '../../wanted/model.ts';
import { elements, member, members } from '../../wanted/placed.ts';
import { custom, logins, mapping } from '../../wanted/schema-parts.ts';
import { ownerOf } from '../../wanted/target.ts';
import type { KindDeclaration, Live } from '../kind.ts';
import type { Found, Refusal } from '../object-declaration.ts';
import { objectKind } from '../objects.ts';
import { changesOf } from './access-changes.ts';
import { exportAccess } from './access-export.ts';
import { invitationIn, requestFor } from './access-requests.ts';
import {
  type GranteeName,
  granteeIn,
  granteeTypes,
  grantOf,
  invitationsTo,
  type LiveGrant,
  listGrants,
  readGrant,
  type WantedGrant,
} from './grants.ts';
import { hasOnlyRole, isSameLogin } from './logins.ts';
import { isFromElsewhere } from './role-sources.ts';
import { slugOfTeam } from './team-names.ts';

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
  isNamed: ({ action, name, body, new_repository }) =>
    /^(?:team|user):./.test(name) &&
    hasOnlyRole(body) &&
    // Effects know roles by one name. A new repository has given nobody access.
    (body === undefined || writtenRole(asText(body.role)) === body.role) &&
    !(new_repository && action === 'update'),
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
    const refused = live?.refused ?? ('body' in key ? undefined : whyKept(live));
    return { live, all: live ? [live] : [], ...(refused && { refused }) };
  },
  changesOf: (wanted, live, context) => changesOf(wanted, live, context, access),
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
    Object.entries(granteeTypes).flatMap(([key, type]) =>
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
    Object.entries(granteeTypes).flatMap(([key, type]) =>
      elements(member(section, key)).flatMap(({ value, place }): readonly Absent<GranteeName>[] =>
        typeof value === 'string' ? [{ name: `${type}:${value}`, kind: 'access', place }] : [],
      ),
    ),
  live: readLive,
  placesOf: ({ name, body: { place } }, login) => (isSameLogin(name, `user:${login}`) ? [place] : []),
  peopleIn: (grant) => {
    const { type, called } = granteeIn(grant);
    return { [type]: called };
  },
  nameBefore,
  request: requestFor,
  listed: listDeletable,
  // The platform returns nothing, or an invitation.
  kept: ({ body = {} }) => body,
  export: exportAccess,
};

/** Returns why access cannot be taken from a team, which also has it from its parent; undefined if it can. */
function whyKept(live: LiveGrant | undefined): Refusal | undefined {
  return live?.inheritedLater === undefined
    ? undefined
    : { action: 'unresolved', reason: `inherits its role from the team “${live.parent}”` };
}

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

/**
 * Reads the grant of a change. Lists show the highest role from any source, and other changes of the policy may have raised
 * it since: a role from elsewhere hides a lower one of the grant, which counts as the planned one if the person is listed now
 * and was not before.
 */
async function readLive({ action, name, target, id, before, body }: Step, reader: Reader): Promise<Live> {
  const read = await readGrant({ name }, target, reader);
  if ('unreadable' in read) return read;
  if (!read.value) return { value: undefined };
  const { id: found, role = '', isOwn } = read.value;
  if (id !== undefined && found !== id) return { ambiguous: true };
  if (granteeIn({ name }).type === 'team') {
    const isHidden = !isOwn && (action !== 'update' || outranks(role, asText(before.role)));
    return { value: isHidden ? before : { role }, id: found };
  }
  const given = action === 'create' ? body : before;
  const hidden = outranks(role, asText(given?.role))
    ? await isFromElsewhere(read.value, target, reader)
    : { value: false };
  if ('unreadable' in hidden) return hidden;
  return { value: hidden.value ? given : { role }, id: found };
}

/** The access of a team that the same changes rename is that of its earlier name before. */
function nameBefore(grant: PlannedChange, made: readonly PlannedChange[]): string {
  const { type, called } = granteeIn(grant);
  const team = made.find(
    ({ kind, action, target, name }) =>
      kind === type && action === 'update' && target === ownerOf(grant.target) && slugOfTeam(name) === called,
  );
  const earlier = team?.before?.name;
  return typeof earlier === 'string' ? `team:${slugOfTeam(earlier)}` : grant.name;
}

/** Lists what was given, with the invitations that deletions cancel. */
async function listDeletable(
  target: string,
  reader: Reader,
  deletions: readonly PlannedChange[],
): Promise<Reading<readonly LiveGrant[]>> {
  const listed = await listGrants(target, reader);
  if ('unreadable' in listed) return listed;
  const own = listed.value.filter(({ isOwn }) => isOwn);
  const unlisted = deletions.filter((deletion) =>
    deletion.id === undefined ? !grantOf(deletion, own) : invitationIn(deletion.id) !== undefined,
  );
  if (unlisted.length === 0) return { value: own };
  const invited = await invitationsTo(target, reader);
  if ('unreadable' in invited) return invited;
  const isCancelled = (grant: LiveGrant) =>
    unlisted.some(({ id, name }) => (id === undefined ? isSameLogin(name, grant.name) : id === grant.id));
  return { value: [...own, ...invited.value.filter(isCancelled)] };
}
