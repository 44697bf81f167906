/** The installations of the seeded app. */
import { bots } from '../seed/words.ts';
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

/** The installations of the apps that push to the fifth organization. */
export const pushingApps = ({ index }: OrganizationState) =>
  index === 4 ? bots.map((app_slug, place) => ({ id: 5100 + place, app_id: 51 + place, app_slug })) : [];
