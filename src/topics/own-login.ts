import type { Session } from '../cli/command/session.ts';
import { unlessHidden } from '../client/errors.ts';
import { getAuthenticatedUser } from '../platform/endpoints/accounts.ts';

/** Returns the login of the token’s owner; undefined for tokens of installations. */
export async function ownLogin(session: Session): Promise<string | undefined> {
  const { tokenKind } = await session.connection();
  if (tokenKind === 'installation') return undefined;
  return (await unlessHidden(session.call(getAuthenticatedUser, {}, {})))?.login;
}

/** Logins are case-insensitive; a record of another shape has none. */
export const isSameLogin = (login: unknown, other: string): boolean =>
  typeof login === 'string' && login.toLowerCase() === other.toLowerCase();
