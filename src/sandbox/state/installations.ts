/** The installations of the seeded app. */
import type { Account, Accounts, OrganizationState } from './accounts.ts';

/** On the first two organizations in order of creation; the second is suspended. */
const installations = ['active', 'suspended'] as const;

/** Returns the organizations that the app is installed on. */
export const installedOn = (accounts: Accounts): OrganizationState[] =>
  installations.slice(0, accounts.organizationCount).map((_, index) => accounts.organizationAt(index));

/** Returns the state of the app's installation on an account; undefined without one. */
export const installationOn = (account: Account): (typeof installations)[number] | undefined =>
  account.type === 'Organization' ? installations[account.index] : undefined;
