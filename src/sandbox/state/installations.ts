/** The installations of the seeded app. */
import type { Account, Accounts, OrganizationState } from './accounts.ts';

/** Of the first organizations in order of creation; the app is not installed on the third, nor on any after the fourth. */
const installations = ['active', 'suspended', undefined, 'active'] as const;

export const installedOn = (accounts: Accounts): OrganizationState[] =>
  installations
    .slice(0, accounts.organizationCount)
    .flatMap((state, index) => (state ? [accounts.organizationAt(index)] : []));

/** Returns the state of the app's installation on an account; undefined without one. */
export const installationOn = (account: Account): (typeof installations)[number] | undefined =>
  account.type === 'Organization' ? installations[account.index] : undefined;
