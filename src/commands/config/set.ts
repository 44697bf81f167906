import { BadSetting } from '../../cli/account/bad-setting.ts';
import {
  checkPresence,
  checkSetting,
  type SettingKey,
  settingKeys,
  settingVariables,
  shownSetting,
} from '../../cli/account/setting-keys.ts';
import {
  changeSettings,
  checkProfileName,
  type Profile,
  readSettings,
  withProfile,
} from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { collecting, textArg, wordArg } from '../../cli/input/args.ts';
import { BadValue } from '../../cli/input/values.ts';
import { formats } from '../../output/render.ts';
import type { Column } from '../../output/table/columns.ts';

interface MadeSetting {
  profile: string;
  key: SettingKey;
  value: string | number;
}

export default class ConfigSet extends ForgectlCommand<MadeSetting> {
  static override summary = 'Change a setting';
  static override description =
    `Changes a setting of the active profile, creating the profile if it does not exist. The settings are base-url,
api-version (a date), vendor (the platform’s name in headers), alerts-segment (the path segment of its dependency
alerts), output (table, tsv, csv, json, ndjson or yaml), concurrency (1 to 100), timeout and max-wait (durations such
as 30s), ca-file and proxy. Sends no requests.`;
  static override examples = examples({
    'Make JSON the default output format': 'forgectl config set output json',
    'Raise the timeout for a slow platform': 'forgectl config set timeout 2m --profile staging',
  });
  static override args = {
    key: wordArg('KEY', settingKeys, 'Setting name'),
    value: textArg('VALUE', 'New value'),
  };

  protected override readonly columns: readonly Column<MadeSetting>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Setting', get: 'key' },
    { header: 'Value', get: 'value' },
  ];

  protected override readonly idField = 'key';

  /** Prompts for the value, validated by the setting's parser. */
  protected override promptable(argument: string, given: { readonly key?: SettingKey }) {
    const asked = super.promptable(argument, given);
    if (argument !== 'value' || !given.key) return asked;
    const { key } = given;
    const parse = collecting('VALUE', (text) => typedSetting(key, text));
    return { ...asked, parse, options: key === 'output' ? formats : undefined };
  }

  async run() {
    const { args, flags } = await this.parse(ConfigSet);
    const { env } = this.runtime;
    const { settingsDirectory: directory } = this;
    const value = await usable(args.key, args.value);
    const named = flags.profile ?? (env.FORGECTL_PROFILE || readSettings(directory).active);
    const name = checkProfileName(named ?? 'default');
    await changeSettings(directory, (settings) => {
      const profile = settings.profiles.get(name) ?? {};
      if (args.key === 'base-url') refuseOtherOrigin(name, profile, String(value));
      return withProfile(settings, name, { ...profile, [args.key]: value });
    });
    const variable = settingVariables[args.key]?.find((candidate) => env[candidate]);
    if (variable) this.notice(`${variable} is set and takes precedence over the setting.`);
    return { profile: name, key: args.key, value: flags['show-secrets'] ? value : shownSetting(args.key, value) };
  }
}

/** Returns the text. Throws BadValue for an invalid value. */
function typedSetting(key: SettingKey, text: string): string {
  try {
    checkSetting(key, text);
    return text;
  } catch (error) {
    throw error instanceof BadSetting ? new BadValue(error.message) : error;
  }
}

async function usable(key: SettingKey, text: string): Promise<string | number> {
  try {
    const value = checkSetting(key, text);
    await checkPresence(key, value);
    return value;
  } catch (error) {
    if (error instanceof BadSetting) throw new UsageError(error.message);
    throw error;
  }
}

/** A token never follows its profile to another platform; keeping an unusable token would only confuse. */
function refuseOtherOrigin(name: string, { token }: Profile, baseUrl: string): void {
  const { origin } = new URL(baseUrl);
  if (!token || token.origin === origin) return;
  throw new UsageError(
    `Profile ${name} has a token for ${token.origin}, which must not be sent to ${origin}. Nothing was changed.`,
    `Log out first with “forgectl auth logout ${name}”, or create another profile with “forgectl auth login --profile NAME --base-url ${baseUrl}”.`,
  );
}
