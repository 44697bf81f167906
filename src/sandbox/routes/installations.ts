import * as endpoints from '../../platform/endpoints/installations.ts';
import { inaccessible } from '../access.ts';
import { mapped } from '../paging.ts';
import { notFound } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { installationView } from '../views/installation.ts';
import { repositoryView } from '../views/repository.ts';

export function mountInstallations(app: App): void {
  route(app, endpoints.listInstallations, ({ platform, caller }) => {
    if (caller.login === undefined) throw inaccessible(caller);
    const { accounts } = platform;
    // The app is installed on the first two organizations, and suspended on the second.
    const organizations = [0, 1].filter((index) => index < accounts.organizationCount);
    return organizations.map((index) => installationView(platform, accounts.organizationAt(index)));
  });

  route(app, endpoints.listInstallationRepositories, ({ platform, caller }) => {
    const account = platform.accounts.account(caller.account ?? '');
    if (!account) throw notFound();
    return mapped(platform.repositories.of(account), (repository) => repositoryView(platform, repository, caller));
  });

  route(app, endpoints.revokeInstallationToken, ({ platform, caller }) => {
    platform.tokens.revoke(caller);
  });
}
