import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { invalidArgument, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createOrganizationRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositories } from '../../platform/resources/repos.ts';
import { missing, type Rule } from '../../platform/validate.ts';
import { repositoryDetails } from '../../topics/repos/details.ts';

const { name: _fromArgument, ...fields } = createOrganizationRepository.body.entries;

/** Required here because the platform would otherwise create a public repository. */
const visibilityChosen: Rule = ({ visibility, private: isPrivate }) =>
  visibility === undefined && isPrivate === undefined
    ? [missing('visibility', 'is required, because the platform defaults to public')]
    : [];

export default class ReposCreate extends ForgectlCommand<Repository> {
  static override summary = 'Create a repository in an organization';
  static override description =
    `Creates a repository. --visibility or --private is required unless --input provides the body, because the platform
defaults to public; other settings default to those of the platform or organization.`;
  static override examples = examples({
    'Create a private repository with a README': 'forgectl repos create acme/handbook --visibility private --auto-init',
    'Allow only squash merges, with the pull request title':
      'forgectl repos create acme/engine --private --no-allow-merge-commit --no-allow-rebase-merge --squash-merge-commit-title PR_TITLE',
  });
  static override requests = [createOrganizationRepository.route];
  static override args = { repo: repoArg('New repository, as ORG/NAME') };
  static override flags = { ...fieldFlags(fields), ...inputFlags, ...writeFlags };

  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  protected override readonly made = ({ full_name, visibility, html_url }: Repository) =>
    `Created repository ${full_name} (${visibility}): ${html_url}`;

  async run() {
    const { args, flags } = await this.collect(ReposCreate);
    const { body } = await this.inputFor(createOrganizationRepository, flags, {
      resource: repositories,
      body: { name: args.repo?.repo ?? invalidArgument },
      // --input is the whole body, as scripts would send it to the platform.
      rules: flags.input === undefined ? [visibilityChosen] : [],
    });
    if (visibilityChosen(body).length > 0)
      this.notice('No visibility given: the platform creates a public repository by default.');
    const { owner: org, repo: name } = this.valid(args).repo;
    const verifyCommand = `forgectl repos get ${org}/${name}`;
    return this.write(createOrganizationRepository, { path: { org }, body }, { verifyCommand });
  }
}
