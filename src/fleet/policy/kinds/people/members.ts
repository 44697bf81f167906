/** The owners and other members of an organization. Pending invitations count as members. */
import { getUser } from '../../../../platform/endpoints/accounts.ts';
import { getMembership, removeMembership, setMembership } from '../../../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../../../platform/endpoints/orgs.ts';
import { memberships } from '../../../../platform/resources/members.ts';
import { integer, nested, optional } from '../../../../platform/schema.ts';
import { readAll } from '../../../read-all.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import type { Reader } from '../../live/requests.ts';
import { type Wanted, type WantedTarget, wantedOf } from '../../wanted/model.ts';
import { elements, member } from '../../wanted/placed.ts';
import { logins, mapping } from '../../wanted/schema-parts.ts';
import { fieldUpdate } from '../field-update.ts';
import type { Exported, ExportReadings, KindDeclaration, Live } from '../kind.ts';
import type { Found, Listed, ObjectContext, PlannedList, Refusal } from '../object-declaration.ts';
import { objectKind } from '../objects.ts';
import { directoryOf, listMembers, membership, type Person, userIdOf, whyIncomplete } from './directory.ts';
import { byLogin, hasOnlyRole, isSameLogin, type Login } from './logins.ts';
import { defaultLeastOwners, endsOwnership, guardOwners, leastOwnersKey, roleOf } from './owner-guard.ts';
import type { WantedTeam } from './team-list.ts';

/** A person with their role, or the number of owners that an organization keeps. */
interface WantedMember extends Login, Wanted {
  readonly leastOwners?: number;
}

/** The keys of the section, with the roles of their people. */
const roles = { owners: 'admin', members: 'member' } as const;

const people = objectKind<WantedMember, Login, Person>({
  name: 'member',
  targets: ['organization'],
  schema: {
    organization: optional(
      nested(
        mapping({
          owners: optional(logins('Logins of the owners')),
          members: optional(logins('Logins of the other members')),
          [leastOwnersKey]: optional(
            integer('Number of owners that must remain', { min: 1, default: defaultLeastOwners }),
          ),
        }),
        'Members of the organizations',
      ),
    ),
  },
  absentSchema: { organization: optional(logins('Logins of people to remove')) },
  checkedAs: {},
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  labelOf: ({ name }) => (name === leastOwnersKey ? `members.${leastOwnersKey}` : `member “${name}”`),
  ignoresCase: true,
  placesOf: ({ name, leastOwners, body: { place } }, login) =>
    leastOwners === undefined && isSameLogin(name, login) ? [place] : [],
  explain: ({ name, leastOwners, body: { value, place } }) =>
    leastOwners === undefined
      ? [{ name, field: 'role', value: roleOf(value) === roles.owners ? 'owner' : 'member', place }]
      : [{ field: leastOwnersKey, value, place }],
  isNamed: ({ name, body }) => name !== '' && hasOnlyRole(body),
  takesAccess: ({ action, effect }) => action === 'delete' || effect === 'tightens',
  standsAlone: true,
  reads: [listOrganizationMembers.route, getMembership.route, getUser.route],
  writes: [setMembership.route, removeMembership.route],
  resource: memberships,
  idParameter: 'username',
  list: listPeople,
  bodyOf: ({ role }) => ({ role }),
  isOwn: ({ isListed }) => isListed === true,
  find(key, people): Found<Person> {
    const live = people.find(({ name }) => isSameLogin(name, key.name));
    return { live, all: live ? [live] : [], ...(live?.refused && { refused: live.refused }) };
  },
  spared,
  changesOf,
  effects: effectRows({
    'admin < member': {
      role: 'The role to give the user in the organization.',
    },
  }),
  creation: () => 'loosens',
  lostWith: 'the teams and access of removed members',
  deletion: 'tightens',
  guardedFrom: 3,
  guard: guardOwners,
});

export const members: KindDeclaration<WantedMember, Login> = {
  ...people,
  bodies: (section) => [['', section]],
  parse: (section) => [
    ...Object.entries(roles).flatMap(([key, role]) =>
      elements(member(section, key)).flatMap(({ value, place }): readonly WantedMember[] =>
        typeof value === 'string' ? [{ name: value, body: { value: { role }, place, parts: new Map() } }] : [],
      ),
    ),
    ...[member(section, leastOwnersKey) ?? []]
      .flat()
      .map((body): WantedMember => ({ name: leastOwnersKey, leastOwners: Number(body.value), body })),
  ],
  async plan(wanted, readings, ofOwner) {
    const declared = wantedOf<WantedMember>(wanted, 'members');
    const least = declared.find(({ leastOwners }) => leastOwners !== undefined)?.leastOwners;
    const persons = declared.filter(({ leastOwners }) => leastOwners === undefined);
    const planned = await people.plan({ ...wanted, wanted: new Map([['members', persons]]) }, readings, ofOwner);
    const changes = planned.filter(({ undeclared, name }) => !undeclared || !isInTeam(wanted, name, readings));
    if (least === undefined) return changes;
    return changes.map((change) => (endsOwnership(change) ? ({ ...change, least } as PlannedChange) : change));
  },
  live: readMember,
  peopleIn: ({ name: user }) => ({ user }),
  request({ action, target: org, name: username, body }) {
    const path = { org, username };
    return action === 'delete'
      ? { endpoint: removeMembership, input: { path } }
      : { endpoint: setMembership, input: { path, ...(body && { body }) } };
  },
  export: exportMembers,
};

/** Returns whether a policy declares a person in a team, whose members are members of the organization; reports it. */
function isInTeam({ wanted, target }: WantedTarget, login: string, { warn }: OwnerReadings): boolean {
  const team = wantedOf<WantedTeam>({ wanted }, 'teams').find(({ people }) =>
    people?.some(({ name }) => isSameLogin(name, login)),
  );
  if (team) warn(`${login} is declared in the team ${team.name}, but not as a member of ${target}; not removed.`);
  return team !== undefined;
}

/** Returns the role that a policy declares for a person. */
export function declaredRole(wanted: Pick<WantedTarget, 'wanted'>, login: string): unknown {
  const declared = wantedOf<WantedMember>(wanted, 'members').find(
    ({ name, leastOwners }) => leastOwners === undefined && isSameLogin(name, login),
  );
  return roleOf(declared?.body.value);
}

/** Lists the members, and reads the declared people who are not among them. A stranger to remove is not there. */
async function listPeople(org: string, reader: Reader, planned?: PlannedList<Login>): Promise<Listed<Person>> {
  if (!planned) return listMembers(reader, org);
  const { keys, isManaged, readings } = planned;
  const directory = await directoryOf(readings);
  const listed = await directory.members();
  if ('unreadable' in listed) return listed;
  const known = new Set(listed.value.map(({ name }) => name.toLowerCase()));
  const others = keys.filter(({ name }) => !known.has(name.toLowerCase()));
  const all = [...listed.value];
  const read = (key: Login) => ('body' in key ? directory.person(key.name) : directory.member(key.name));
  for await (const found of readAll(others, read)) if (found) all.push(found);
  const incomplete = isManaged ? await whyIncomplete(org, listed.value, readings) : undefined;
  return { value: all, ...(incomplete !== undefined && { incomplete }) };
}

/** Returns why an undeclared person is kept: an unknown login that the policy declares may be their earlier one. */
function spared({ name }: Person, people: readonly Person[]): (Refusal & Login) | undefined {
  const [unknown, ...others] = people.filter(({ refused }) => refused?.action === 'unresolved').toSorted(byLogin);
  if (!unknown) return undefined;
  const more = others.length ? ` or of ${others.length} more` : '';
  return { action: 'unresolved', name, reason: `not declared, but perhaps the new login of “${unknown.name}”${more}` };
}

function changesOf(
  { body: { value, place } }: WantedMember,
  live: Person | undefined,
  { change }: ObjectContext<Person>,
): readonly PlannedChange[] {
  if (!live) return [];
  const { id, name, role } = live;
  const body = value as { readonly role: string };
  if (role === undefined) {
    const changes = [{ path: 'role', to: body.role }];
    return [change('create', name, place, { changes, effect: 'loosens', body, ...userIdOf(live) })];
  }
  const update = fieldUpdate(body, { role }, members);
  return update ? [change('update', name, place, { id, ...update })] : [];
}

/** Reads the membership of a change. Somebody else may have the login by now. */
async function readMember({ target: org, name: username, id }: Step, reader: Reader): Promise<Live> {
  const read = await reader.find(membership, { path: { org, username } });
  if ('unreadable' in read) return read;
  if (!read.value) return { value: undefined };
  const { role, user } = read.value;
  return id !== undefined && user?.id !== id ? { ambiguous: true } : { value: { role } };
}

async function exportMembers(org: string, readings: ExportReadings): Promise<Exported> {
  const skipped = (unreadable: string): Exported => {
    readings.notExported('members', org, { unreadable });
    return {};
  };
  const listed = await (await directoryOf(readings)).members();
  if ('unreadable' in listed) return skipped(listed.unreadable);
  const incomplete = await whyIncomplete(org, listed.value, readings);
  if (incomplete !== undefined) return skipped(incomplete);
  const loginsOf = (role: string): readonly string[] =>
    listed.value
      .filter((each) => each.role === role)
      .toSorted(byLogin)
      .map(({ name }) => name);
  const lists = Object.entries(roles).map(([key, role]) => [key, loginsOf(role)] as const);
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}
