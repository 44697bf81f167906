import { examples } from '../../cli/command/command.ts';
import { optionalIdArg, type RepoName, type Target } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { getDismissal, reviewDismissal } from '../../platform/endpoints/dismissals.ts';
import type { DismissalRequest, DismissalReview } from '../../platform/records.ts';
import { dismissalRequests } from '../../platform/resources/dismissals.ts';
import { alertNumber } from '../../topics/reviews/dismissal-columns.ts';
import { ReviewCommand, type Reviewed, reviewedArg, reviewedLine } from '../../topics/reviews/queue.ts';
import { openRequests } from '../../topics/reviews/requests.ts';

type Decision = 'approve' | 'deny';

export default class DismissalsReview extends ReviewCommand<
  DismissalReview | Listing<Reviewed>,
  DismissalRequest,
  Decision
> {
  static override summary = 'Approve or deny a dependency alert dismissal';
  static override description =
    `Reviews a request to dismiss a dependency alert. An approval dismisses the alert; the message goes to the requester.
The response contains the ID of the review. At a terminal, omit the number to review all open requests of a repository
or organization one by one: each is shown, then approved, denied or skipped.`;
  static override examples = examples({
    'Approve a request': 'forgectl dismissals review acme/site 1 --status approve --message "Agreed, not reachable"',
    'Deny a request': 'forgectl dismissals review globex/site 1 --status deny --message "A fix is out, please update"',
  });
  static override requests = [reviewDismissal.route];
  static override args = { target: reviewedArg(), alert: optionalIdArg('ALERT', 'Alert number') };
  static override flags = { ...fieldFlags(reviewDismissal.body.entries), ...inputFlags, ...writeFlags };

  protected override idField = 'dismissal_review_id';
  protected override readonly reviewing = reviewDismissal;

  async run() {
    const { args, flags } = await this.collect(DismissalsReview);
    if (args.alert === undefined && this.input.promptsForMissing()) return this.workThrough(args.target, flags);
    const named = await this.named(args.target, args.alert, 'alert');
    const { body } = await this.inputFor(reviewDismissal, flags, { show: () => this.show(named) });
    const { repo, number } = this.valid(named);
    const what = `the request to dismiss alert ${number} of ${repo.owner}/${repo.repo}`;
    this.made = () => reviewedLine(body.status, what);
    return this.review(repo, number, body);
  }

  protected override open(target: Target) {
    const { list } = dismissalRequests.of(target);
    return this.list(list, { path: { ...target }, query: openRequests }, { all: true });
  }

  protected override async requestDetails() {
    return (await import('../../topics/reviews/details.ts')).dismissalDetails;
  }

  protected override numberOf(request: DismissalRequest) {
    return Number(alertNumber(request));
  }

  protected override subject({ data }: DismissalRequest) {
    return `${data?.[0]?.alert_title} (${data?.[0]?.reason})`;
  }

  protected override read({ owner, repo }: RepoName, alert_number: number) {
    return this.call(getDismissal, { path: { owner, repo, alert_number } });
  }

  protected override review(
    { owner, repo }: RepoName,
    alert_number: number,
    body: { status: Decision; message: string },
  ) {
    const verifyCommand = `forgectl dismissals get ${owner}/${repo} ${alert_number}`;
    return this.write(reviewDismissal, { path: { owner, repo, alert_number }, body }, { verifyCommand });
  }
}
