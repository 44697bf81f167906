import type { App, Installation } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { appPermissions } from '../seed/tokens.ts';
import type { OrganizationState } from '../state/accounts.ts';
import { appId, appSlug, clientId } from '../state/app.ts';
import { installationOn, installedOn } from '../state/installations.ts';
import { actorView, nodeId } from './actor.ts';

export const installationId = ({ index }: OrganizationState): number => 5000 + index;

/** The seeded app. Public platform, GET /app. */
export function appView(platform: SandboxPlatform): App {
  const admin = platform.accounts.userById(1);
  return {
    id: appId,
    client_id: clientId,
    slug: appSlug,
    node_id: nodeId('Integration', appId),
    owner: admin ? actorView(platform, admin) : null,
    name: 'Sandbox App',
    description: 'Automates the sandbox',
    external_url: `${platform.origin}/apps/${appSlug}/about`,
    html_url: `${platform.origin}/apps/${appSlug}`,
    created_at: '2023-03-01T09:00:00Z',
    updated_at: '2024-06-02T08:15:00Z',
    permissions: { ...appPermissions },
    events: ['push', 'pull_request'],
    installations_count: installedOn(platform.accounts).length,
  };
}

/** An installation on an organization, that of the seeded app unless another is given. Specification, App installation. */
export function installationView(
  platform: SandboxPlatform,
  organization: OrganizationState,
  { id, app_id, app_slug } = { id: installationId(organization), app_id: appId, app_slug: appSlug },
): Installation {
  const suspended = installationOn(organization) === 'suspended';
  const admin = platform.accounts.userById(1);
  return {
    id,
    account: actorView(platform, organization),
    access_tokens_url: `${platform.baseUrl}/app/installations/${id}/access_tokens`,
    repositories_url: `${platform.baseUrl}/installation/repositories`,
    html_url: `${platform.origin}/organizations/${organization.login}/settings/installations/${id}`,
    app_id,
    app_slug,
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
