import { examples, ForgectlCommand, type Planned } from '../../cli/command/command.ts';
import { invalidArgument, type RepoName, readRepoName, repoArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, valueFlag, writeFlags } from '../../cli/input/flags.ts';
import { InvalidResponseError } from '../../client/errors.ts';
import { isSameName } from '../../client/moves.ts';
import { PlannedRequest } from '../../client/request.ts';
import { asText } from '../../json/exact-json.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { createOrganizationRepository, generateRepository, updateRepository } from '../../platform/endpoints/repos.ts';
import type { Repository } from '../../platform/records.ts';
import { repositories } from '../../platform/resources/repos.ts';
import { invalid, missing, type Rule } from '../../platform/validate.ts';
import { repositoryDetails } from '../../topics/repos/details.ts';

const { name: _fromArgument, ...fields } = createOrganizationRepository.body.entries;
const { include_all_branches } = generateRepository.body.entries;

/** Required here because the platform would otherwise create a public repository. */
const visibilityChosen: Rule = ({ visibility, private: isPrivate }) =>
  visibility === undefined && isPrivate === undefined
    ? [missing('visibility', 'is required, because the platform defaults to public')]
    : [];

/** Fields that neither the request for a copy of a template nor an update accepts. */
const possibleWithTemplate: Rule = (body) =>
  Object.keys(body)
    .filter((name) => Object.hasOwn(fields, name) && !Object.hasOwn(updateRepository.body.entries, name))
    .map((name) => invalid(name, 'cannot be used with --template'));

type CreateBody = InputOf<typeof createOrganizationRepository>['body'];

export default class ReposCreate extends ForgectlCommand<Repository> {
  static override summary = 'Create a repository in an organization';
  static override description =
    `Creates a repository. --visibility or --private is required unless --input provides the body, because the platform
defaults to public; other settings default to those of the platform or organization. --template copies the files of a
template; the platform then takes only a description and whether the repository is private, so an update follows for
everything else, internal visibility included.`;
  static override examples = examples({
    'Create a private repository with a README': 'forgectl repos create acme/handbook --visibility private --auto-init',
    'Allow only squash merges, with the pull request title':
      'forgectl repos create acme/engine --private --no-allow-merge-commit --no-allow-rebase-merge --squash-merge-commit-title PR_TITLE',
    'Create an internal repository from a template':
      'forgectl repos create acme/service --template acme/courier-agent --visibility internal --dry-run',
  });
  static override requests = [createOrganizationRepository.route, generateRepository.route, updateRepository.route];
  static override args = { repo: repoArg('New repository, as ORG/NAME') };
  static override flags = {
    template: valueFlag('--template', readRepoName, {
      helpValue: 'OWNER/NAME',
      description: 'Template to create the repository from',
    }),
    ...fieldFlags({ include_all_branches }),
    ...fieldFlags(fields),
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly details = repositoryDetails;
  protected override readonly idField = 'full_name';

  protected override readonly made = ({ full_name, visibility, html_url }: Repository) =>
    `Created repository ${full_name} (${visibility}): ${html_url}`;

  async run(): Promise<Repository | Planned> {
    const { args, flags } = await this.collect(ReposCreate);
    const { template, 'include-all-branches': allBranches } = flags;
    if (allBranches !== undefined && !template)
      this.problems.push(invalid('--include-all-branches', 'requires --template'));
    const { body } = await this.inputFor(createOrganizationRepository, flags, {
      resource: repositories,
      body: { name: args.repo?.repo ?? invalidArgument },
      // --input is the whole body, as scripts would send it to the platform.
      rules: [...(flags.input === undefined ? [visibilityChosen] : []), ...(template ? [possibleWithTemplate] : [])],
    });
    if (visibilityChosen(body).length > 0)
      this.notice('No visibility given: the platform creates a public repository by default.');
    const { owner: org, repo: name } = this.valid(args).repo;
    if (template) return this.generate(template, org, { ...body, include_all_branches: allBranches });
    const verifyCommand = `forgectl repos get ${org}/${name}`;
    return this.write(createOrganizationRepository, { path: { org }, body }, { verifyCommand });
  }

  /** Copies a template, and sends an update of the copy for what that request does not accept. */
  private async generate(
    { owner: template_owner, repo: template_repo }: RepoName,
    owner: string,
    {
      name,
      description,
      include_all_branches,
      private: isPrivate,
      visibility,
      ...rest
    }: CreateBody & {
      readonly include_all_branches: boolean | undefined;
    },
  ) {
    const hidden = visibility === undefined ? isPrivate : visibility !== 'public';
    const given = { description, include_all_branches, private: hidden };
    const body = {
      owner,
      name,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    };
    const update = { ...rest, ...(visibility === 'internal' && { visibility }) } as InputOf<
      typeof updateRepository
    >['body'];
    const verifyCommand = `forgectl repos get ${owner}/${name}`;
    const made = await this.write(
      generateRepository,
      { path: { template_owner, template_repo }, body },
      { verifyCommand },
    );
    if (Object.keys(update).length === 0) return made;
    const updating = () =>
      this.write(updateRepository, { path: { owner, repo: name }, body: update }, { verifyCommand });
    if (made instanceof PlannedRequest) return [made, (await updating()) as PlannedRequest];
    const created = asText(made.full_name ?? `${owner}/${name}`);
    try {
      // A run that continues has no record of the copy.
      if (!isSameName(created, `${owner}/${name}`)) {
        const asked = { method: 'POST', path: `/repos/${template_owner}/${template_repo}/generate` };
        throw new InvalidResponseError(
          asked,
          `${asked.method} ${asked.path} created ${created} instead of ${owner}/${name}, which was not changed.`,
        );
      }
      return await updating();
    } catch (error) {
      this.notice(`Created ${created}, but without ${Object.keys(update).join(', ')}.`);
      this.failAfter([made], error);
      return made;
    }
  }
}
