/** The owners and other members of an organization. Pending invitations count as members. */
import * as v from 'valibot';
import { getUser } from '../../../../platform/endpoints/accounts.ts';
import { getMembership, removeMembership, setMembership } from '../../../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../../../platform/endpoints/orgs.ts';
import type { Actor, User } from '../../../../platform/records.ts';
import { memberships } from '../../../../platform/resources/members.ts';
import { integer, nested, optional } from '../../../../platform/schema.ts';
import { readAll } from '../../../read-all.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { type Wanted, wantedOf } from '../../wanted/model.ts';
import { elements, member } from '../../wanted/placed.ts';
import { logins, mapping } from '../../wanted/schema-parts.ts';
import { fieldUpdate } from '../field-update.ts';
import type { Exported, ExportReadings, GuardContext, KindDeclaration, Live } from '../kind.ts';
import type { Found, Listed, ObjectContext, PlannedList, Refusal } from '../object-declaration.ts';
import { objectKind } from '../objects.ts';
import { isSameLogin, ownLogin } from './logins.ts';

interface Login {
  readonly name: string;
}

/** A person with their role, or the number of owners that an organization keeps. */
interface WantedMember extends Login, Wanted {
  readonly leastOwners?: number;
}

/** A member, or what is known of a declared person whom the lists of members lack. */
interface LiveMember extends Login {
  readonly id: number | string;
  /** Absent for a person who is neither a member nor invited. */
  readonly role?: string;
  readonly isListed?: true;
  /** Why the person cannot be planned. */
  readonly refused?: Refusal;
}

/** The keys of the section, with the roles of their people. */
const roles = { owners: 'admin', members: 'member' } as const;

const leastOwnersKey = 'min_owners';

const defaultLeastOwners = 2;

const people = objectKind<WantedMember, Login, LiveMember>({
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
  explain: ({ name, leastOwners, body: { value, place } }) =>
    leastOwners === undefined
      ? [{ name, field: 'role', value: roleOf(value) === roles.owners ? 'owner' : 'member', place }]
      : [{ field: leastOwnersKey, value, place }],
  isNamed: ({ name }) => name !== '',
  givesAccess: true,
  reads: [listOrganizationMembers.route, getMembership.route, getUser.route],
  writes: [setMembership.route, removeMembership.route],
  resource: memberships,
  idParameter: 'username',
  list: listPeople,
  bodyOf: ({ role }) => ({ role }),
  isOwn: ({ isListed }) => isListed === true,
  find(key, people): Found<LiveMember> {
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
    const changes = await people.plan({ ...wanted, wanted: new Map([['members', persons]]) }, readings, ofOwner);
    if (least === undefined) return changes;
    return changes.map((change) => (endsOwnership(change) ? ({ ...change, least } as PlannedChange) : change));
  },
  live: readMember,
  request({ action, target: org, name: username, body }) {
    const path = { org, username };
    return action === 'delete'
      ? { endpoint: removeMembership, input: { path } }
      : { endpoint: setMembership, input: { path, ...(body && { body }) } };
  },
  export: exportMembers,
};

const byName = (a: Login, b: Login): number => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);

const roleOf = (body: unknown): unknown => (body as { readonly role?: unknown } | undefined)?.role;

const account = { id: v.number(), login: v.string() };
const listedMember = checked(listOrganizationMembers, shape<Actor>(account));
const membership = checked(getMembership, shape<{ role: string; user: Login & { id: number } }>({ role: v.string() }));
const user = checked(getUser, shape<User>({ ...account, type: v.string() }));

/** Lists the owners and the other members. */
async function listMembers(org: string, reader: Reader): Promise<Reading<readonly LiveMember[]>> {
  const all: LiveMember[] = [];
  for (const role of Object.values(roles)) {
    const read = await reader.list(listedMember, { path: { org }, query: { role } });
    if ('unreadable' in read) return read;
    for (const { id, login: name } of read.value) all.push({ id, name, role, isListed: true });
  }
  return { value: all };
}

/** Lists the members, and reads the declared people who are not among them. */
async function listPeople(org: string, reader: Reader, planned?: PlannedList<Login>): Promise<Listed<LiveMember>> {
  const listed = await listMembers(org, reader);
  if ('unreadable' in listed || !planned) return listed;
  const { keys, isManaged, readings } = planned;
  const known = new Set(listed.value.map(({ name }) => name.toLowerCase()));
  const others = keys.filter(({ name }) => !known.has(name.toLowerCase()));
  const all = [...listed.value];
  for await (const found of readAll(others, (key) => unlisted(org, key, reader.forTask()))) all.push(...found);
  const incomplete = isManaged ? await whyIncomplete(org, listed.value, readings) : undefined;
  return { value: all, ...(incomplete !== undefined && { incomplete }) };
}

/**
 * Returns why a list may lack members: somebody who may not see all of them gets the public ones. A member sees them all, also
 * their own membership, with any scopes; others are members or may see them if they may read the membership of one.
 */
async function whyIncomplete(
  org: string,
  listed: readonly LiveMember[],
  { reader, identity }: Pick<OwnerReadings, 'reader' | 'identity'>,
): Promise<string | undefined> {
  const isMember = identity !== undefined && listed.some(({ name }) => isSameLogin(name, identity));
  const [first] = listed.toSorted(byName);
  if (!first) return 'only public members are listed';
  if (isMember && reader.hasScopes) return undefined;
  const read = await reader.get(membership, { path: { org, username: first.name } });
  return 'unreadable' in read ? `only public members are listed (${read.unreadable})` : undefined;
}

/** Reads a person who is not a member: invited, a stranger, or unknown. A stranger to remove is not there. */
async function unlisted(org: string, key: Login, reader: Reader): Promise<readonly LiveMember[]> {
  const { name } = key;
  const refused = (action: Refusal['action'], reason: string): readonly LiveMember[] => [
    { id: name, name, refused: { action, reason } },
  ];
  const invited = await reader.find(membership, { path: { org, username: name } });
  if ('unreadable' in invited) return refused('unreadable', invited.unreadable);
  if (invited.value) return [{ id: invited.value.user?.id ?? name, name, role: invited.value.role }];
  if (!('body' in key)) return [];
  const found = await reader.find(user, { path: { username: name } });
  if ('unreadable' in found) return refused('unreadable', found.unreadable);
  if (!found.value) return refused('unresolved', `no user “${name}”; the login may have changed`);
  const { id, login, type } = found.value;
  return type === 'User' ? [{ id, name: login }] : refused('unresolved', `“${login}” is an account of type ${type}`);
}

/** Returns why an undeclared person is kept: an unknown login that the policy declares may be their earlier one. */
function spared({ name }: LiveMember, people: readonly LiveMember[]): (Refusal & Login) | undefined {
  const [unknown, ...others] = people.filter(({ refused }) => refused?.action === 'unresolved').toSorted(byName);
  if (!unknown) return undefined;
  const more = others.length ? ` or of ${others.length} more` : '';
  return { action: 'unresolved', name, reason: `not declared, but perhaps the new login of “${unknown.name}”${more}` };
}

function changesOf(
  { body: { value, place } }: WantedMember,
  live: LiveMember | undefined,
  { change }: ObjectContext<LiveMember>,
): readonly PlannedChange[] {
  if (!live) return [];
  const { id, name, role } = live;
  const body = value as { readonly role: string };
  if (role === undefined)
    return [change('create', name, place, { changes: [{ path: 'role', to: body.role }], effect: 'loosens', body })];
  const update = fieldUpdate(body, { role }, members);
  return update ? [change('update', name, place, { id, ...update })] : [];
}

/** Reads the membership of a change. Somebody else may have the login by now. */
async function readMember({ target: org, name: username, id }: Step, reader: Reader): Promise<Live> {
  const read = await reader.find(membership, { path: { org, username } });
  if ('unreadable' in read) return read;
  if (!read.value) return { value: undefined };
  const { role, user: its } = read.value;
  return id !== undefined && its?.id !== id ? { ambiguous: true } : { value: { role } };
}

/** Returns whether a change ends the role of an owner. */
const endsOwnership = ({ action, before, body }: PlannedChange): boolean =>
  (action === 'update' || action === 'delete') && roleOf(before) === roles.owners && roleOf(body) !== roles.owners;

/** Returns why owners must not lose their role: too few would remain, or one of them is the token’s owner. */
async function guardOwners(
  changes: readonly PlannedChange[],
  { target: org, reader, allowsSelf }: GuardContext,
): Promise<readonly string[]> {
  const ending = changes.filter(endsOwnership);
  if (ending.length === 0) return [];
  const listed = await reader.list(listedMember, { path: { org }, query: { role: roles.owners } });
  if ('unreadable' in listed) return [`The owners of ${org} cannot be counted (${listed.unreadable}).`];
  const owners = listed.value.map(({ login }) => login);
  const loses = (login: string) => ending.some(({ name }) => isSameLogin(name, login));
  const promoted = changes.filter(({ action, body }) => action === 'update' && roleOf(body) === roles.owners);
  const others = promoted.filter(({ name }) => !owners.some((login) => isSameLogin(name, login)));
  const left = owners.filter((login) => !loses(login)).length + others.length;
  const least = ending[0]?.least ?? defaultLeastOwners;
  const own = allowsSelf ? undefined : await ownLogin(reader);
  return [
    ...(owners.some(loses) && left < least
      ? [
          `${org} would keep ${left === 1 ? '1 owner' : `${left} owners`} and needs ${least} (members.${leastOwnersKey}).`,
        ]
      : []),
    ...(own !== undefined && owners.some((login) => isSameLogin(login, own)) && loses(own)
      ? [`${own}, the owner of the token, would no longer own ${org}. To allow that, add --allow-self.`]
      : []),
  ];
}

async function exportMembers(org: string, readings: ExportReadings): Promise<Exported> {
  const skipped = (unreadable: string): Exported => {
    readings.notExported('members', org, { unreadable });
    return {};
  };
  const listed = await listMembers(org, readings.reader);
  if ('unreadable' in listed) return skipped(listed.unreadable);
  const incomplete = await whyIncomplete(org, listed.value, readings);
  if (incomplete !== undefined) return skipped(incomplete);
  const loginsOf = (role: string): readonly string[] =>
    listed.value
      .filter((each) => each.role === role)
      .toSorted(byName)
      .map(({ name }) => name);
  const lists = Object.entries(roles).map(([key, role]) => [key, loginsOf(role)] as const);
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0));
}
