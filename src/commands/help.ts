import { Args, Command } from '@oclif/core';
import { showHelp } from '../cli/help.ts';

/** Words after `help` are a command or a topic, so none of the flags that other commands share apply. */
export default class HelpCommand extends Command {
  static override summary = 'Show help for a command or a topic';
  static override description = 'The same as --help after the command.';
  static override examples = [
    { description: 'All topics', command: '<%= config.bin %> help' },
    { description: 'One command', command: '<%= config.bin %> help registries create' },
  ];
  static override args = {
    command: Args.string({ description: 'Command or topic', multiple: true, ignoreStdin: true }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(HelpCommand);
    await showHelp(this.config, args.command ?? []);
  }
}
