import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { poll } from '../../cli/command/poll.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { parseDuration } from '../../cli/input/duration.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { ApiError, InvalidResponseError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import { createFork, listCommits } from '../../platform/endpoints/forks.ts';
import type { Repository } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { repositoryColumns } from '../../topics/repository-columns.ts';

/** Specification, Limits: a fork that takes longer is one for the platform's support. */
const fiveMinutes = 300_000;

export default class ForksCreate extends ForgectlCommand<Repository> {
  static override summary = 'Fork a repository';
  static override description =
    `Forks a repository to the account of the token’s owner, or into an organization. The platform answers at once and copies the git
objects afterwards, mostly within seconds: --wait waits until they are there. An app must be installed on the destination with access
to all repositories, and on the source with access to it.`;
  static override examples = [
    {
      description: 'Into another organization, and go on when it can be cloned',
      command: '<%= config.bin %> forks create acme/site --organization globex --wait',
    },
    {
      description: 'Under another name, the default branch only',
      command: '<%= config.bin %> forks create acme/site --name site-sketches --default-branch-only',
    },
  ];
  static override requests = [createFork.route, listCommits.route];
  static override args = { repo: repoArg() };
  static override flags = {
    ...fieldFlags(createFork.body.entries),
    wait: Flags.boolean({
      description: 'Wait until the git objects of the fork are there; exit code 10 if they are not',
    }),
    'wait-timeout': valueFlag('--wait-timeout', parseDuration, {
      helpValue: 'DURATION',
      description: 'How long --wait waits; the default is 5m',
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
      this.problems.push(invalid('--wait-timeout', 'goes only with --wait'));
    const { body } = await this.inputFor(createFork, flags);
    const { owner, repo } = this.valid(args).repo;
    const verifyCommand = `forgectl forks list ${owner}/${repo}`;
    const fork = await this.write(createFork, { path: { owner, repo }, body }, { verifyCommand });
    if (fork instanceof PlannedRequest) return fork;
    if (flags.wait) await this.waitForObjects(namedFork(fork, { owner, repo }), flags['wait-timeout'] ?? fiveMinutes);
    else this.notice(`The git objects of ${fork.full_name} may take a while to be there; --wait waits for them.`);
    return fork;
  }

  private async waitForObjects(fork: Repository, limitMs: number): Promise<void> {
    const path = { owner: fork.owner.login, repo: fork.name };
    await poll(
      {
        ask: () => this.hasCommits(path),
        done: (there) => there,
        describe: () => `the git objects of ${fork.full_name} are not there yet`,
        limitMs,
        advice: `They may still come: look with “forgectl repos activity ${fork.full_name}”. If it takes longer than five minutes, contact the platform’s support.`,
      },
      this.runtime,
    );
  }

  /** 409 says that the repository is still empty; 404 that not even that can be said yet. */
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

/** Throws InvalidResponseError where the answer does not say what the fork is called, so that nothing can be asked about it. */
function namedFork(fork: Repository, { owner, repo }: RepoName): Repository {
  if (typeof fork.owner?.login === 'string' && typeof fork.name === 'string') return fork;
  const asked = { method: 'POST', path: `/repos/${owner}/${repo}/forks` };
  throw new InvalidResponseError(asked, `${asked.method} ${asked.path} returned no name for the fork.`);
}
