import { changeAliases, readAliases } from '../../cli/account/aliases.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { nameArg } from '../../cli/input/args.ts';
import { type Alias, aliasColumns } from '../../topics/alias-columns.ts';

export default class AliasDelete extends ForgectlCommand<Alias> {
  static override summary = 'Delete an alias';
  static override description = 'Deletes an alias and prints what it stood for. Sends no requests.';
  static override examples = examples({
    'Delete an alias': 'forgectl alias delete all-orgs',
    'Print what it stood for': 'forgectl alias delete all-orgs --jq .command',
  });
  static override args = { alias: nameArg('ALIAS', 'Name of the alias') };

  protected override readonly columns = aliasColumns;
  protected override readonly idField = 'name';

  protected override promptable(argument: string, given: object) {
    return { ...super.promptable(argument, given), options: Object.keys(readAliases(this.settingsDirectory)) };
  }

  async run() {
    const { args } = await this.parse(AliasDelete);
    const name = args.alias;
    let command = '';
    await changeAliases(this.settingsDirectory, (aliases) => {
      const { [name]: line, ...others } = aliases;
      if (line === undefined || !Object.hasOwn(aliases, name))
        throw new UsageError(`Unknown alias “${name}”.`, 'List the aliases with “forgectl alias list”.');
      command = line;
      return others;
    });
    return { name, command };
  }
}
