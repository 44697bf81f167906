import { examples } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { confirmedWriteFlags, inputFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { updateRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositories } from '../../platform/resources/repos.ts';
import { repositoryDetails } from '../../topics/repos/details.ts';
import { NamedRepositoryCommand, requiresName } from '../../topics/repos/named.ts';

export default class ReposUpdate extends NamedRepositoryCommand<Repository> {
  static override summary = 'Update the settings of a repository';
  static override description =
    `Updates only the given fields: each flag is one setting, and --no-… turns a setting off. --input reads several
settings from a file. After a rename with --name, the old name redirects to the new one. To change topics, use “repos
topics”. A new visibility, --archived, and turning off a security feature require confirmation.`;
  static override examples = examples({
    'Allow only squash merges and delete merged branches':
      'forgectl repos update acme/site --allow-squash-merge --no-allow-merge-commit --no-allow-rebase-merge --delete-branch-on-merge',
    'Preview a rename': 'forgectl repos update acme/site --name handbook --dry-run',
  });
  static override requests = [updateRepository.route];
  static override args = { repo: repoArg() };
  static override flags = { ...fieldFlags(updateRepository.body.entries), ...inputFlags, ...confirmedWriteFlags };

  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ReposUpdate);
    const current = this.reading(() => this.valid(args).repo);
    const { body } = await this.inputFor(updateRepository, flags, { resource: repositories, changes: true, current });
    const { owner, repo } = this.valid(args).repo;
    await this.input.confirmValues(`${owner}/${repo}`, body, current);
    if (!flags['dry-run'] && requiresName(body)) await current();
    const verifyCommand = `forgectl repos get ${owner}/${repo}`;
    const updated = await this.write(updateRepository, { path: { owner, repo }, body }, { verifyCommand });
    if (updated instanceof PlannedRequest) return updated;
    const { name, full_name } = updated;
    if (typeof name === 'string' && name.toLowerCase() !== repo.toLowerCase())
      this.notice(`Renamed ${owner}/${repo} to ${full_name}. The old name redirects to the new one.`);
    return updated;
  }
}
