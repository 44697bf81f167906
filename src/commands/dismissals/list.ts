import { ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listOrganizationDismissals } from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { dismissalRequests } from '../../platform/resources/dismissals.ts';
import { alertNumber, dismissalColumns } from '../../topics/dismissal-columns.ts';
import { timeCovered, withRepository } from '../../topics/review-requests.ts';
import { onlyForOrganizations } from '../../topics/target-flags.ts';

export default class DismissalsList extends ForgectlCommand<Listing<DismissalRequest>> {
  static override summary = 'List requests to dismiss dependency alerts';
  static override description =
    `Lists the requests of an organization or repository. By default the platform lists the last day for an organization
and the last month for a repository; widen with --time-period. The period is printed to stderr.`;
  static override examples = [
    {
      description: 'List open requests of the last month',
      command: '<%= config.bin %> dismissals list acme --request-status open --time-period month',
    },
    { description: 'List the requests of a repository', command: '<%= config.bin %> dismissals list acme/site' },
  ];
  static override requests = dismissalRequests.routes('list');
  static override args = { target: targetArg() };
  static override flags = { ...queryFlags(listOrganizationDismissals.query), ...listFlags, ...webListFlag };

  protected override readonly columns = dismissalColumns;
  protected override readonly recordsName = 'requests';
  protected override idField: (request: DismissalRequest) => string | null = alertNumber;

  async run() {
    const { args, flags } = await this.collect(DismissalsList);
    this.problems.push(
      ...onlyForOrganizations('--repository-name', flags['repository-name'] !== undefined, args.target),
    );
    const { list } = dismissalRequests.of(args.target);
    if (!isRepo(args.target)) this.idField = withRepository(alertNumber);
    const input = await this.inputFor(list, flags);
    const note = timeCovered(list, flags['time-period']);
    return this.list(list, { path: this.valid(args).target, ...input }, flags, { note });
  }
}
