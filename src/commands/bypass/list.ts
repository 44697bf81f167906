import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag, wordFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listOrganizationBypassRequests, listPushRuleBypassRequests } from '../../platform/endpoints/bypass.ts';
import type { BypassRequest, PushRuleBypassRequest } from '../../platform/records.ts';
import { bypassRequests } from '../../platform/resources/bypass.ts';
import { bypassColumns, pushRuleBypassColumns } from '../../topics/reviews/bypass-columns.ts';
import { openRequests, queueFlags, queueShown, withRepository } from '../../topics/reviews/requests.ts';
import { onlyForOrganizations } from '../../topics/target-flags.ts';

type Numbered = BypassRequest | PushRuleBypassRequest;

const kinds = ['secret-scanning', 'push-rules'] as const;

export default class BypassList extends ForgectlCommand<Listing<BypassRequest | PushRuleBypassRequest>> {
  static override summary = 'List requests to bypass push protection';
  static override description =
    `Lists requests to push secrets that push protection blocked or, with --kind push-rules, requests to bypass an
organization’s push rules. Open requests of the last month are listed by default; others with --request-status. The
platform lists no older requests. What is shown is printed to stderr.`;
  static override examples = examples({
    'List all open requests': 'forgectl bypass list acme',
    'List the requests of the last week to bypass push rules, whatever their status':
      'forgectl bypass list acme --kind push-rules --request-status all --time-period week',
  });
  static override requests = [...bypassRequests.routes('list'), listPushRuleBypassRequests.route];
  static override args = { target: targetArg() };
  static override flags = {
    kind: wordFlag('--kind', kinds, {
      description: 'Kind of protection to bypass; push-rules requires an organization (default: secret-scanning)',
    }),
    ...queueFlags(listOrganizationBypassRequests.query),
    ...listFlags('.status == "pending"'),
    ...webListFlag,
  };

  protected override columns: readonly Column<BypassRequest>[] | readonly Column<PushRuleBypassRequest>[] =
    bypassColumns;
  protected override readonly recordsName = 'requests';
  protected override idField: 'number' | ReturnType<typeof withRepository<Numbered>> = 'number';

  async run() {
    const { args, flags } = await this.collect(BypassList);
    const pushRules = flags.kind === 'push-rules';
    this.problems.push(
      ...onlyForOrganizations('--repository-name', flags['repository-name'] !== undefined, args.target),
    );
    this.problems.push(...onlyForOrganizations('--kind push-rules', pushRules, args.target));
    if (!isRepo(args.target)) this.idField = withRepository(({ number }: Numbered) => number);
    if (pushRules) this.columns = pushRuleBypassColumns;
    const requests = pushRules ? listPushRuleBypassRequests : bypassRequests.of(args.target).list;
    const input = await this.inputFor(requests, flags);
    const query = { ...openRequests, ...input.query };
    return this.list(requests, { path: this.valid(args).target, query }, flags, { note: queueShown(query) });
  }
}
