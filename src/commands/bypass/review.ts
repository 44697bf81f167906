import { idArg, repoArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { fieldFlags } from '../../cli/fields.ts';
import { inputFlags, writeFlags } from '../../cli/flags.ts';
import { reviewBypassRequest } from '../../platform/endpoints/bypass.ts';
import type { BypassReview } from '../../platform/records.ts';

export default class BypassReviewCommand extends ForgectlCommand<BypassReview> {
  static override summary = 'Approve or reject a request to bypass secret-scanning push protection';
  static override description =
    'Decides on a request; after an approval the requester may push the secret. The requester is told the message. The answer is the id of the review.';
  static override examples = [
    {
      description: 'Reject',
      command:
        '<%= config.bin %> bypass review acme/site 1 --status reject --message "This key is live, please rotate it"',
    },
    {
      description: 'Approve',
      command: '<%= config.bin %> bypass review globex/site 1 --status approve --message "A key of the test suite"',
    },
  ];
  static override requests = [reviewBypassRequest.route];
  static override args = { repo: repoArg(), number: idArg('NUMBER', 'Number of the request') };
  static override flags = { ...fieldFlags(reviewBypassRequest.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly idField = 'bypass_review_id';

  async run() {
    const { args, flags } = await this.collect(BypassReviewCommand);
    const { body } = await this.inputFor(reviewBypassRequest, flags);
    const { owner, repo } = args.repo;
    const look = `forgectl bypass get ${owner}/${repo} ${args.number}`;
    const path = { owner, repo, bypass_request_number: args.number };
    return this.write(reviewBypassRequest, { path, body }, { look });
  }
}
