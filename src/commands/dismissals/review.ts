import { idArg, repoArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { fieldFlags } from '../../cli/fields.ts';
import { inputFlags, writeFlags } from '../../cli/flags.ts';
import { reviewDismissal } from '../../platform/endpoints/dismissals.ts';
import type { DismissalReview } from '../../platform/records.ts';

export default class DismissalsReview extends ForgectlCommand<DismissalReview> {
  static override summary = 'Approve or deny the request to dismiss a dependency alert';
  static override description =
    'Decides on a request; approving it dismisses the alert. The requester is told the message. The answer is the id of the review.';
  static override examples = [
    {
      description: 'Approve',
      command: '<%= config.bin %> dismissals review acme/site 1 --status approve --message "Agreed, not reachable"',
    },
    {
      description: 'Deny',
      command:
        '<%= config.bin %> dismissals review globex/site 1 --status deny --message "A fix is out, please update"',
    },
  ];
  static override requests = [reviewDismissal.route];
  static override args = { repo: repoArg(), alert: idArg('ALERT', 'Number of the alert') };
  static override flags = { ...fieldFlags(reviewDismissal.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly idField = 'dismissal_review_id';

  async run() {
    const { args, flags } = await this.collect(DismissalsReview);
    const { body } = await this.inputFor(reviewDismissal, flags);
    const { owner, repo } = args.repo;
    const look = `forgectl dismissals get ${owner}/${repo} ${args.alert}`;
    return this.write(reviewDismissal, { path: { owner, repo, alert_number: args.alert }, body }, { look });
  }
}
