/** The base of the commands that archive and unarchive a repository, confirmed by its name. */
import { ForgectlCommand } from '../cli/command/command.ts';
import type { RepoName } from '../cli/input/args.ts';
import { getRepository, updateRepository } from '../platform/endpoints/repos.ts';
import type { Repository } from '../platform/records.ts';
import { contentColumns } from './repository-columns.ts';
import { repositoryDetails } from './repository-details.ts';

export abstract class ArchivingCommand extends ForgectlCommand<Repository> {
  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  protected async setArchived({ owner, repo }: RepoName, archived: boolean) {
    const name = `${owner}/${repo}`;
    const path = { owner, repo };
    const effect = archived
      ? `archives ${name}, which makes it read-only`
      : `unarchives ${name} and makes it writable again`;
    const preview = async () => ({ record: await this.call(getRepository, { path }), columns: contentColumns });
    await this.input.confirm(name, effect, preview);
    return this.write(
      updateRepository,
      { path, body: { archived } },
      { verifyCommand: `forgectl repos get ${name} --jq .archived` },
    );
  }
}
