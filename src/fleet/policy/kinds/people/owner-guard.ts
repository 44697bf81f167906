/** Guards the owners of an organization: enough of them remain, and the token’s owner is one of them. */
import type { PlannedChange } from '../../live/change.ts';
import type { Reading } from '../../live/requests.ts';
import type { GuardContext } from '../kind.ts';
import { listedMember, membership } from './directory.ts';
import { isSameLogin, ownLogin } from './logins.ts';

/** The key of the number of owners that must remain. */
export const leastOwnersKey = 'min_owners';

export const defaultLeastOwners = 2;

const owner = 'admin';

export const roleOf = (body: unknown): unknown => (body as { readonly role?: unknown } | undefined)?.role;

/** Returns whether a change ends the role of an owner, or may do so: an undo plan can start from either value, or from any role. */
export const endsOwnership = ({ action, before, body, between }: PlannedChange): boolean =>
  (action === 'update' || action === 'delete') &&
  roleOf(body) !== owner &&
  (roleOf(before) === owner || roleOf(between) === owner || (roleOf(before) ?? roleOf(between)) === undefined);

/** Returns why owners must not lose their role: too few would remain, or one of them is the token’s owner. */
export async function guardOwners(
  changes: readonly PlannedChange[],
  { target: org, reader, allowsSelf }: GuardContext,
): Promise<readonly string[]> {
  const ending = changes.filter(endsOwnership);
  if (ending.length === 0) return [];
  const listed = await reader.list(listedMember, { path: { org }, query: { role: owner } });
  if ('unreadable' in listed) return [`The owners of ${org} cannot be counted (${listed.unreadable}).`];
  const owners = listed.value.map(({ login }) => login);
  const loses = (login: string) => ending.some(({ name }) => isSameLogin(name, login));
  if (!owners.some(loses)) return [];
  const promoted = changes.filter(({ action, body }) => action === 'update' && roleOf(body) === owner);
  // The file of a plan may promote somebody and then remove them.
  const kept = promoted.filter(
    ({ name }) => !changes.some((other) => isSameLogin(other.name, name) && roleOf(other.body) !== owner),
  );
  const others = kept.filter(({ name }) => !owners.some((login) => isSameLogin(name, login)));
  const least = Math.max(...ending.map((change) => change.least ?? defaultLeastOwners));
  let left = owners.filter((login) => !loses(login)).length;
  for (const { name } of left < least ? others : []) {
    const read = await reader.find(membership, { path: { org, username: name } });
    if ('unreadable' in read) return [`The owners of ${org} cannot be counted (${read.unreadable}).`];
    // Whoever is only invited may never own it.
    if (read.value?.state === 'active') left++;
  }
  return [
    ...(left < least
      ? [
          `${org} would keep ${left === 1 ? '1 owner' : `${left} owners`} and needs ${least} (members.${leastOwnersKey}).`,
        ]
      : []),
    ...(allowsSelf ? [] : endsOwn(org, loses, await ownLogin(reader))),
  ];
}

/** Returns why the owner of the token may not lose their role, if they do or may do so. */
function endsOwn(org: string, loses: (login: string) => boolean, own: Reading<string>): readonly string[] {
  const allow = 'To allow that, add --allow-self.';
  if ('unreadable' in own) return [`The owner of the token may no longer own ${org} (${own.unreadable}). ${allow}`];
  return loses(own.value) ? [`${own.value}, the owner of the token, would no longer own ${org}. ${allow}`] : [];
}
