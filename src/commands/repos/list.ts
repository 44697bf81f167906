import { ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryColumns } from '../../topics/repository-columns.ts';

export default class ReposList extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of an organization';
  static override description =
    `Lists repositories, newest first unless told otherwise. With --all every page is asked for, side by side where the platform says
how many there are; -o ndjson prints them as they come, in constant memory.`;
  static override examples = [
    { description: 'The thirty newest', command: '<%= config.bin %> repos list acme' },
    {
      description: 'Every private one, a line of JSON each',
      command: '<%= config.bin %> repos list acme --type private --all -o ndjson --fields full_name,pushed_at',
    },
  ];
  static override requests = [listOrganizationRepositories.route];
  static override args = { org: orgArg() };
  static override flags = { ...queryFlags(listOrganizationRepositories.query), ...listFlags, ...webListFlag };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ReposList);
    const input = await this.inputFor(listOrganizationRepositories, flags);
    if (flags.type === 'internal' && (await this.session.connection()).tokenKind === 'installation')
      throw new UsageError(
        'The platform does not list internal repositories for app installation tokens. Nothing was sent.',
        'Use another token, or leave --type internal out.',
      );
    return this.list(listOrganizationRepositories, { path: { org: this.valid(args).org }, ...input }, flags);
  }
}
