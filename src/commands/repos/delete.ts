import { ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import { deleteRepository, getRepository } from '../../platform/endpoints/repos.ts';
import { contentColumns } from '../../topics/repository-columns.ts';

export default class ReposDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete a repository';
  static override description =
    `Deletes a repository with its code, issues and pull requests. Forks are kept. Classic tokens need the scope
delete_repo. To keep the contents readable, use “repos archive” instead.`;
  static override examples = [
    { description: 'Preview the request', command: '<%= config.bin %> repos delete acme/site --dry-run' },
    { description: 'Delete without confirmation', command: '<%= config.bin %> repos delete acme/site --yes' },
  ];
  static override requests = [deleteRepository.route];
  static override args = { repo: repoArg() };
  static override flags = writeFlags;

  async run() {
    const { args } = await this.parse(ReposDelete);
    const { owner, repo } = args.repo;
    const name = `${owner}/${repo}`;
    const path = { owner, repo };
    const preview = async () => ({ record: await this.call(getRepository, { path }), columns: contentColumns });
    return this.remove(
      deleteRepository,
      { path },
      {
        name,
        effect: `deletes ${name} with its code, issues and pull requests`,
        preview,
        verifyCommand: `forgectl repos get ${name}`,
        done: `Deleted ${name}.`,
      },
    );
  }
}
