import * as Args from '@oclif/core/args';
import { examples, ForgectlCommand } from '../cli/command/command.ts';
import { showHelp } from '../cli/help/show.ts';

export default class Help extends ForgectlCommand<undefined> {
  static override summary = 'Show help for a command or a topic';
  static override description = 'Shows the same help as --help after a command. Without a command, lists all topics.';
  static override examples = examples({
    'List all topics': 'forgectl help',
    'Show help for a command': 'forgectl help registries create',
  });
  static override args = {
    command: Args.string({ description: 'Command or topic', multiple: true, ignoreStdin: true }),
  };

  async run() {
    const { args } = await this.parse(Help);
    await showHelp(args.command ?? [], this.runtime);
    return undefined;
  }
}
