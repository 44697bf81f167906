import { settingsPath } from '../../cli/account/settings.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class ConfigPath extends ForgectlCommand<PlainText> {
  static override summary = 'Print the path of the settings file';
  static override description =
    `Prints the path of the settings file, even if it does not exist yet; FORGECTL_CONFIG_DIR overrides its directory. The
file contains no tokens. Sends no requests.`;
  static override examples = examples({
    'Print the path': 'forgectl config path',
    'Show the contents of the file': 'cat "$(forgectl config path)"',
  });

  async run() {
    await this.parse(ConfigPath);
    return new PlainText(settingsPath(this.settingsDirectory));
  }
}
