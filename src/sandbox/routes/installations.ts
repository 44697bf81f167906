import * as endpoints from '../../platform/endpoints/installations.ts';
import { inaccessible } from '../access.ts';
import { mapped } from '../paging.ts';
import { found } from '../refusals.ts';
import { hasRole } from '../roles.ts';
import { type App, route } from '../route.ts';
import { installationOn, installedOn, otherInstallations } from '../state/installations.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { installationView } from '../views/installation.ts';
import { repositoryView } from '../views/repository.ts';

export function mountInstallations(app: App): void {
  route(app, endpoints.listInstallations, ({ platform, caller }) => {
    if (caller.login === undefined) throw inaccessible(caller);
    // Specification, GET /user/installations: where the caller has explicit access.
    return installedOn(platform.accounts)
      .filter((organization) => hasRole(platform, caller, organization, 'owner', 'member', 'outside collaborator'))
      .map((organization) => installationView(platform, organization));
  });

  route(app, endpoints.listOrganizationInstallations, ({ platform, organization }) => [
    ...(installationOn(organization) ? [installationView(platform, organization)] : []),
    ...otherInstallations(platform.accounts, organization).map((installation) =>
      installationView(platform, organization, installation),
    ),
  ]);

  route(app, endpoints.listInstallationRepositories, ({ platform, caller }) => {
    const account = found(platform.accounts.account(caller.account ?? ''));
    const view = (repository: RepositoryState) => repositoryView(platform, repository, caller);
    const all = platform.repositories.of(account);
    if (!caller.repositories) return mapped(all, view);
    return caller.repositories
      .map((id) => platform.repositories.byId(id))
      .filter((each) => each !== undefined)
      .map(view);
  });

  route(app, endpoints.revokeInstallationToken, ({ platform, caller }) => {
    platform.tokens.revoke(caller);
  });
}
