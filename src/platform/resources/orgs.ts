import { getOrganization, updateOrganization } from '../endpoints/orgs.ts';
import { resource } from '../resource.ts';

/** The settings of an organization, including its profile. */
export const organizationSettings = resource({
  readOnly: [
    'login',
    'is_verified',
    'public_repos',
    'public_gists',
    'private_gists',
    'followers',
    'following',
    'type',
    'total_private_repos',
    'owned_private_repos',
    'disk_usage',
    'collaborators',
    'plan',
    'default_repository_branch',
    'members_can_delete_repositories',
    'members_can_change_repo_visibility',
    'members_can_invite_outside_collaborators',
    'members_can_delete_issues',
    'members_can_create_teams',
    'members_can_view_dependency_insights',
    'display_commenter_full_name_setting_enabled',
    'readers_can_create_discussions',
    'two_factor_requirement_enabled',
  ],
  nullable: [
    'billing_email',
    'default_repository_permission',
    'members_can_create_repositories',
    'members_can_fork_private_repositories',
  ],
  owners: { organization: { get: getOrganization, update: updateOrganization } },
});
