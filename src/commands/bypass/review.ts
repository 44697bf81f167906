import { examples } from '../../cli/command/command.ts';
import { optionalIdArg, type RepoName, type Target } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { getBypassRequest, reviewBypassRequest } from '../../platform/endpoints/bypass.ts';
import type { BypassRequest, BypassReview } from '../../platform/records.ts';
import { bypassRequests } from '../../platform/resources/bypass.ts';
import { ReviewCommand, type Reviewed, reviewedArg, reviewedLine } from '../../topics/reviews/queue.ts';
import { openRequests } from '../../topics/reviews/requests.ts';

type Decision = 'approve' | 'reject';

export default class BypassReviewCommand extends ReviewCommand<
  BypassReview | Listing<Reviewed>,
  BypassRequest,
  Decision
> {
  static override summary = 'Approve or reject a push protection bypass request';
  static override description =
    `Reviews a request to bypass secret-scanning push protection. An approval allows the requester to push the secret; the
message goes to the requester. The response contains the ID of the review. At a terminal, omit the number to review
all open requests of a repository or organization one by one: each is shown, then approved, rejected or skipped.`;
  static override examples = examples({
    'Reject a request':
      'forgectl bypass review acme/site 1 --status reject --message "This key is live, please rotate it"',
    'Approve a request': 'forgectl bypass review globex/site 1 --status approve --message "A key of the test suite"',
  });
  static override requests = [reviewBypassRequest.route];
  static override args = { target: reviewedArg(), number: optionalIdArg('NUMBER', 'Request number') };
  static override flags = { ...fieldFlags(reviewBypassRequest.body.entries), ...inputFlags, ...writeFlags };

  protected override idField = 'bypass_review_id';
  protected override readonly reviewing = reviewBypassRequest;

  async run() {
    const { args, flags } = await this.collect(BypassReviewCommand);
    if (args.number === undefined && this.input.promptsForMissing()) return this.workThrough(args.target, flags);
    const named = await this.named(args.target, args.number, 'number');
    const { body } = await this.inputFor(reviewBypassRequest, flags, { show: () => this.show(named) });
    const { repo, number } = this.valid(named);
    this.made = () => reviewedLine(body.status, `request ${number} of ${repo.owner}/${repo.repo}`);
    return this.review(repo, number, body);
  }

  protected override open(target: Target) {
    const { list } = bypassRequests.of(target);
    return this.list(list, { path: { ...target }, query: openRequests }, { all: true });
  }

  protected override async requestDetails() {
    return (await import('../../topics/reviews/details.ts')).bypassDetails;
  }

  protected override numberOf({ number }: BypassRequest) {
    return number;
  }

  protected override subject({ data }: BypassRequest) {
    return [...new Set(data?.map(({ secret_type, path }) => `${secret_type} in ${path}`))].join(', ');
  }

  protected override read({ owner, repo }: RepoName, bypass_request_number: number) {
    return this.call(getBypassRequest, { path: { owner, repo, bypass_request_number } });
  }

  protected override review(
    { owner, repo }: RepoName,
    bypass_request_number: number,
    body: { status: Decision; message: string },
  ) {
    const verifyCommand = `forgectl bypass get ${owner}/${repo} ${bypass_request_number}`;
    return this.write(reviewBypassRequest, { path: { owner, repo, bypass_request_number }, body }, { verifyCommand });
  }
}
