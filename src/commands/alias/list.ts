import { readAliases } from '../../cli/account/aliases.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import { type Alias, aliasColumns } from '../../topics/alias-columns.ts';

export default class AliasList extends ForgectlCommand<Alias[]> {
  static override summary = 'List aliases with their command lines';
  static override description =
    'Lists the aliases by name. With -o yaml, the output can be read by “forgectl alias import”. Sends no requests.';
  static override examples = examples({
    'List all aliases': 'forgectl alias list',
    'Save them to a file': 'forgectl alias list -o yaml > aliases.yaml',
  });
  static override flags = whereFlag('.command | startswith("orgs ")');

  protected override readonly columns = aliasColumns;
  protected override readonly idField = 'name';

  async run() {
    await this.parse(AliasList);
    return Object.entries(readAliases(this.settingsDirectory)).map(([name, command]) => ({ name, command }));
  }
}
