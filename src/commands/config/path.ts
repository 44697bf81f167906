import { settingsPath } from '../../cli/account/settings.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { PlainText } from '../../cli/result/result.ts';

export default class ConfigPath extends ForgectlCommand<PlainText> {
  static override summary = 'Print where the settings are kept';
  static override description =
    `Prints the path of the settings file, whether it is there yet or not; FORGECTL_CONFIG_DIR chooses another directory for it. The file holds
no tokens. Nothing is sent.`;
  static override examples = [
    { description: 'The path', command: '<%= config.bin %> config path' },
    { description: 'What is in it', command: 'cat "$(<%= config.bin %> config path)"' },
  ];

  async run() {
    await this.parse(ConfigPath);
    return new PlainText(settingsPath(this.settingsDirectory));
  }
}
