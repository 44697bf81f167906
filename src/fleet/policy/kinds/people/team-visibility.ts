/** Who sees all teams of an organization. */
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { directoryOf } from './directory.ts';
import { isSameLogin } from './logins.ts';

/** Returns why a list may lack teams. Public platform, About teams: secret teams are visible to owners and to their members. */
export async function whyTeamsLack(readings: OwnerReadings): Promise<string | undefined> {
  const { identity } = readings;
  if (identity === undefined || identity.startsWith('app:')) return undefined;
  const listed = await (await directoryOf(readings)).members();
  const isOwner =
    'value' in listed && listed.value.some(({ name, role }) => role === 'admin' && isSameLogin(name, identity));
  return isOwner ? undefined : `secret teams are not listed for ${identity}, who is not an owner`;
}
