import * as endpoints from '../../platform/endpoints/accounts.ts';
import { requireUser } from '../access.ts';
import { found } from '../refusals.ts';
import { release } from '../release.ts';
import { type App, route } from '../route.ts';
import { authenticatedUserView, userView } from '../views/actor.ts';

export function mountAccounts(app: App): void {
  route(app, endpoints.getMeta, () => ({ verifiable_password_authentication: true, installed_version: release }));

  route(app, endpoints.getAuthenticatedUser, ({ platform, caller }) =>
    authenticatedUserView(platform, requireUser(platform, caller)),
  );

  route(app, endpoints.getUserById, ({ platform, path }) =>
    userView(platform, found(platform.accounts.userById(path.account_id))),
  );

  route(app, endpoints.getUser, ({ platform, path }) =>
    userView(platform, found(platform.accounts.account(path.username))),
  );

  route(app, endpoints.getRateLimits, ({ platform, caller }) => {
    const core = platform.quotas.quota(caller);
    const untouched = (limit: number) => ({ ...core, limit, remaining: limit, used: 0 });
    return {
      resources: {
        core,
        search: untouched(30),
        graphql: untouched(5000),
        integration_manifest: untouched(5000),
        source_import: untouched(100),
        code_scanning_upload: untouched(1000),
        actions_runner_registration: untouched(10_000),
        scim: untouched(15_000),
        dependency_snapshots: untouched(100),
        code_search: untouched(10),
      },
      rate: core,
    };
  });
}
