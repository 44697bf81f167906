import { findProfile, profileInUse } from '../../cli/account/connection.ts';
import { type SettingKey, settingKeys } from '../../cli/account/setting-keys.ts';
import { changeSettings, readSettings, withoutValue } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { wordArg } from '../../cli/input/args.ts';
import type { Column } from '../../output/table/columns.ts';

interface RemovedSetting {
  profile: string;
  key: SettingKey;
}

export default class ConfigUnset extends ForgectlCommand<RemovedSetting> {
  static override summary = 'Remove a setting';
  static override description =
    'Removes a setting from the active profile, restoring its default. A setting that is not set stays unchanged. Sends no requests.';
  static override examples = examples({
    'Restore the default timeout': 'forgectl config unset timeout',
    'Remove the proxy of another profile': 'forgectl config unset proxy --profile staging',
  });
  static override args = { key: wordArg('KEY', settingKeys, 'Setting name') };

  protected override readonly columns: readonly Column<RemovedSetting>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Setting', get: 'key' },
  ];

  protected override readonly idField = 'key';

  async run() {
    const { args, flags } = await this.parse(ConfigUnset);
    const { env } = this.runtime;
    const { settingsDirectory: directory } = this;
    const inUse = profileInUse(readSettings(directory), flags.profile, env);
    if (!inUse)
      throw new UsageError('No profile, and therefore no settings.', 'List the profiles with “forgectl auth list”.');
    await changeSettings(directory, (settings) => {
      findProfile(settings, inUse.name);
      return withoutValue(settings, inUse.name, args.key);
    });
    return { profile: inUse.name, key: args.key };
  }
}
