import { repoArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { fieldFlags } from '../../cli/fields.ts';
import { inputFlags, writeFlags } from '../../cli/flags.ts';
import { repositorySheet } from '../../cli/topics/repository-sheet.ts';
import { createOrganizationRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';

const { name: _fromArgument, ...fields } = createOrganizationRepository.body.entries;

export default class ReposCreate extends ForgectlCommand<Repository> {
  static override summary = 'Create a repository in an organization';
  static override description =
    `Creates a repository. What is left out is the platform’s or the organization’s default; nothing is sent for it. The answer is the
new repository.`;
  static override examples = [
    {
      description: 'A private repository with a readme',
      command: '<%= config.bin %> repos create acme/handbook --visibility private --auto-init',
    },
    {
      description: 'Squash merges only, titled by their pull request',
      command:
        '<%= config.bin %> repos create acme/engine --no-allow-merge-commit --no-allow-rebase-merge --squash-merge-commit-title PR_TITLE',
    },
  ];
  static override requests = [createOrganizationRepository.route];
  static override args = { repo: repoArg('New repository, written ORG/NAME') };
  static override flags = { ...fieldFlags(fields), ...inputFlags, ...writeFlags };

  protected override readonly sheet = repositorySheet;
  protected override readonly idField = 'full_name';

  async run() {
    const { args, flags } = await this.collect(ReposCreate);
    const { owner: org, repo: name } = args.repo;
    const { body } = await this.inputFor(createOrganizationRepository, flags, { body: { name } });
    const look = `forgectl repos get ${org}/${name}`;
    return this.write(createOrganizationRepository, { path: { org }, body }, { look });
  }
}
