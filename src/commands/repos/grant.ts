import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { textFlag, writeFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { addCollaborator, grantTeam } from '../../platform/endpoints/grants.ts';
import { listCustomRepositoryRoles } from '../../platform/endpoints/orgs.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import type { RepositoryInvitation } from '../../platform/records.ts';
import { baseRoles, isBaseRole, permissionOf } from '../../platform/repository-roles.ts';
import { grantColumns, granteeFlags, type RepositoryGrant } from '../../topics/repos/grants.ts';
import { knownRole } from '../../topics/repos/known-role.ts';
import { namedRepository } from '../../topics/repos/named.ts';

export default class ReposGrant extends ForgectlCommand<RepositoryGrant> {
  static override summary = 'Grant access to a team or a person';
  static override description =
    `Grants a team or a person a role in a repository, or changes the role that they were given. Members of the organization
get it at once; anyone else is invited, and the invitation is pending until the person accepts it. Access from other teams,
ownership or the base permission is not changed: “repos access” lists all of it.`;
  static override examples = examples({
    'Let a team write': 'forgectl repos grant acme/site --team engineering --role write',
    'Grant a person a custom role': 'forgectl repos grant acme/site --user paperfox --role "Security Engineer"',
    'Preview an invitation': 'forgectl repos grant acme/site --user velvetmole --role read --dry-run',
  });
  static override requests = [
    getRepository.route,
    listCustomRepositoryRoles.route,
    grantTeam.route,
    addCollaborator.route,
  ];
  static override args = { repo: repoArg() };
  static override flags = {
    ...granteeFlags,
    role: {
      ...textFlag('--role', {
        helpValue: 'ROLE',
        description: `Role: ${baseRoles.join(', ')}, or a custom role of the organization; pull and push are accepted, too`,
        question: 'Role',
      }),
      // Custom roles are accepted, too.
      options: baseRoles,
    },
    ...writeFlags,
  };

  protected override readonly columns = grantColumns;
  protected override readonly idField = 'name';

  protected override readonly made = ({ repository, name, role, state }: RepositoryGrant) =>
    state === 'pending'
      ? `Invited ${name} to ${repository} with role ${role}; the invitation is pending.`
      : `Granted ${name} the ${role} role in ${repository}.`;

  async run(): Promise<RepositoryGrant | PlannedRequest> {
    const { args, flags } = await this.collect(ReposGrant);
    const { team, user } = await this.input.oneOfFlags(['team', 'user'], flags);
    const { role: typed = '' } = await this.input.oneOfFlags(['role'], flags);
    const { repo } = this.valid(args);
    const role = await knownRole(this.session, typed, repo.owner, (text) => this.notice(text));
    const permission = isBaseRole(role) ? permissionOf[role] : role;
    const verifyCommand = `forgectl repos access ${repo.owner}/${repo.repo}`;
    if (team !== undefined) {
      // The platform may find a renamed repository by its former name.
      if (!flags['dry-run']) await namedRepository(this.session, repo);
      const path = { org: repo.owner, team_slug: team, ...pathOf(repo) };
      const answer = await this.session.write(grantTeam, { path, body: { permission } }, { verifyCommand });
      return answer instanceof PlannedRequest ? answer : grantOf(repo, { type: 'team', name: team, role });
    }
    const path = { ...pathOf(repo), username: user ?? '' };
    const invitation = await this.write(addCollaborator, { path, body: { permission } }, { verifyCommand });
    if (invitation instanceof PlannedRequest) return invitation;
    // Nothing is returned for people who get access at once.
    return grantOf(repo, { type: 'user', name: user ?? '', role }, (invitation as Partial<RepositoryInvitation>).id);
  }
}

const grantOf = (
  { owner, repo }: RepoName,
  grantee: Pick<RepositoryGrant, 'type' | 'name' | 'role'>,
  invitationId: number | null = null,
): RepositoryGrant => ({
  repository: `${owner}/${repo}`,
  ...grantee,
  state: invitationId === null ? 'active' : 'pending',
  invitation_id: invitationId,
});

const pathOf = ({ owner, repo }: RepoName) => ({ owner, repo });
