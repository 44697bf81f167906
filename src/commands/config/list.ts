import { profileInUse, settingInUse } from '../../cli/account/connection.ts';
import { settingKeys } from '../../cli/account/setting-keys.ts';
import { readSettings } from '../../cli/account/settings.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import type { Column } from '../../output/table/columns.ts';

interface ListedSetting {
  key: string;
  value: string | number | null;
  /** What gave the value; null where nothing does. */
  source: string | null;
}

export default class ConfigList extends ForgectlCommand<ListedSetting[]> {
  static override summary = 'List the settings';
  static override description =
    `Lists all settings of the profile in use with their values, and where each comes from: the environment, the profile or the default. Use it
when a command does not do what the profile says. Nothing is sent.`;
  static override examples = [
    { description: 'Of the profile in use', command: '<%= config.bin %> config list' },
    {
      description: 'Only what the profile sets',
      command: `<%= config.bin %> config list --jq '.[] | select(.source == "profile").key'`,
    },
  ];

  protected override readonly columns: readonly Column<ListedSetting>[] = [
    { header: 'Setting', get: 'key', priority: 1 },
    { header: 'Value', get: 'value', as: 'text', priority: 1 },
    { header: 'From', get: 'source', as: 'text' },
  ];

  protected override readonly idField = 'key';

  async run() {
    const { flags } = await this.parse(ConfigList);
    const { env } = this.runtime;
    const settings = readSettings(this.settingsDirectory);
    const inUse = profileInUse(settings, flags.profile, env);
    for (const { profile, key, message } of settings.unusable)
      if (profile === inUse?.name)
        this.notice(`${message} “forgectl config unset ${key}” removes what the profile says.`);
    return settingKeys.map((key) => {
      const { value = null, source = null } = settingInUse(key, undefined, env, inUse?.profile);
      return { key, value, source };
    });
  }
}
