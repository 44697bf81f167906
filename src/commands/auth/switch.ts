import { findProfile } from '../../cli/account/connection.ts';
import { changeSettings, readSettings } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';

interface Switched {
  profile: string;
  base_url: string | null;
  login: string | null;
}

/** The environment variables that override the platform or login of the active profile. */
const overriding = [
  'FORGECTL_BASE_URL',
  'FORGECTL_TOKEN',
  'FORGECTL_TOKEN_FILE',
  'FORGECTL_API_VERSION',
  'FORGECTL_VENDOR',
  'FORGECTL_ALERTS_SEGMENT',
];

export default class AuthSwitch extends ForgectlCommand<Switched> {
  static override summary = 'Switch the active profile';
  static override description =
    'Makes a profile the active one. Commands use it unless --profile or FORGECTL_PROFILE selects another. Sends no requests.';
  static override examples = examples({
    'Switch to the profile “staging”': 'forgectl auth switch staging',
    'Use a profile for a single command': 'forgectl orgs list --profile staging',
  });
  static override args = { profile: nameArg('PROFILE', 'Profile name') };

  protected override readonly columns: readonly Column<Switched>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
  ];

  protected override readonly idField = 'profile';

  protected override promptable(argument: string, given: object) {
    const { profiles } = readSettings(this.settingsDirectory);
    return { ...super.promptable(argument, given), options: [...profiles.keys()] };
  }

  async run() {
    const { args } = await this.parse(AuthSwitch);
    const { env } = this.runtime;
    const settings = await changeSettings(this.settingsDirectory, (before) => {
      findProfile(before, args.profile);
      return { ...before, active: args.profile };
    });
    if (env.FORGECTL_PROFILE && env.FORGECTL_PROFILE !== args.profile)
      this.notice(`FORGECTL_PROFILE is set to ${env.FORGECTL_PROFILE} and takes precedence over the active profile.`);
    const others = overriding.filter((name) => env[name]);
    if (others.length > 0)
      this.notice(`Set in the environment, taking precedence over the profile: ${others.join(', ')}.`);
    const profile = findProfile(settings, args.profile);
    return { profile: args.profile, base_url: profile['base-url'] ?? null, login: profile.token?.login ?? null };
  }
}
