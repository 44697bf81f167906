/** The teams of organizations, of which only the ids matter here. */
import type { Account } from './accounts.ts';

/** How many each organization has; their ids count up from 1 in the order of the organizations' creation. */
const perOrganization = 3;

/** Returns whether a team is one of an account's; users have none. */
export const hasTeam = (account: Account, id: number): boolean =>
  account.type === 'Organization' && Math.floor((id - 1) / perOrganization) === account.index;
