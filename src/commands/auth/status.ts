import { type Account, identify } from '../../cli/account/account.ts';
import type { AppLogin } from '../../cli/account/app/login.ts';
import { notLoggedIn } from '../../cli/account/connection.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import type { Client } from '../../client/client.ts';
import { NotFoundError } from '../../client/errors.ts';
import type { MintedToken } from '../../client/installation-tokens.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import type { Column } from '../../output/table/columns.ts';
import { getAuthenticatedUser, getMeta, getRateLimits } from '../../platform/endpoints/accounts.ts';
import { createInstallationToken, getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';
import type { RateLimitQuota } from '../../platform/records.ts';
import { permissionList } from '../../topics/installation-columns.ts';

interface Status {
  profile: string | null;
  base_url: string;
  login: string | null;
  token_kind: string | null;
  source: string;
  /** The environment variable with the token; null for a stored token. */
  variable: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  /** Null if the platform has no rate limits. */
  quota: RateLimitQuota | null;
  api_version: string;
  platform_version: string | null;
  /** The source of the base URL: a flag, a variable or a profile. */
  base_url_from: string;
  /** A sentence about each token that is available but ignored. */
  ignored_tokens: readonly string[];
  /** Present if the login is that of an app. */
  app?: AppStatus;
}

interface AppStatus {
  id: number;
  /** Null if the app has several and none is selected: each command then uses that of its organization. */
  installation_id: number | null;
  permissions: Readonly<Record<string, string>> | null;
  /** `all` or `selected`. */
  repository_selection: string | null;
  /** The only repositories that the token can access; null if it is not limited to any. */
  repositories: readonly string[] | null;
  /** Additional environment variables of the sign command; null if no program signs. */
  sign_env: readonly string[] | null;
}

export default class AuthStatus extends ForgectlCommand<Status> {
  static override summary = 'Show the current login and platform';
  static override description =
    `Shows the owner, source, kind, scopes, expiry and remaining rate limit of the token in use, the source of the base
URL, and ignored tokens with the reason; for an app, also its installation and permissions. Use it when a command fails
with a permission error, or before a long run. Exits with code 4 without a token or if the platform rejects it.`;
  static override examples = examples({
    'Show the status of the active profile': 'forgectl auth status',
    'Print the remaining rate limit of another profile': 'forgectl auth status --profile staging --jq .quota.remaining',
  });
  static override requests = [
    getAuthenticatedUser.route,
    listInstallationRepositories.route,
    getMeta.route,
    getRateLimits.route,
    getApp.route,
    listAppInstallations.route,
    createInstallationToken.route,
  ];

  protected override readonly columns: readonly Column<Status>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Token from', get: ({ source, variable }) => (variable ? `${source}, ${variable}` : source) },
    { header: 'Scopes', get: 'scopes' },
    { header: 'Expires', get: 'expires_at' },
    { header: 'Rate limit left', get: ({ quota }) => (quota ? `${quota.remaining} of ${quota.limit}` : 'no limit') },
    { header: 'API version', get: 'api_version' },
    { header: 'Platform version', get: 'platform_version' },
    { header: 'Base URL from', get: 'base_url_from' },
    { header: 'Ignored tokens', get: ({ ignored_tokens }) => ignored_tokens.join(' ') || null },
    { header: 'App ID', get: 'app.id', group: 'App', only: 'table' },
    { header: 'Installation', get: 'app.installation_id', group: 'App', only: 'table' },
    {
      header: 'Permissions',
      get: ({ app }) => app?.permissions && permissionList(app.permissions),
      group: 'App',
      only: 'table',
    },
    {
      header: 'Repositories',
      get: ({ app }) => app?.repositories ?? app?.repository_selection,
      group: 'App',
      only: 'table',
    },
    { header: 'Sign command environment', get: ({ app }) => app?.sign_env, group: 'App', only: 'table' },
  ];

  protected override readonly idField = 'login';

  async run() {
    await this.parse(AuthStatus);
    const connection = await this.session.connection();
    const { platform, baseUrlFrom, profile, credential, tokenKind, ignoredTokens } = connection;
    if (!credential) throw notLoggedIn(connection);
    const client = await this.session.client();
    const { account, app } = credential.app
      ? await this.ofApp(client, credential.app)
      : { account: await identify(client, tokenKind) };
    return {
      profile: profile ?? null,
      base_url: platform.baseUrl,
      login: account.login,
      token_kind: account.tokenKind,
      source: credential.source,
      variable: credential.variable ?? null,
      scopes: account.scopes,
      expires_at: account.expiresAt,
      quota: app?.installation_id === null ? null : await quotaOf(client),
      api_version: platform.apiVersion,
      platform_version: account.platformVersion,
      base_url_from: baseUrlFrom,
      ignored_tokens: ignoredTokens,
      ...(app && { app }),
    };
  }

  /** Returns the app, and the token of its installation. */
  private async ofApp(client: Client, login: AppLogin): Promise<{ account: Account; app: AppStatus }> {
    const { identifyApp, selectedToken } = await import('../../cli/account/app/identify.ts');
    const { appId, ...account } = await identifyApp(client);
    const token = await selectedToken(client);
    return {
      account: { ...account, expiresAt: token?.expires_at ?? null },
      app: {
        id: appId,
        installation_id: token?.installationId ?? null,
        permissions: token?.permissions ?? null,
        repository_selection: token?.repository_selection ?? null,
        repositories: repositoriesOf(token),
        sign_env: login.signEnv ?? null,
      },
    };
  }
}

/** Returns the names of the only repositories of a token. What is none is shown as the platform returned it. */
function repositoriesOf(token: MintedToken | undefined): readonly string[] | null {
  const listed: unknown = token?.repositories ?? null;
  const nameOf = (listing: unknown) => asText(isObject(listing) ? (listing.full_name ?? listing) : listing);
  return listed === null ? null : [listed].flat().map(nameOf);
}

/** Platforms without rate limits return 404. */
async function quotaOf(client: Client): Promise<RateLimitQuota | null> {
  try {
    return (await client.call(getRateLimits, {})).rate;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
