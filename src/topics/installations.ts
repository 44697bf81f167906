/** Runs over several organizations as an app, which has an installation with its own tokens and rate limit on each. */
import * as Flags from '@oclif/core/flags';
import type { Connection } from '../cli/account/connection.ts';
import type { Session } from '../cli/command/session.ts';
import { AppLoginError, InstallationRefusedError, RateLimitError } from '../client/errors.ts';
import type { Installation } from '../platform/records.ts';

export const allInstallationsFlag = {
  'all-installations': Flags.boolean({
    description: 'All organizations that the app is installed on, even if the login names one',
  }),
};

/** Has requests use the installation on the organization that they name, even if the login names one. */
export async function useEachInstallation(session: Session): Promise<void> {
  const connection = await session.connection();
  const { credential } = connection;
  if (credential?.app)
    session.use({ ...connection, credential: { ...credential, app: { ...credential.app, installation: undefined } } });
}

/** Returns whether requests use the installation on the organization that they name. */
export const usesEachInstallation = ({ credential }: Connection): boolean =>
  credential?.app !== undefined && credential.app.installation === undefined;

/** Returns the organization of a target in lower case. */
export const organizationOf = (target: string): string => (target.split('/', 1)[0] ?? target).toLowerCase();

/** Returns the organization of an installation; undefined for other accounts. */
export const installedOn = ({ target_type, account }: Installation): string | undefined =>
  target_type === 'Organization' ? account?.login : undefined;

/** Returns whether an error concerns only one of several installations. */
export const concernsOneInstallation = (error: unknown): boolean =>
  error instanceof InstallationRefusedError ||
  error instanceof RateLimitError ||
  (error instanceof AppLoginError && error.wrong === 'installation');
