import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getBypassRequest } from '../../platform/endpoints/bypass.ts';
import type { BypassRequest } from '../../platform/records.ts';
import { bypassDetails } from '../../topics/reviews/details.ts';

export default class BypassGet extends ForgectlCommand<BypassRequest> {
  static override summary = 'Show a request to bypass push protection';
  static override description =
    `Shows the secrets that the requester wants to push, the reason, and the reviewers’ responses with the IDs for bypass
dismiss-response.`;
  static override examples = examples({
    'Show details': 'forgectl bypass get acme/site 1',
    'Print the response IDs': "forgectl bypass get acme/site 2 --jq '.responses[]?.id'",
  });
  static override requests = [getBypassRequest.route];
  static override args = { repo: repoArg(), number: idArg('NUMBER', 'Request number') };
  static override flags = webFlag;

  protected override readonly idField = 'number';
  protected override readonly details = bypassDetails;

  async run() {
    const { args } = await this.parse(BypassGet);
    return this.call(getBypassRequest, { path: { ...args.repo, bypass_request_number: args.number } });
  }
}
