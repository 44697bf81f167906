/** Logins of people. */
import * as v from 'valibot';
import { getAuthenticatedUser } from '../../../../platform/endpoints/accounts.ts';
import type { AuthenticatedUser } from '../../../../platform/records.ts';
import type { Given } from '../../../../platform/validate.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';

/** What is identified by a login. */
export interface Login {
  readonly name: string;
}

/** Returns whether two logins are those of the same person: they ignore case. */
export const isSameLogin = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export const byLogin = (a: Login, b: Login): number => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);

/** Returns whether a body has a role and nothing else: without one, the platform chooses the role. */
export const hasOnlyRole = (body: Given | undefined): boolean =>
  body === undefined || (typeof body.role === 'string' && Object.keys(body).length === 1);

const authenticated = checked(getAuthenticatedUser, shape<AuthenticatedUser>({ login: v.optional(v.string()) }));

/** Reads the login of the token’s owner. */
export async function ownLogin(reader: Reader): Promise<Reading<string>> {
  const read = await reader.get(authenticated, {});
  if ('unreadable' in read) return read;
  const { login } = read.value;
  return login === undefined ? { unreadable: 'GET /user returned no login' } : { value: login };
}
