import * as endpoints from '../../platform/endpoints/apps.ts';
import type { Level } from '../../platform/permission-map.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, unprocessable } from '../refusals.ts';
import { type App, type Call, route } from '../route.ts';
import { appPermissions } from '../seed/tokens.ts';
import type { OrganizationState } from '../state/accounts.ts';
import { installationOn, installedOn } from '../state/installations.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { appView, installationId, installationView } from '../views/installation.ts';
import { repositoryView } from '../views/repository.ts';

export function mountApps(app: App): void {
  route(app, endpoints.getApp, ({ platform }) => appView(platform));

  route(app, endpoints.listAppInstallations, ({ platform }) =>
    installedOn(platform.accounts).map((organization) => installationView(platform, organization)),
  );

  route(app, endpoints.getOrganizationInstallation, ({ platform, organization }) => {
    if (!installationOn(organization)) throw notFound();
    return installationView(platform, organization);
  });

  route(app, endpoints.createInstallationToken, ({ platform, caller, path, body }) => {
    const isMeant = (each: OrganizationState) => installationId(each) === path.installation_id;
    const organization = found(installedOn(platform.accounts).find(isMeant));
    if (installationOn(organization) === 'suspended') throw forbidden('This installation has been suspended');
    const permissions = narrowed(body.permissions);
    const repositories = chosen(platform, organization, body);
    const { token, expires } = platform.tokens.mint({
      kind: 'installation',
      account: organization.login,
      permissions,
      ...(repositories && { repositories: repositories.map(({ id }) => id) }),
    });
    return {
      token,
      expires_at: expires,
      permissions: { ...permissions },
      repository_selection: repositories ? 'selected' : 'all',
      ...(repositories && { repositories: repositories.map((each) => repositoryView(platform, each, caller)) }),
    };
  });
}

type Body = Call<typeof endpoints.createInstallationToken>['body'];

/** Returns the permissions of a token: all of the installation, or the requested ones, if it has them. */
function narrowed(requested: Body['permissions']): Readonly<Record<string, Level>> {
  if (requested === undefined) return appPermissions;
  const isHeld = ([name, level]: [string, unknown]) =>
    level === appPermissions[name] || (level === 'read' && appPermissions[name] === 'write');
  if (!Object.entries(requested).every(isHeld))
    throw unprocessable('The permissions requested are not granted to this installation.');
  return { metadata: 'read', ...(requested as Record<string, Level>) };
}

/** Returns the requested repositories; undefined for all of the installation. */
function chosen(
  { repositories }: SandboxPlatform,
  organization: OrganizationState,
  { repositories: names, repository_ids: ids }: Body,
): RepositoryState[] | undefined {
  if (names === undefined && ids === undefined) return undefined;
  const byName = (names ?? []).map((name) => repositories.find(organization, name));
  const byId = (ids ?? []).map((id) => repositories.byId(id));
  const found = [...byName, ...byId].flatMap((each) => (each?.owner_id === organization.id ? [each] : []));
  if (found.length < byName.length + byId.length)
    throw unprocessable(
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  return found;
}
