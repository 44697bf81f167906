import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listOrganizationDismissals } from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { dismissalRequests } from '../../platform/resources/dismissals.ts';
import { alertNumber, dismissalColumns } from '../../topics/reviews/dismissal-columns.ts';
import { openRequests, queueFlags, queueShown, withRepository } from '../../topics/reviews/requests.ts';
import { onlyForOrganizations } from '../../topics/target-flags.ts';

export default class DismissalsList extends ForgectlCommand<Listing<DismissalRequest>> {
  static override summary = 'List requests to dismiss dependency alerts';
  static override description =
    `Lists the requests of an organization or repository. Open requests of the last month are listed by default; others
with --request-status. The platform lists no older requests. What is shown is printed to stderr.`;
  static override examples = examples({
    'List all open requests': 'forgectl dismissals list acme',
    'List the requests of a repository, whatever their status':
      'forgectl dismissals list acme/site --request-status all',
  });
  static override requests = dismissalRequests.routes('list');
  static override args = { target: targetArg() };
  static override flags = {
    ...queueFlags(listOrganizationDismissals.query),
    ...listFlags('.status == "pending"'),
    ...webListFlag,
  };

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
    const query = { ...openRequests, ...input.query };
    return this.list(list, { path: this.valid(args).target, query }, flags, { note: queueShown(query) });
  }
}
