/** The platform as an HTTP application: common behavior of all requests, and the routes of every family. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { RateLimitQuota } from '../platform/records.ts';
import { callbackForm } from './callback.ts';
import { isLoopbackHost, isOneOf } from './hosts.ts';
import { textFormat } from './media-types.ts';
import type { SandboxPlatform } from './platform.ts';
import { badRequest, forbidden, notFound, Refusal } from './refusals.ts';
import { apiVersions, release } from './release.ts';
import { jsonType } from './replies.ts';
import type { App, Env } from './route.ts';
import { mountAccounts } from './routes/accounts.ts';
import { mountApps } from './routes/apps.ts';
import { mountAuditLog } from './routes/audit-log.ts';
import { mountBranches, mountCommits } from './routes/branches.ts';
import { mountBudgets } from './routes/budgets.ts';
import { mountBypassRequests } from './routes/bypass.ts';
import { mountComments } from './routes/comments.ts';
import { mountDismissals } from './routes/dismissals.ts';
import { mountForks } from './routes/forks.ts';
import { mountGrants } from './routes/grants.ts';
import { mountHooks } from './routes/hooks.ts';
import { mountInstallations } from './routes/installations.ts';
import { mountLabels } from './routes/labels.ts';
import { mountMembers } from './routes/members.ts';
import { mountMigrations } from './routes/migrations.ts';
import { mountOrganizations } from './routes/orgs.ts';
import { mountProperties } from './routes/properties.ts';
import { mountRegistries } from './routes/registries.ts';
import { mountRepositories } from './routes/repos.ts';
import { mountRulesets } from './routes/rulesets.ts';
import { mountSecurity } from './routes/security.ts';
import { mountSnapshots } from './routes/snapshots.ts';
import { mountTeams } from './routes/teams.ts';
import { mountViews } from './routes/views.ts';

/** Path prefix of the API. Specification, What the service does. */
export const prefix = '/api/v3';

const families = [
  mountAccounts,
  mountApps,
  mountAuditLog,
  mountOrganizations,
  mountRepositories,
  mountProperties,
  mountRegistries,
  mountRulesets,
  mountInstallations,
  mountBranches,
  mountCommits,
  mountBudgets,
  mountGrants,
  mountHooks,
  mountMembers,
  mountMigrations,
  mountForks,
  mountComments,
  mountLabels,
  mountDismissals,
  mountBypassRequests,
  mountSecurity,
  mountSnapshots,
  mountTeams,
  mountViews,
];

export function createApp(platform: SandboxPlatform): Hono<Env> {
  const router = new Hono<Env>();
  const app: App = { router: router.basePath(prefix), platform };
  router.use(ownHost(platform), crossOrigin, callbackForm, identity(platform), bounded, admission(platform));
  router.onError((error, c) => refuse(platform, c, error));
  router.notFound((c) => refuse(platform, c, notFound()));
  for (const mount of families) mount(app);
  return router;
}

/** Rejects requests to other hosts before anything else. */
const ownHost =
  ({ allowedHosts }: SandboxPlatform): MiddlewareHandler =>
  async (c, next) => {
    const host = c.req.header('host');
    if (isLoopbackHost(host) || isOneOf(host, allowedHosts)) return next();
    const names = ['localhost', '127.0.0.1', '[::1]', ...allowedHosts];
    throw forbidden(`The sandbox only accepts requests to ${anyOf.format(names)}.`);
  };

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** Rejects a body larger than 20 MiB without reading the rest. */
const bounded = bodyLimit({
  maxSize: 20 * 1024 * 1024,
  onError: () => {
    throw new Refusal(413, 'Request body is larger than 20 MiB.');
  },
});

/** Specification, Cross-origin access, 1 to 3. */
const crossOrigin: MiddlewareHandler = async (c, next) => {
  c.header('access-control-allow-origin', '*');
  c.header(
    'access-control-expose-headers',
    'ETag, Link, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, X-OAuth-Scopes, X-Accepted-OAuth-Scopes, X-Poll-Interval',
  );
  if (c.req.method !== 'OPTIONS') return next();
  c.header(
    'access-control-allow-headers',
    'Authorization, Content-Type, If-Match, If-Modified-Since, If-None-Match, If-Unmodified-Since, X-Requested-With',
  );
  c.header('access-control-allow-methods', 'GET, POST, PATCH, PUT, DELETE');
  c.header('access-control-max-age', '86400');
  return c.body(null, 204);
};

/** Headers of every response. */
const identity = ({ vendor, clock }: SandboxPlatform): MiddlewareHandler => {
  return async (c, next) => {
    c.header('date', clock().toUTCString());
    c.header(`x-${vendor}-request-id`, randomUUID());
    c.header(`x-${vendor}-enterprise-version`, `enterprise-server@${release}`);
    c.header(`x-${vendor}-media-type`, mediaType(vendor, c.req.header('accept') ?? ''));
    c.header('vary', 'Accept, Authorization, Accept-Encoding');
    await next();
  };
};

/** The public platform's header for the chosen media type: version, parameter, format. */
function mediaType(vendor: string, accept: string): string {
  const format = textFormat(vendor, accept);
  return `${vendor}.v3${format ? `; param=${format}` : ''}; format=json`;
}

/** Determines the caller, the API version and the rate limits. */
const admission = ({
  vendor,
  tokens,
  quotas,
  secondaryLimits,
  rateLimit,
  latency,
}: SandboxPlatform): MiddlewareHandler<Env> => {
  // Self-managed platforms announce rate limits only if an administrator has enabled them.
  const announce = (quota: Required<RateLimitQuota>, set: (name: string, value: string) => void) => {
    if (rateLimit === undefined) return;
    for (const [name, value] of Object.entries({ ...quota, resource: 'core' }))
      set(`x-ratelimit-${name}`, String(value));
  };
  return async (c, next) => {
    if (!c.req.header('user-agent'))
      throw forbidden(
        'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
      );
    const version = c.req.header(`x-${vendor}-api-version`) ?? apiVersions[0];
    if (!(apiVersions as readonly string[]).includes(version))
      throw badRequest(`"${version}" is not a version of this API. The versions are ${apiVersions.join(' and ')}.`);
    c.header(`x-${vendor}-api-version-selected`, version);
    const caller = tokens.caller(c.req.header('authorization'));
    c.set('caller', caller);
    if (!quotas.admits(caller)) {
      announce(quotas.quota(caller), (name, value) => c.header(name, value));
      throw forbidden(`API rate limit exceeded for ${caller.login ?? caller.kind ?? 'your address'}.`);
    }
    const wait = secondaryLimits?.enter(caller, c.req.method, c.req.path);
    if (wait !== undefined) {
      c.header('retry-after', String(wait));
      announce(quotas.count(caller), (name, value) => c.header(name, value));
      throw new Refusal(429, 'You have exceeded a secondary rate limit. Please wait before you try again.');
    }
    try {
      if (latency > 0) await pause(latency);
      await next();
    } finally {
      secondaryLimits?.leave(caller);
    }
    // Quota requests and 304 responses do not count against the quota.
    const free = c.res.status === 304 || c.req.path === `${prefix}/rate_limit`;
    announce(free ? quotas.quota(caller) : quotas.count(caller), (name, value) => c.res.headers.set(name, value));
  };
};

/** Returns the response to a refusal; any other error is a bug of the sandbox: 500. */
function refuse({ vendor, log }: SandboxPlatform, c: Context, error: Error): Response {
  if (!(error instanceof Refusal)) log(`${c.req.method} ${c.req.path} failed: ${error.stack ?? error.message}`);
  const { status, message, errors, location } = error instanceof Refusal ? error : new Refusal(500, 'Server Error');
  const documentation_url = `https://docs.${vendor}.com/enterprise-server@3.19/rest`;
  if (location !== undefined) {
    c.header('location', location);
    return c.json({ message, url: location, documentation_url }, status as 301, { 'content-type': jsonType });
  }
  const body = { message, ...(errors && { errors }), documentation_url, status: String(status) };
  return c.json(body, status as 400, { 'content-type': jsonType });
}
