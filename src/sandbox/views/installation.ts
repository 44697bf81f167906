import type { Installation } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { appPermissions } from '../seed/tokens.ts';
import type { OrganizationState } from '../state/accounts.ts';
import { installationOn } from '../state/installations.ts';
import { actorView } from './actor.ts';

/** The id of the seeded app. */
export const appId = 41;

/** The seeded app's installation on an organization. Specification, App installation. */
export function installationView(platform: SandboxPlatform, organization: OrganizationState): Installation {
  const id = 5000 + organization.index;
  const suspended = installationOn(organization) === 'suspended';
  const admin = platform.accounts.userById(1);
  return {
    id,
    account: actorView(platform, organization),
    access_tokens_url: `${platform.baseUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${platform.baseUrl}/installation/repositories`,
    html_url: `${platform.origin}/organizations/${organization.login}/settings/installations/${id}`,
    app_id: appId,
    app_slug: 'sandbox-app',
    target_id: organization.id,
    target_type: 'Organization',
    permissions: { ...appPermissions },
    events: ['push', 'pull_request'],
    single_file_name: 'config.yml',
    has_multiple_single_files: true,
    single_file_paths: ['config.yml', '.sandbox/policy.yml'],
    repository_selection: 'all',
    created_at: '2023-03-14T10:00:00Z',
    updated_at: '2024-06-02T08:15:00Z',
    suspended_at: suspended ? '2024-06-02T08:15:00Z' : null,
    suspended_by: suspended && admin ? actorView(platform, admin) : null,
  };
}
