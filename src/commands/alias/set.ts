import * as Flags from '@oclif/core/flags';
import { changeAliases } from '../../cli/account/aliases.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { nameArg, textArg } from '../../cli/input/args.ts';
import { checkedAlias, whyTaken } from '../../cli/lookup/aliases.ts';
import { type Alias, aliasColumns } from '../../topics/alias-columns.ts';

export default class AliasSet extends ForgectlCommand<Alias> {
  static override summary = 'Create an alias for a command line';
  static override description =
    `Gives a command line a name. forgectl NAME then stands for it, with what follows at its end. $1 to $9 are replaced by
single arguments, and $@ by all of them. The line is split into words as a shell splits them, but no shell is started.
Aliases are shared by all profiles and cannot hide a command. --debug shows the command line. Sends no requests.`;
  static override examples = examples({
    'List all organizations with a short command': "forgectl alias set all-orgs 'orgs list --all'",
    'Place the arguments': "forgectl alias set topics 'repos topics acme/$1 --json'",
  });
  static override args = {
    name: nameArg('NAME', 'Name of the alias'),
    command: textArg('COMMAND', 'Command line without “forgectl”, as one argument'),
  };
  static override flags = { force: Flags.boolean({ description: 'Replace an existing alias' }) };

  protected override readonly columns = aliasColumns;
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.parse(AliasSet);
    const { name } = args;
    const command = checkedAlias(name, args.command, this.runtime.env);
    await changeAliases(this.settingsDirectory, (aliases) => {
      const taken = flags.force ? undefined : whyTaken(name, command, aliases);
      if (taken) throw new UsageError(taken, 'To replace it, add --force.');
      return { ...aliases, [name]: command };
    });
    return { name, command };
  }
}
