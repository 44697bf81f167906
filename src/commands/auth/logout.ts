import * as Flags from '@oclif/core/flags';
import { profileInUse } from '../../cli/account/connection.ts';
import { Credentials } from '../../cli/account/credentials.ts';
import { changeSettings, readSettings, withoutProfile, withoutValue } from '../../cli/account/settings.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { optionalNameArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';

interface LoggedOut {
  profile: string;
  base_url: string | null;
  login: string | null;
  /** Where the token was; null when there was none. */
  storage: string | null;
}

export default class AuthLogout extends ForgectlCommand<LoggedOut> {
  static override summary = 'Forget a profile’s token';
  static override description =
    `Removes the token of a profile, the one in use unless another is named, from the keyring or the file that it is kept in. The profile
stays with its settings, so that a later login needs no base URL; --remove-profile removes it too. Nothing is sent: the token itself
stays valid until it expires or is revoked on the platform.`;
  static override examples = [
    { description: 'The profile in use', command: '<%= config.bin %> auth logout' },
    { description: 'Another one, settings and all', command: '<%= config.bin %> auth logout staging --remove-profile' },
  ];
  static override args = { profile: optionalNameArg('PROFILE', 'Name of the profile') };
  static override flags = {
    'remove-profile': Flags.boolean({ description: 'Remove the profile’s settings as well' }),
  };

  protected override readonly columns: readonly Column<LoggedOut>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Token was in', get: 'storage' },
  ];

  protected override readonly idField = 'profile';

  async run() {
    const { args, flags } = await this.parse(AuthLogout);
    const { env } = this.runtime;
    const { settingsDirectory: directory } = this;
    const inUse = profileInUse(readSettings(directory), args.profile ?? flags.profile, env);
    if (!inUse) throw new UsageError('There is no profile to log out.', '“forgectl auth list” shows the profiles.');
    const { name, profile } = inUse;
    const { token } = profile;
    const credentials = new Credentials(directory);
    if (token) await credentials.remove({ profile: name, origin: token.origin }, token.storage);
    else await credentials.removeFromFile(name);
    await changeSettings(directory, (before) =>
      flags['remove-profile'] ? withoutProfile(before, name) : withoutValue(before, name, 'token'),
    );
    if (token) this.notice('The token itself stays valid until it expires or is revoked on the platform.');
    else this.notice(`Profile ${name} was not logged in.`);
    if (env.FORGECTL_TOKEN) this.notice('FORGECTL_TOKEN is set, and commands go on using it.');
    return {
      profile: name,
      base_url: profile['base-url'] ?? null,
      login: token?.login ?? null,
      storage: token?.storage ?? null,
    };
  }
}
