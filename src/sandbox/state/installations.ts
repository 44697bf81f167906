/** The installations of the seeded app. */
import { isLax } from '../seed/postures.ts';
import { bots } from '../seed/words.ts';
import type { Account, Accounts, OrganizationState } from './accounts.ts';

/** Of the first organizations in order of creation; the app is not installed on the third, nor on any after the fourth. */
const installations = ['active', 'suspended', undefined, 'active'] as const;

export const installedOn = (accounts: Accounts): OrganizationState[] =>
  installations
    .slice(0, accounts.organizationCount)
    .map((_, index) => accounts.organizationAt(index))
    .filter((organization) => installationOn(organization) !== undefined);

/** Returns the state of the app's installation on an account; undefined without one. */
export const installationOn = (account: Account): (typeof installations)[number] | undefined =>
  account.type === 'Organization' && !account.isEmpty ? installations[account.index] : undefined;

/** Installations of other apps: those that push to the fifth organization, and those that an empty one knows. */
export function otherInstallations(accounts: Accounts, organization: OrganizationState) {
  const { index, isEmpty } = organization;
  const slugs = isEmpty ? accounts.known.apps : isLax(organization) ? bots : [];
  const first = isEmpty ? 6000 + index * 1000 : 5100;
  return slugs.map((app_slug, place) => ({ id: first + place, app_id: (isEmpty ? 100_001 : 51) + place, app_slug }));
}
