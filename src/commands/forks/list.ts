import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listForks } from '../../platform/endpoints/forks.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryColumns } from '../../topics/repos/columns.ts';

export default class ForksList extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the forks of a repository';
  static override description = 'Lists the direct forks that the token can access, newest first by default.';
  static override examples = examples({
    'List the newest forks': 'forgectl forks list acme/site',
    'Print all forks with pushes, oldest first': `forgectl forks list acme/site --sort oldest --all --jq '.[] | select(.pushed_at > .created_at) | .full_name'`,
  });
  static override requests = [listForks.route];
  static override args = { repo: repoArg() };
  static override flags = { ...queryFlags(listForks.query), ...listFlags(), ...webListFlag };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ForksList);
    const input = await this.inputFor(listForks, flags);
    return this.list(listForks, { path: { ...this.valid(args).repo }, ...input }, flags);
  }
}
