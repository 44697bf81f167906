import { profileInUse, settingInUse } from '../../cli/account/connection.ts';
import { settingKeys, shownSetting } from '../../cli/account/setting-keys.ts';
import { readSettings } from '../../cli/account/settings.ts';
import { requireUsable } from '../../cli/account/unusable.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { wordArg } from '../../cli/input/args.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class ConfigGet extends ForgectlCommand<PlainText> {
  static override summary = 'Print a setting';
  static override description =
    `Prints the effective value of a setting: from the environment, the active profile or the default. Prints an empty line
for a setting without a value. A password in a proxy URL is masked unless --show-secrets is given. Sends no requests.`;
  static override examples = examples({
    'Print the base URL': 'forgectl config get base-url',
    'Print the base URL of another profile': 'forgectl config get base-url --profile staging',
  });
  static override args = { key: wordArg('KEY', settingKeys, 'Setting name') };

  async run() {
    const { args, flags } = await this.parse(ConfigGet);
    const { env } = this.runtime;
    const { settingsDirectory: directory } = this;
    const settings = readSettings(directory);
    const inUse = profileInUse(settings, flags.profile, env);
    requireUsable(settings, inUse?.name, { directory, flags: {}, env }, [args.key]);
    const { value = '' } = settingInUse(args.key, undefined, env, inUse?.profile);
    return new PlainText(String(flags['show-secrets'] ? value : shownSetting(args.key, value)));
  }
}
