/** Runs over several organizations as an app, which has an installation with its own tokens and rate limit on each. */
import * as Flags from '@oclif/core/flags';
import type { Connection } from '../../cli/account/connection.ts';
import type { Session } from '../../cli/command/session.ts';
import { isRefusedInstallation, RateLimitError } from '../../client/errors.ts';
import type { Installation } from '../../platform/records.ts';
import { nameOf } from '../each/targets.ts';

export const allInstallationsFlag = {
  'all-installations': Flags.boolean({
    description: 'All organizations that the app is installed on, even if the profile selects one',
  }),
};

/** Makes requests use the installation on their organization, even if the profile selects one. */
export async function useEachInstallation(session: Session): Promise<void> {
  const connection = await session.connection();
  const { credential } = connection;
  if (credential?.app)
    session.use({ ...connection, credential: { ...credential, app: { ...credential.app, installation: undefined } } });
}

/** Returns whether requests use the installation on the organization that they name. */
export const usesEachInstallation = ({ credential }: Connection): boolean =>
  credential?.app !== undefined && credential.app.installation === undefined;

/** Returns the rate limit groups of a run: its organizations, if each has an installation of its own. */
export const rateLimitGroupOf = (connection: Connection): ((target: string) => string) | undefined =>
  usesEachInstallation(connection) ? organizationOf : undefined;

const organizationOf = (target: string) => (target.split('/', 1)[0] ?? target).toLowerCase();

/** Returns the organization of an installation; undefined for other accounts. */
export const installedOn = ({ target_type, account }: Installation): string | undefined =>
  target_type === 'Organization' ? nameOf(account) : undefined;

/** Returns whether an error concerns only one of several installations. */
export const concernsOneInstallation = (error: unknown): boolean =>
  isRefusedInstallation(error) || error instanceof RateLimitError;
