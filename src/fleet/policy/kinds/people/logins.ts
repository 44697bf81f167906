/** Logins of people. */
import * as v from 'valibot';
import { getAuthenticatedUser } from '../../../../platform/endpoints/accounts.ts';
import type { AuthenticatedUser } from '../../../../platform/records.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader } from '../../live/requests.ts';

/** What is identified by a login. */
export interface Login {
  readonly name: string;
}

/** Returns whether two logins are those of the same person: they ignore case. */
export const isSameLogin = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const byLogin = (a: Login, b: Login): number => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);

const authenticated = checked(getAuthenticatedUser, shape<AuthenticatedUser>({ login: v.optional(v.string()) }));

/** Returns the login of the token’s owner; undefined for the token of an app. */
export async function ownLogin(reader: Reader): Promise<string | undefined> {
  const read = await reader.get(authenticated, {});
  return 'value' in read ? read.value.login : undefined;
}
