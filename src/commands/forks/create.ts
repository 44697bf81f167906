import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { poll } from '../../cli/command/poll.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { parseDuration } from '../../cli/input/duration.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { ApiError, InvalidResponseError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import { asText } from '../../json/exact-json.ts';
import { createFork, listCommits } from '../../platform/endpoints/forks.ts';
import type { Repository } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { repositoryColumns } from '../../topics/repos/columns.ts';

/** Specification, Limits: contact support about forks that take longer. */
const fiveMinutes = 300_000;

export default class ForksCreate extends ForgectlCommand<Repository> {
  static override summary = 'Fork a repository';
  static override description =
    `Forks a repository to the token owner’s account or to an organization. The platform responds at once and copies the
Git objects in the background, usually within seconds; --wait waits until they are available. Apps must be installed
on the destination account with access to all repositories, and on the source account with access to the source
repository.`;
  static override examples = examples({
    'Fork to an organization and wait until the fork can be cloned':
      'forgectl forks create acme/site --organization globex --wait',
    'Fork only the default branch under another name':
      'forgectl forks create acme/site --name site-sketches --default-branch-only',
  });
  static override requests = [createFork.route, listCommits.route];
  static override args = { repo: repoArg() };
  static override flags = {
    ...fieldFlags(createFork.body.entries),
    wait: Flags.boolean({
      description: 'Wait until the fork’s Git objects are available; exit code 10 on timeout',
    }),
    'wait-timeout': valueFlag('--wait-timeout', parseDuration, {
      helpValue: 'DURATION',
      description: 'Maximum duration of --wait (default: 5m)',
    }),
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns = repositoryColumns;
  protected override readonly idField = 'full_name';

  protected override readonly made = ({ full_name, html_url }: Repository) => `Created fork ${full_name}: ${html_url}`;

  async run() {
    const { args, flags } = await this.collect(ForksCreate);
    if (flags['wait-timeout'] !== undefined && !flags.wait)
      this.problems.push(invalid('--wait-timeout', 'requires --wait'));
    const { body } = await this.inputFor(createFork, flags);
    const { owner, repo } = this.valid(args).repo;
    const verifyCommand = `forgectl forks list ${owner}/${repo}`;
    const fork = await this.write(createFork, { path: { owner, repo }, body }, { verifyCommand });
    if (fork instanceof PlannedRequest) return fork;
    if (flags.wait) await this.waitForObjects(namedFork(fork, { owner, repo }), flags['wait-timeout'] ?? fiveMinutes);
    else
      this.notice(
        `The Git objects of ${asText(fork.full_name)} may not be available yet; use --wait to wait for them.`,
      );
    return fork;
  }

  private async waitForObjects(fork: Repository, limitMs: number): Promise<void> {
    const path = { owner: fork.owner.login, repo: fork.name };
    const name = `${path.owner}/${path.repo}`;
    await poll(
      {
        ask: () => this.hasCommits(path),
        done: (there) => there,
        describe: () => `the Git objects of ${name} are not available yet`,
        limitMs,
        advice: `The copy may still finish: check with “forgectl repos activity ${name}”. Contact the platform’s support after five minutes.`,
      },
      this.runtime,
    );
  }

  /** 409 means that the repository is still empty; 404 that its state is not available yet. */
  private async hasCommits(path: RepoName): Promise<boolean> {
    try {
      const newest = await this.list(listCommits, { path: { ...path } }, { limit: 1 });
      for await (const page of newest.pages()) if (page.length > 0) return true;
      return false;
    } catch (error) {
      if (error instanceof ApiError && [404, 409].includes(error.refusal.status)) return false;
      throw error;
    }
  }
}

/** Throws InvalidResponseError if the response lacks the name of the fork, which later requests need. */
function namedFork(fork: Repository, { owner, repo }: RepoName): Repository {
  if (typeof fork.owner?.login === 'string' && typeof fork.name === 'string') return fork;
  const asked = { method: 'POST', path: `/repos/${owner}/${repo}/forks` };
  throw new InvalidResponseError(asked, `${asked.method} ${asked.path} returned no name for the fork.`);
}
