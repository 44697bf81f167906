/** Checks of people, one of whom is enough for a finding. */
import type { Member } from '../../platform/records.ts';
import { type Context, type Fix, fail, pass, type Verdict } from './check.ts';

/** Returns a failure for each person, or a pass if there is none. */
export const eachPerson = (
  people: readonly Member[],
  message: (login: string) => string,
  fix: (login: string) => Fix,
): readonly Verdict[] => {
  if (people.length === 0) return [pass];
  return people.map(({ login, html_url: url }) =>
    fail(message(login), [{ name: login, ...(url && { url }) }], fix(login), { object: login }),
  );
};

/** Removes a member from the organization. */
export const removal = ({ owner }: Context, login: string): Fix => ({ command: ['members', 'remove', owner, login] });
