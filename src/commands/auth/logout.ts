import * as Flags from '@oclif/core/flags';
import { profileInUse } from '../../cli/account/connection.ts';
import { Credentials } from '../../cli/account/credentials.ts';
import { changeSettings, readSettings, withoutProfile, withoutValue } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { optionalNameArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';

interface LoggedOut {
  profile: string;
  base_url: string | null;
  login: string | null;
  /** The storage that held the token; null if there was none. */
  storage: string | null;
}

export default class AuthLogout extends ForgectlCommand<LoggedOut> {
  static override summary = 'Remove the token of a profile';
  static override description =
    `Removes the token of a profile, by default the active one, from the keyring or file. The profile keeps its settings,
so that a later login needs no base URL; --remove-profile removes them too. Sends no requests: the token itself stays
valid until it expires or is revoked on the platform.`;
  static override examples = examples({
    'Log out of the active profile': 'forgectl auth logout',
    'Log out of another profile and remove it': 'forgectl auth logout staging --remove-profile',
  });
  static override args = { profile: optionalNameArg('PROFILE', 'Profile name') };
  static override flags = {
    'remove-profile': Flags.boolean({ description: 'Also remove the profile and its settings' }),
  };

  protected override readonly columns: readonly Column<LoggedOut>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Removed from', get: 'storage' },
  ];

  protected override readonly idField = 'profile';

  async run() {
    const { args, flags } = await this.parse(AuthLogout);
    const { env } = this.runtime;
    const { settingsDirectory: directory } = this;
    const inUse = profileInUse(readSettings(directory), args.profile ?? flags.profile, env);
    if (!inUse) throw new UsageError('No profile to log out of.', 'List the profiles with “forgectl auth list”.');
    const { name, profile } = inUse;
    const { token } = profile;
    const credentials = new Credentials(directory);
    if (token) await credentials.remove({ profile: name, origin: token.origin }, token.storage);
    else await credentials.removeFromFile(name);
    await changeSettings(directory, (before) =>
      flags['remove-profile'] ? withoutProfile(before, name) : withoutValue(before, name, 'token'),
    );
    if (token) this.notice('The token itself remains valid until it expires or you revoke it on the platform.');
    else this.notice(`Profile ${name} was not logged in.`);
    const exported = ['FORGECTL_TOKEN', 'FORGECTL_TOKEN_FILE'].find((each) => env[each]);
    if (exported) this.notice(`${exported} is still set, and commands continue to use it.`);
    return {
      profile: name,
      base_url: profile['base-url'] ?? null,
      login: token?.login ?? null,
      storage: token?.storage ?? null,
    };
  }
}
