import { examples } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { deleteRepository, getRepository } from '../../platform/endpoints/repos.ts';
import { NamedRepositoryCommand } from '../../topics/repos/named.ts';

export default class ReposDelete extends NamedRepositoryCommand<Record<string, never>> {
  static override summary = 'Delete a repository';
  static override description =
    `Deletes a repository with its code, issues and pull requests. Forks are kept. Classic tokens need the scope
delete_repo. To keep the contents readable, use “repos archive” instead.`;
  static override examples = examples({
    'Preview the request': 'forgectl repos delete acme/site --dry-run',
    'Delete without confirmation': 'forgectl repos delete acme/site --yes',
  });
  static override requests = [getRepository.route, deleteRepository.route];
  static override args = { repo: repoArg() };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args, flags } = await this.parse(ReposDelete);
    const { owner, repo } = args.repo;
    const name = `${owner}/${repo}`;
    await this.confirmNamed(args.repo, `deletes ${name} with its code, issues and pull requests`, flags);
    return this.write(
      deleteRepository,
      { path: { owner, repo } },
      { verifyCommand: `forgectl repos get ${name}`, done: `Deleted ${name}.` },
    );
  }
}
