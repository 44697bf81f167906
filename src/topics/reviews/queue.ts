/** The base of commands that review one request, or all open requests one by one at a terminal. */

import { ForgectlCommand } from '../../cli/command/command.ts';
import { GuardError, SomeFailedError } from '../../cli/errors.ts';
import {
  type InvalidArgument,
  invalidArgument,
  isRepo,
  optionalTargetArg,
  type RepoName,
  type Target,
} from '../../cli/input/args.ts';
import { fieldShape } from '../../cli/input/field-shape.ts';
import { printedLine } from '../../cli/input/printed-line.ts';
import { flagWords } from '../../cli/input/prompts/command-line.ts';
import type { Promptable } from '../../cli/input/prompts/questions.ts';
import { typedFields } from '../../cli/input/typed-fields.ts';
import { Listing } from '../../cli/result/listing.ts';
import { PlannedRequest } from '../../client/request.ts';
import { humanText } from '../../output/table/cells.ts';
import type { Column } from '../../output/table/columns.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { optionalFields } from '../../platform/schema.ts';
import { checkValue, type Given, invalid } from '../../platform/validate.ts';
import { isReviewable, requireSameRequest } from './same-request.ts';

/** The fields shared by all reviewable requests. */
type Reviewable = Pick<DismissalRequest, 'id' | 'repository' | 'requester' | 'created_at'> & {
  readonly data: readonly object[] | null;
};

/** An endpoint that accepts a decision and a message to the requester. */
interface Reviewing {
  readonly body: { readonly entries: Parameters<typeof optionalFields>[0] };
}

/** The request on the command line. */
interface Named {
  readonly repo: RepoName | InvalidArgument;
  readonly number: number | InvalidArgument;
}

/** The body of a review. */
interface Review<S extends string> {
  readonly status: S;
  readonly message: string;
}

/** A reviewed request. */
export interface Reviewed {
  repository: string;
  number: number;
  status: string;
  message: string;
}

const reviewedColumns: readonly Column<Reviewed>[] = [
  { header: 'Repository', get: 'repository' },
  { header: 'Number', get: 'number' },
  { header: 'Decision', get: 'status' },
  { header: 'Message', get: 'message' },
];

/** Returns the argument for the target of a review; request numbers belong to repositories, not organizations. */
export const reviewedArg = () =>
  optionalTargetArg('TARGET', 'Repository (OWNER/NAME), or an organization at a terminal if no number follows');

/** Reviews requests of type `R` with a decision among the words `S`. */
export abstract class ReviewCommand<T, R extends Reviewable, S extends string> extends ForgectlCommand<T> {
  // biome-ignore lint/suspicious/noExplicitAny: the columns of the queue and of a single response differ
  protected override columns: readonly Column<any>[] = [];

  // biome-ignore lint/suspicious/noExplicitAny: same as for columns
  protected override idField: Column<any>['get'] | undefined = undefined;

  protected override made: ((response: T) => string) | undefined = undefined;

  protected abstract readonly reviewing: Reviewing;
  protected abstract open(target: Target): Promise<Listing<R>>;
  protected abstract numberOf(request: R): number;
  /** Returns a short description of a request. */
  protected abstract subject(request: R): string;
  protected abstract requestDetails(): Promise<readonly Column<R>[]>;
  protected abstract read(repo: RepoName, number: number): Promise<R>;
  protected abstract review(repo: RepoName, number: number, review: Review<S>): Promise<object>;

  /** Returns the repository and the number from the command line; reports missing or invalid ones. */
  protected async named(
    target: Target | InvalidArgument | undefined,
    number: number | InvalidArgument | undefined,
    numberArgument: string,
  ): Promise<Named> {
    const repo = target ?? (await this.input.missingArgument<Target>('target'));
    if (repo !== invalidArgument && !isRepo(repo))
      this.problems.push(invalid('TARGET', 'must have the form OWNER/NAME'));
    return {
      repo: isRepo(repo) ? repo : invalidArgument,
      number: number ?? (await this.input.missingArgument<number>(numberArgument)),
    };
  }

  /** Shows the request on the command line. */
  protected async show(named: Named): Promise<void> {
    const { repo, number } = this.valid(named);
    await this.input.showRecord({ record: await this.read(repo, number), columns: await this.requestDetails() });
  }

  /** Reviews the open requests in the order that the user chooses. Decisions given by flags apply to all of them. */
  protected async workThrough(
    target: Target | InvalidArgument | undefined,
    flags: Given,
  ): Promise<Listing<Reviewed> | readonly PlannedRequest[]> {
    const given = await this.#given(flags);
    const reviewed = this.valid({ target }).target ?? (await this.#askTarget());
    const open = await (await this.open(reviewed)).records();
    const unusable = open.filter((request) => !isReviewable(request, reviewed, (each) => this.numberOf(each))).length;
    if (unusable > 0)
      throw new GuardError(
        `${unusable} of ${open.length} listed requests are incomplete or of others. Nothing was sent.`,
      );
    const done: Reviewed[] = [];
    const planned: PlannedRequest[] = [];
    const tally = { skipped: 0, failed: 0 };
    const total = open.length;
    try {
      while (open.length > 0) {
        const next = await this.#pick(open);
        if (!next) break;
        open.splice(open.indexOf(next), 1);
        const outcome = await this.#decide(next, given);
        if (outcome instanceof PlannedRequest) planned.push(outcome);
        else if (typeof outcome === 'object') done.push(outcome);
        else tally[outcome]++;
      }
    } catch (error) {
      this.failAfter([...done, ...planned], error);
    }
    if (tally.failed > 0)
      this.failure ??= new SomeFailedError(`${tally.failed} of ${total} requests could not be reviewed.`);
    if (planned.length > 0) return planned;
    this.columns = reviewedColumns;
    this.idField = isRepo(reviewed) ? 'number' : ({ repository, number }: Reviewed) => `${repository} ${number}`;
    this.emptyText = total === 0 ? 'No open requests in the last month.' : 'No request was reviewed.';
    return Listing.of(done, total === 0 ? {} : { note: summary(done, tally, open.length) });
  }

  /** Returns the decisions given by flags. Throws ValidationError for invalid values. */
  async #given(flags: Given): Promise<Partial<Review<S>>> {
    const { entries } = this.reviewing.body;
    const { values, problems } = await typedFields(entries, flags, this.runtime.stdin);
    if (flags.input !== undefined) this.problems.push(invalid('--input', 'requires the number of a request'));
    this.problems.push(...problems, ...checkValue(optionalFields(entries), values).problems);
    this.input.refuseProblems();
    return values as Partial<Review<S>>;
  }

  async #askTarget(): Promise<Target> {
    const { askValue } = await import('../../cli/input/prompts/questions.ts');
    const arg = this.ctor.args.target as Promptable;
    return arg.parse(await askValue(arg, 'TARGET', this.runtime), this, arg) as Promise<Target>;
  }

  async #pick(open: readonly R[]): Promise<R | undefined> {
    const { promptChoice } = await import('../../cli/input/prompts/prompts.ts');
    const now = this.runtime.terminal.now();
    const choices = open.map((request) => {
      const { repository, requester, created_at } = request;
      const age = humanText(created_at, now, 'age');
      const short = `${repository.full_name} ${this.numberOf(request)}`;
      return { name: `${short}: ${this.subject(request)}, by ${requester.actor_name}, ${age}`, short, value: request };
    });
    const stop = { name: 'Stop', value: undefined };
    return promptChoice(`Which request (${open.length} open)?`, [...choices, stop], this.runtime);
  }

  /** Reviews one request and returns the outcome. A rejection by the platform does not stop the queue. */
  async #decide(request: R, given: Partial<Review<S>>): Promise<Reviewed | PlannedRequest | 'skipped' | 'failed'> {
    const [owner = '', repo = ''] = request.repository.full_name.split('/');
    const number = this.numberOf(request);
    try {
      const whole = await this.read({ owner, repo }, number);
      requireSameRequest(request, whole, (each) => this.numberOf(each));
      await this.input.showRecord({ record: whole, columns: await this.requestDetails() });
      const review = await this.#ask(given);
      if (!review) return 'skipped';
      const answer = await this.review({ owner, repo }, number, review);
      if (answer instanceof PlannedRequest) return answer;
      this.#tellReview(`${owner}/${repo}`, number, review);
      return { repository: `${owner}/${repo}`, number, ...review };
    } catch (error) {
      await this.reportRefusal(error);
      return 'failed';
    }
  }

  /** Prompts for the decision unless flags give it; returns undefined for a skipped request. */
  async #ask({ status: decided, message: said }: Partial<Review<S>>): Promise<Review<S> | undefined> {
    const { promptChoice, promptText } = await import('../../cli/input/prompts/prompts.ts');
    const { status: statusField, message: messageField } = this.reviewing.body.entries;
    const words = fieldShape(statusField as never).words as readonly S[];
    const choices = [...words.map((word) => ({ name: word, value: word })), { name: 'skip', value: undefined }];
    const status = decided ?? (await promptChoice<S | undefined>('Decision:', choices, this.runtime));
    if (status === undefined) return undefined;
    const check = (text: string) =>
      text.trim() === '' ? 'must not be empty' : checkValue(messageField as never, text).problems[0]?.message;
    return {
      status,
      message: said ?? (await promptText('Message to the requester (--message):', this.runtime, check)),
    };
  }

  #tellReview(repo: string, number: number, { status, message }: Review<S>): void {
    const flags = [...flagWords('status', status), ...flagWords('message', message)];
    const changes = { without: ['status', 'message'], withoutArgs: true, args: [repo, String(number)], flags };
    this.notice(printedLine('Done. Without prompts', { ...this.typed, ...changes }));
  }
}

/** Returns what a review did: `Approved request 7 of acme/site`. */
export const reviewedLine = (status: 'approve' | 'reject' | 'deny', what: string): string =>
  `${{ approve: 'Approved', reject: 'Rejected', deny: 'Denied' }[status]} ${what}`;

/** Returns a summary such as `approve: 2, deny: 1, skipped: 1, not reviewed: 3.` */
function summary(
  done: readonly Reviewed[],
  { skipped, failed }: { readonly skipped: number; readonly failed: number },
  left: number,
): string {
  const counts = new Map<string, number>();
  for (const { status } of done) counts.set(status, (counts.get(status) ?? 0) + 1);
  const said = [...counts].map(([status, count]) => `${status}: ${count}`);
  if (skipped) said.push(`skipped: ${skipped}`);
  if (failed) said.push(`failed: ${failed}`);
  if (left) said.push(`not reviewed: ${left}`);
  return `${said.join(', ')}.`;
}
