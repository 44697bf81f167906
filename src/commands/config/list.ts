import { profileInUse, settingInUse } from '../../cli/account/connection.ts';
import { settingKeys, shownSetting } from '../../cli/account/setting-keys.ts';
import { readSettings } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';

interface ListedSetting {
  key: string;
  value: string | number | null;
  /** The source of the value; null without a value. */
  source: string | null;
}

export default class ConfigList extends ForgectlCommand<ListedSetting[]> {
  static override summary = 'List settings with their values';
  static override description =
    `Lists all settings of the active profile with their values and sources: the environment, the profile or the default.
Use it when a command ignores a setting of the profile. Sends no requests.`;
  static override examples = examples({
    'List the effective settings': 'forgectl config list',
    'Print the settings stored in the profile': `forgectl config list --jq '.[] | select(.source == "profile").key'`,
  });
  static override flags = whereFlag('.source == "profile"');

  protected override readonly columns: readonly Column<ListedSetting>[] = [
    { header: 'Setting', get: 'key', priority: 1 },
    { header: 'Value', get: 'value', as: 'text', priority: 1 },
    { header: 'Source', get: 'source', as: 'text' },
  ];

  protected override readonly idField = 'key';

  async run() {
    const { flags } = await this.parse(ConfigList);
    const { env } = this.runtime;
    const settings = readSettings(this.settingsDirectory);
    const inUse = profileInUse(settings, flags.profile, env);
    for (const { profile, key, message } of settings.unusable)
      if (profile === inUse?.name)
        this.notice(`${message} Remove it from the profile with “forgectl config unset ${key}”.`);
    return settingKeys.map((key) => {
      const { value = null, source = null } = settingInUse(key, undefined, env, inUse?.profile);
      return { key, value: value === null || flags['show-secrets'] ? value : shownSetting(key, value), source };
    });
  }
}
