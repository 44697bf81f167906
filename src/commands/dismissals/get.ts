import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getDismissal } from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { dismissalDetails } from '../../topics/reviews/details.ts';
import { alertNumber } from '../../topics/reviews/dismissal-columns.ts';

export default class DismissalsGet extends ForgectlCommand<DismissalRequest> {
  static override summary = 'Show a request to dismiss a dependency alert';
  static override description = 'Shows the requester, the reason and the reviewers’ responses.';
  static override examples = examples({
    'Show details': 'forgectl dismissals get acme/site 1',
    'Print only the status': 'forgectl dismissals get acme/site 1 --jq .status',
  });
  static override requests = [getDismissal.route];
  static override args = { repo: repoArg(), alert: idArg('ALERT', 'Alert number') };
  static override flags = webFlag;

  protected override readonly idField = alertNumber;
  protected override readonly details = dismissalDetails;

  async run() {
    const { args } = await this.parse(DismissalsGet);
    return this.call(getDismissal, { path: { ...args.repo, alert_number: args.alert } });
  }
}
