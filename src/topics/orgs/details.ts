/** The details of an organization; JSON output has every field. */
import type { Column } from '../../output/table/columns.ts';
import type { Organization } from '../../platform/records.ts';
import { allowed, booleanLabel, enabled, grouped, namesOn } from '../detail-words.ts';

const about: readonly Column<Organization>[] = [
  { header: 'Login', get: 'login', link: true },
  { header: 'ID', get: 'id' },
  { header: 'Name', get: (organization) => organization.name || undefined },
  { header: 'Description', get: 'description' },
  { header: 'URL', get: 'html_url', link: true },
  { header: 'Email', get: (organization) => organization.email || undefined },
  { header: 'Location', get: (organization) => organization.location || undefined },
  { header: 'Created', get: 'created_at', as: 'age' },
  { header: 'Archived', get: (organization) => organization.archived_at ?? undefined, as: 'age' },
];

const size: readonly Column<Organization>[] = [
  { header: 'Plan', get: 'plan.name' },
  { header: 'Seats', get: seats },
  { header: 'Billing email', get: 'billing_email' },
  { header: 'Public repositories', get: 'public_repos', as: 'count' },
  { header: 'Private repositories', get: 'total_private_repos', as: 'count' },
  { header: 'Disk usage', get: ({ disk_usage: kilobytes }) => kilobytes ?? undefined, as: 'kilobytes' },
];

const members: readonly Column<Organization>[] = [
  { header: 'Default permission', get: 'default_repository_permission' },
  { header: 'Create repositories', get: creation },
  { header: 'Fork private repositories', get: ({ members_can_fork_private_repositories: may }) => allowed(may) },
  { header: 'Delete or transfer', get: ({ members_can_delete_repositories: may }) => allowed(may) },
  { header: 'Change visibility', get: ({ members_can_change_repo_visibility: may }) => allowed(may) },
  { header: 'Invite outside collaborators', get: ({ members_can_invite_outside_collaborators: may }) => allowed(may) },
  { header: 'Create teams', get: ({ members_can_create_teams: may }) => allowed(may) },
  { header: 'Create pages', get: ({ members_can_create_pages: may }) => allowed(may) },
  { header: 'Delete issues', get: ({ members_can_delete_issues: may }) => allowed(may) },
];

const rules: readonly Column<Organization>[] = [
  { header: 'Two-factor authentication', get: ({ two_factor_requirement_enabled: must }) => required(must) },
  { header: 'Web commit sign-off', get: ({ web_commit_signoff_required: must }) => required(must) },
  { header: 'Deploy keys', get: ({ deploy_keys_enabled_for_repositories: on }) => enabled(on), as: 'state' },
];

const inNewRepositories: readonly Column<Organization>[] = [
  { header: 'Dependency graph', get: (on) => enabled(on.dependency_graph_enabled_for_new_repositories), as: 'state' },
  { header: 'Dependency alerts', get: (on) => enabled(on.dependabot_alerts_enabled_for_new_repositories), as: 'state' },
  {
    header: 'Security updates',
    get: (on) => enabled(on.dependabot_security_updates_enabled_for_new_repositories),
    as: 'state',
  },
  { header: 'Advanced security', get: (on) => enabled(on.advanced_security_enabled_for_new_repositories), as: 'state' },
  { header: 'Secret scanning', get: (on) => enabled(on.secret_scanning_enabled_for_new_repositories), as: 'state' },
  {
    header: 'Push protection',
    get: (on) => enabled(on.secret_scanning_push_protection_enabled_for_new_repositories),
    as: 'state',
  },
];

function seats({ plan }: Organization): string | undefined {
  if (plan?.seats === undefined) return undefined;
  return plan.filled_seats === undefined ? String(plan.seats) : `${plan.filled_seats} of ${plan.seats} used`;
}

/** Returns the visibilities of repositories that members may create. */
function creation(organization: Organization): string | undefined {
  if (organization.members_can_create_repositories === false) return 'not allowed';
  return namesOn({
    public: organization.members_can_create_public_repositories,
    private: organization.members_can_create_private_repositories,
    internal: organization.members_can_create_internal_repositories,
  });
}

const required = (must: boolean | null | undefined) => booleanLabel(must, 'required', 'not required');

export const organizationDetails: readonly Column<Organization>[] = [
  ...grouped('Organization', about),
  ...grouped('Size', size),
  ...grouped('Members', members),
  ...grouped('Policies', rules),
  ...grouped('New repositories', inNewRepositories),
];
