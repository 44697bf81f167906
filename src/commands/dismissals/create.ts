import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createDismissal } from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { dismissalDetails } from '../../topics/reviews/details.ts';
import { alertNumber } from '../../topics/reviews/dismissal-columns.ts';

export default class DismissalsCreate extends ForgectlCommand<DismissalRequest> {
  static override summary = 'Request the dismissal of a dependency alert';
  static override description =
    `Creates a request that a reviewer approves or denies; the alert stays open until then. Anyone who can see the alert
may request its dismissal.`;
  static override examples = examples({
    'Request a dismissal with a reason and a comment':
      'forgectl dismissals create acme/site 9 --dismissed-reason not_used --dismissed-comment "Only in a test fixture"',
    'Preview the request': 'forgectl dismissals create acme/site 10 --dismissed-reason tolerable_risk --dry-run',
  });
  static override requests = [createDismissal.route];
  static override args = { repo: repoArg(), alert: idArg('ALERT', 'Alert number') };
  static override flags = { ...fieldFlags(createDismissal.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly idField = alertNumber;
  protected override readonly details = dismissalDetails;

  protected override readonly made = (request: DismissalRequest) =>
    `Created request ${request.number} to dismiss alert ${alertNumber(request)} of ${request.repository.full_name}`;

  async run() {
    const { args, flags } = await this.collect(DismissalsCreate);
    const { body } = await this.inputFor(createDismissal, flags);
    const {
      repo: { owner, repo },
      alert,
    } = this.valid(args);
    const verifyCommand = `forgectl dismissals get ${owner}/${repo} ${alert}`;
    return this.write(createDismissal, { path: { owner, repo, alert_number: alert }, body }, { verifyCommand });
  }
}
