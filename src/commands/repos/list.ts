import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryColumns } from '../../topics/repos/columns.ts';
import { platformFilter, repositoryFilter, repositoryFilterFlags } from '../../topics/repos/filters.ts';

export default class ReposList extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of an organization';
  static override description =
    `Lists repositories, newest first by default. --all fetches every page, concurrently if the platform reports their
number; -o ndjson prints records as they arrive, in constant memory. The platform filters by --type and by public or private
--visibility; forgectl applies the other filters to the list that it fetches, and --limit counts the repositories that
match. A repository without the filtered value, such as one that was never pushed to, does not match.`;
  static override examples = examples({
    'List the 30 newest repositories': 'forgectl repos list acme',
    'Print every private repository as a line of JSON':
      'forgectl repos list acme --type private --all -o ndjson --fields full_name,pushed_at',
    'List repositories without a push for a year that are not archived':
      'forgectl repos list acme --all --no-archived --pushed-before 365d',
  });
  static override requests = [listOrganizationRepositories.route];
  static override args = { org: orgArg() };
  static override flags = {
    ...queryFlags(listOrganizationRepositories.query),
    ...repositoryFilterFlags,
    ...listFlags(),
    ...webListFlag,
  };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ReposList);
    const { type = platformFilter(flags) } = flags;
    const input = await this.inputFor(listOrganizationRepositories, { ...flags, type });
    if (flags.type === 'internal' && (await this.session.connection()).tokenKind === 'installation')
      throw new UsageError(
        'App installation tokens cannot list internal repositories. Nothing was sent.',
        'Use another token or omit --type internal.',
      );
    return this.list(listOrganizationRepositories, { path: { org: this.valid(args).org }, ...input }, flags, {
      matches: repositoryFilter(flags, this.runtime.terminal.now()),
    });
  }
}
