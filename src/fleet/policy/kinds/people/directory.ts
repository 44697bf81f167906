/** The people of an organization, whom plans and exports read once for all kinds. */
import * as v from 'valibot';
import { getUser } from '../../../../platform/endpoints/accounts.ts';
import { getMembership } from '../../../../platform/endpoints/members.ts';
import { listOrganizationMembers } from '../../../../platform/endpoints/orgs.ts';
import type { Actor, User } from '../../../../platform/records.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import type { Refusal } from '../object-declaration.ts';
import { byLogin, isSameLogin, type Login } from './logins.ts';

/** A member, or what is known of a person whom the lists of members lack. */
export interface Person extends Login {
  readonly id: number | string;
  /** `admin` means owner. Absent for a person who is neither a member nor invited. */
  readonly role?: string;
  /** True for members, absent for invited people and strangers. */
  readonly isListed?: true;
  /** Why the person cannot be planned. */
  readonly refused?: Refusal;
}

/** Returns the ID of a person for a change; none of an invited one whose account was deleted. */
export const userIdOf = ({ id }: Pick<Person, 'id'>): { readonly user_id?: number } =>
  typeof id === 'number' ? { user_id: id } : {};

const account = { id: v.number(), login: v.string() };

export const listedMember = checked(listOrganizationMembers, shape<Actor>(account));

/** The user is null for an account that was deleted. */
export const membership = checked(getMembership, shape<{ role: string }>({ role: v.string() }));

const user = checked(getUser, shape<User>({ ...account, type: v.string() }));

/** Lists the owners of an organization, and then its other members. */
export async function listMembers(reader: Reader, org: string): Promise<Reading<readonly Person[]>> {
  const all: Person[] = [];
  for (const role of ['admin', 'member'] as const) {
    const read = await reader.list(listedMember, { path: { org }, query: { role } });
    if ('unreadable' in read) return read;
    for (const { id, login: name } of read.value) all.push({ id, name, role, isListed: true });
  }
  return { value: all };
}

/** Returns the directory of an organization. */
export const directoryOf = ({ shared }: OwnerReadings): Promise<Directory> => shared(openDirectory);

const openDirectory = async (reader: Reader, org: string): Promise<Directory> => new Directory(reader, org);

export class Directory {
  readonly #reader: Reader;
  readonly #org: string;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(reader: Reader, org: string) {
    this.#reader = reader;
    this.#org = org;
  }

  /** Lists the members. */
  members(): Promise<Reading<readonly Person[]>> {
    return this.#once('', () => listMembers(this.#reader, this.#org));
  }

  /** Returns a person by login: a member, an invited one, a stranger, or one who cannot be planned. */
  person(name: string): Promise<Person> {
    return this.#once(`person ${name.toLowerCase()}`, async () => {
      const known = await this.member(name);
      if (known) return known;
      const read = await this.#reader.forTask().find(user, { path: { username: name } });
      if ('unreadable' in read) return refused(name, 'unreadable', read.unreadable);
      if (!read.value) return refused(name, 'unresolved', `no user “${name}”; the login may have changed`);
      const { id, login, type } = read.value;
      if (type !== 'User') return refused(name, 'unresolved', `“${login}” is an account of type ${type}`);
      return { id, name: login };
    });
  }

  /** Returns a member or an invited person by login; undefined for all others. */
  member(name: string): Promise<Person | undefined> {
    return this.#once(`member ${name.toLowerCase()}`, async () => {
      const listed = await this.members();
      if ('unreadable' in listed) return refused(name, 'unreadable', listed.unreadable);
      const known = listed.value.find((each) => isSameLogin(each.name, name));
      if (known) return known;
      const invited = await this.#reader.forTask().find(membership, { path: { org: this.#org, username: name } });
      if ('unreadable' in invited) return refused(name, 'unreadable', invited.unreadable);
      return invited.value && { id: invited.value.user?.id ?? name, name, role: invited.value.role };
    });
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = (this.#known.get(key) as Promise<T> | undefined) ?? read();
    this.#known.set(key, known);
    return known;
  }
}

const refused = (name: string, action: Refusal['action'], reason: string): Person => ({
  id: name,
  name,
  refused: { action, reason },
});

/**
 * Returns why a list may lack members: somebody who may not see all of them gets the public ones. A member sees them all, with
 * any scopes, and so does everybody who may read the membership of one.
 */
export async function whyIncomplete(
  org: string,
  listed: readonly Person[],
  { reader, identity }: Pick<OwnerReadings, 'reader' | 'identity'>,
): Promise<string | undefined> {
  const [first] = listed.toSorted(byLogin);
  if (!first) return 'only public members are listed';
  const isMember = identity !== undefined && listed.some(({ name }) => isSameLogin(name, identity));
  if (isMember && reader.hasScopes) return undefined;
  const read = await reader.get(membership, { path: { org, username: first.name } });
  return 'unreadable' in read ? `only public members are listed (${read.unreadable})` : undefined;
}
