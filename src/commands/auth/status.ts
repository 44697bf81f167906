import { identify } from '../../cli/account/account.ts';
import { notLoggedIn } from '../../cli/account/connection.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import type { Client } from '../../client/client.ts';
import { NotFoundError } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import { getAuthenticatedUser, getMeta, getRateLimits } from '../../platform/endpoints/accounts.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';
import type { RateLimitQuota } from '../../platform/records.ts';

interface Status {
  profile: string | null;
  base_url: string;
  login: string | null;
  token_kind: string | null;
  source: string;
  /** The environment variable that the token came from; null for one that is kept. */
  variable: string | null;
  scopes: readonly string[] | null;
  expires_at: string | null;
  /** Null where the platform sets no limits. */
  quota: RateLimitQuota | null;
  api_version: string;
  platform_version: string | null;
  /** What named the platform: a flag, a variable or a profile. */
  base_url_from: string;
  /** Sentences, each about a token that is there and not in use. */
  passed_over: readonly string[];
}

export default class AuthStatus extends ForgectlCommand<Status> {
  static override summary = 'Show who you are on which platform';
  static override description =
    `Asks the platform who the token in use belongs to, and shows where that token came from, what kind it is, its scopes, when it ends and
how much of its quota is left; also what named the platform, and which other tokens were passed over, and why. Use it when a command is refused, or before a long run. Exits with 4 when there is no token or the
platform does not accept it.`;
  static override examples = [
    { description: 'With the active profile', command: '<%= config.bin %> auth status' },
    {
      description: 'Another profile’s quota, for a script',
      command: '<%= config.bin %> auth status --profile staging --jq .quota.remaining',
    },
  ];
  static override requests = [
    getAuthenticatedUser.route,
    listInstallationRepositories.route,
    getMeta.route,
    getRateLimits.route,
  ];

  protected override readonly columns: readonly Column<Status>[] = [
    { header: 'Profile', get: 'profile' },
    { header: 'Base URL', get: 'base_url' },
    { header: 'Login', get: 'login' },
    { header: 'Token kind', get: 'token_kind' },
    { header: 'Token from', get: ({ source, variable }) => (variable ? `${source}, ${variable}` : source) },
    { header: 'Scopes', get: 'scopes' },
    { header: 'Expires', get: 'expires_at' },
    { header: 'Quota left', get: ({ quota }) => (quota ? `${quota.remaining} of ${quota.limit}` : 'no limit') },
    { header: 'API version', get: 'api_version' },
    { header: 'Platform version', get: 'platform_version' },
    { header: 'Base URL from', get: 'base_url_from' },
    { header: 'Not in use', get: ({ passed_over }) => passed_over.join(' ') || null },
  ];

  protected override readonly idField = 'login';

  async run() {
    await this.parse(AuthStatus);
    const connection = await this.session.connection();
    const { platform, baseUrlFrom, profile, credential, tokenKind, ignoredTokens } = connection;
    if (!credential) throw notLoggedIn(connection);
    const client = await this.session.client();
    const account = await identify(client, tokenKind);
    return {
      profile: profile ?? null,
      base_url: platform.baseUrl,
      login: account.login,
      token_kind: account.tokenKind,
      source: credential.source,
      variable: credential.variable ?? null,
      scopes: account.scopes,
      expires_at: account.expiresAt,
      quota: await quotaOf(client),
      api_version: platform.apiVersion,
      platform_version: account.platformVersion,
      base_url_from: baseUrlFrom,
      passed_over: ignoredTokens,
    };
  }
}

/** Where limits are off, the platform says so with a 404. */
async function quotaOf(client: Client): Promise<RateLimitQuota | null> {
  try {
    return (await client.call(getRateLimits, {})).rate;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
