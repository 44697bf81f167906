import { settingsPath } from '../../cli/account/settings.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class ConfigPath extends ForgectlCommand<PlainText> {
  static override summary = 'Print the path of the settings file';
  static override description =
    `Prints the path of the settings file, even if it does not exist yet; FORGECTL_CONFIG_DIR overrides its directory. The
file contains no tokens. Sends no requests.`;
  static override examples = [
    { description: 'Print the path', command: '<%= config.bin %> config path' },
    { description: 'Show the contents of the file', command: 'cat "$(<%= config.bin %> config path)"' },
  ];

  async run() {
    await this.parse(ConfigPath);
    return new PlainText(settingsPath(this.settingsDirectory));
  }
}
