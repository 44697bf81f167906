import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getBypassRequest } from '../../platform/endpoints/bypass.ts';
import type { BypassRequest } from '../../platform/records.ts';
import { bypassSheet } from '../../topics/review-sheets.ts';

export default class BypassGet extends ForgectlCommand<BypassRequest> {
  static override summary = 'Show a request to bypass secret-scanning push protection';
  static override description =
    'Shows which secrets somebody wants to push and why, and what the reviewers said; their responses have the ids that bypass dismiss-response takes.';
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> bypass get acme/site 1' },
    {
      description: 'Ids of the responses',
      command: "<%= config.bin %> bypass get acme/site 2 --jq '.responses[]?.id'",
    },
  ];
  static override requests = [getBypassRequest.route];
  static override args = { repo: repoArg(), number: idArg('NUMBER', 'Number of the request') };
  static override flags = webFlag;

  protected override readonly idField = 'number';
  protected override readonly sheet = bypassSheet;

  async run() {
    const { args } = await this.parse(BypassGet);
    return this.call(getBypassRequest, { path: { ...args.repo, bypass_request_number: args.number } });
  }
}
