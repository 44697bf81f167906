/** The base of the commands that archive and unarchive a repository, confirmed by its name. */
import type { RepoName } from '../../cli/input/args.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryDetails } from './details.ts';
import { NamedRepositoryCommand } from './named.ts';

export abstract class ArchivingCommand extends NamedRepositoryCommand<Repository> {
  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  protected async setArchived(path: RepoName, archived: boolean, flags: { 'dry-run': boolean }) {
    const name = `${path.owner}/${path.repo}`;
    const effect = archived
      ? `archives ${name}, which makes it read-only`
      : `unarchives ${name} and makes it writable again`;
    await this.confirmNamed(path, effect, flags);
    return this.write(
      updateRepository,
      { path: { ...path }, body: { archived } },
      { verifyCommand: `forgectl repos get ${name} --jq .archived` },
    );
  }
}
