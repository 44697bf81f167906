import type { Session } from '../cli/command/session.ts';
import { GuardError } from '../cli/errors.ts';
import { unlessHidden } from '../client/errors.ts';
import { getAuthenticatedUser } from '../platform/endpoints/accounts.ts';

/**
 * Throws GuardError if a person owns the token, or may own it: tokens of installations belong to nobody.
 *
 * @param effect what the command does to the token’s owner, such as “changes your own membership”
 * @param possible the same with “may”
 */
export async function refuseSelf(session: Session, person: string, effect: string, possible: string): Promise<void> {
  const { tokenKind } = await session.connection();
  if (tokenKind === 'installation') return;
  const login: unknown = (await unlessHidden(session.call(getAuthenticatedUser, {}, {})))?.login;
  const isKnown = typeof login === 'string' && login !== '';
  if (isKnown && !isSameLogin(login, person)) return;
  const what = isKnown ? effect : `${possible}, because GET /user does not show whose token this is`;
  throw new GuardError(`${what}; allow it with --allow-self. Nothing was sent.`);
}

/** Logins are case-insensitive; a record of another shape has none. */
export const isSameLogin = (login: unknown, other: string): boolean =>
  typeof login === 'string' && login.toLowerCase() === other.toLowerCase();
