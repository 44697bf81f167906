import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { poll } from '../../cli/command/poll.ts';
import { invalidArgument, nameArg, repoArg } from '../../cli/input/args.ts';
import { parseDuration } from '../../cli/input/duration.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { confirmedWriteFlags, inputFlags, valueFlag } from '../../cli/input/flags.ts';
import { NotFoundError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import { getRepository, transferRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { repositoryDetails } from '../../topics/repos/details.ts';
import { NamedRepositoryCommand } from '../../topics/repos/named.ts';

const { new_owner: _fromArgument, ...fields } = transferRepository.body.entries;

const fiveMinutes = 300_000;

export default class ReposTransfer extends NamedRepositoryCommand<Repository> {
  static override summary = 'Transfer a repository to another owner';
  static override description =
    `Transfers a repository with its issues, pull requests and settings. The platform responds at once and moves the
repository in the background; --wait waits until it has moved. The old name redirects to the new one. A transfer from
one user to another must be accepted by the new owner.`;
  static override examples = examples({
    'Preview the request': 'forgectl repos transfer acme/site globex --new-name storefront --dry-run',
    'Transfer without confirmation and wait until it is complete':
      'forgectl repos transfer acme/site globex --new-name storefront --wait --yes',
  });
  static override requests = [transferRepository.route, getRepository.route];
  static override args = { repo: repoArg(), owner: nameArg('OWNER', 'Login of the new owner') };
  static override flags = {
    ...fieldFlags(fields),
    wait: Flags.boolean({ description: 'Wait until the repository has moved; exit code 10 if it has not' }),
    'wait-timeout': valueFlag('--wait-timeout', parseDuration, {
      helpValue: 'DURATION',
      description: 'Time limit of --wait (default: 5m)',
    }),
    ...inputFlags,
    ...confirmedWriteFlags,
  };

  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ReposTransfer);
    if (flags['wait-timeout'] !== undefined && !flags.wait)
      this.problems.push(invalid('--wait-timeout', 'requires --wait'));
    const { body } = await this.inputFor(transferRepository, flags, {
      body: { new_owner: args.owner ?? invalidArgument },
    });
    const { owner, repo } = this.valid(args).repo;
    const path = { owner, repo };
    const [from, to] = [`${owner}/${repo}`, `${body.new_owner}/${body.new_name ?? repo}`];
    await this.confirmNamed({ owner, repo }, `transfers ${from} to ${to}`, flags);
    const verifyCommand = `forgectl repos get ${to}`;
    const answer = await this.write(transferRepository, { path, body }, { verifyCommand });
    if (answer instanceof PlannedRequest) return answer;
    if (!flags.wait) {
      this.notice(`The transfer to ${to} continues in the background; --wait waits for it.`);
      return answer;
    }
    const moved = await this.waitForMove({ owner: body.new_owner, repo: body.new_name ?? repo }, answer, {
      to,
      limitMs: flags['wait-timeout'] ?? fiveMinutes,
    });
    this.notice(`Transferred ${from} to ${moved.full_name}.`);
    return moved;
  }

  private async waitForMove(
    path: { owner: string; repo: string },
    { id }: Repository,
    { to, limitMs }: { readonly to: string; readonly limitMs: number },
  ): Promise<Repository> {
    const moved = await poll(
      {
        ask: () => this.find(path),
        done: (found) => found !== undefined && (id === undefined || found.id === id),
        describe: () => `the repository is not at ${to} yet`,
        limitMs,
        advice: `The transfer may still complete, or ${path.owner} may have to accept it. Check with “forgectl repos get ${to}”.`,
      },
      this.runtime,
    );
    return moved as Repository;
  }

  private async find(path: { owner: string; repo: string }): Promise<Repository | undefined> {
    try {
      return await this.call(getRepository, { path });
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}
