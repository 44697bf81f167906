/** Serves endpoints: checks everything that the declaration says before the handler is called. */
import type { Context, Hono } from 'hono';
import type { Declaration, Endpoint, InputOf, RecordOf } from '../platform/endpoint.ts';
import type { Repository } from '../platform/records.ts';
import { checkAccess, checkKind, checkWritable, tellRequirements } from './access.ts';
import type { Caller } from './callers.ts';
import { demandsOf } from './demands.ts';
import { type BodyExceptions, readBody, readPath, readQuery } from './input.ts';
import { type PageRequest, pageRequest } from './paging.ts';
import type { SandboxPlatform } from './platform.ts';
import { Refusal } from './refusals.ts';
import { refuseOldName, repositoryNames } from './renames.ts';
import { type ListOutcome, type Reply, replyOf, send } from './replies.ts';
import { resolve } from './resources.ts';
import type { OrganizationState } from './state/accounts.ts';
import { actionOf, recordWrite } from './state/audit-log.ts';
import type { RepositoryState } from './state/repositories.ts';

export interface Env {
  Variables: { caller: Caller };
}

/** Receives routes. */
export interface App {
  readonly router: Hono<Env>;
  readonly platform: SandboxPlatform;
}

type InputPart<D extends Declaration, Name extends string> =
  InputOf<D> extends { readonly [K in Name]?: infer Value } ? NonNullable<Value> : Record<string, never>;
/** Distributes over unions: the organization and the repository in the path of either endpoint. */
type OwnerOf<D extends Declaration> = D extends unknown
  ? OrganizationIn<keyof InputPart<D, 'path'>> & RepositoryIn<keyof InputPart<D, 'path'>>
  : never;
type OrganizationIn<Names> = 'org' extends Names
  ? { readonly organization: OrganizationState }
  : { readonly organization?: undefined };
type RepositoryIn<Names> = 'repo' extends Names
  ? { readonly repository: RepositoryState }
  : { readonly repository?: undefined };

/** A request that has passed all checks of its endpoint's declaration. */
export type Call<D extends Declaration> = {
  readonly platform: SandboxPlatform;
  /** The name of this machine that the client uses. */
  readonly hostname: string;
  readonly caller: Caller;
  readonly path: InputPart<D, 'path'>;
  readonly query: InputPart<D, 'query'>;
  readonly body: InputPart<D, 'body'>;
  readonly page: PageRequest;
  readonly accept: string;
} & OwnerOf<D>;

/** Results of a handler, by kind of response. */
type Outcome<D extends Declaration> =
  | Reply
  | (D['answer'] extends { readonly kind: 'list' }
      ? ListOutcome<RecordOf<D>>
      : D['answer'] extends { readonly kind: 'nothing' }
        ? // biome-ignore lint/suspicious/noConfusingVoidType: a handler that has nothing to answer returns nothing
          void
        : RecordOf<D>);

/** Behavior in addition to the declaration, or instead of it. */
export interface Exceptions extends BodyExceptions {
  /** Status for an invalid query parameter (default: 422). */
  readonly badQueryStatus?: number;
  /** Whether the handler checks the caller's role, because it depends on more than the path. */
  readonly checksRole?: boolean;
  /** Whether it also changes archived repositories, and those locked by a migration. */
  readonly readOnlyToo?: boolean;
}

/**
 * Serves an endpoint. The handler receives typed path, query and body, and the organization or repository in the path;
 * it returns the record, the list or nothing, and throws a `Refusal` otherwise.
 */
export function route<D extends Endpoint>(
  { router, platform }: App,
  declaration: D,
  handler: (call: Call<D>) => Outcome<D>,
  exceptions: Exceptions = {},
): void {
  for (const template of spellings(declaration, platform))
    router.on(declaration.method, pattern(template, declaration), async (c) => {
      const call = await receive(platform, declaration, exceptions, c);
      const handle = () => handler(call as unknown as Call<D>);
      // What an answer tells of is kept for good before the answer is sent. Nothing else happens in between.
      const outcome =
        declaration.method === 'GET' ? handle() : platform.store.transaction(() => audited(call, declaration, handle));
      // Links keep the origin that the client used, to which its token belongs.
      return send(c, replyOf(declaration, outcome, new URL(c.req.url), call.page));
    });
}

/**
 * Converts a path to the router's syntax. Numbers match digits only, so `/user/{account_id}` does not match
 * `/user/orgs`.
 */
const pattern = (template: string, { path }: Endpoint): string =>
  template.replace(/\{([^}]+)\}/g, (_, name: string) =>
    path?.[name]?.type === 'number' ? `:${name}{\\d+}` : `:${name}`,
  );

/** Does a write, and records it in the audit log once it is done. */
function audited<T>(call: Received, declaration: Endpoint, handle: () => T): T {
  const { platform, caller, path, body, organization, repository, account } = call;
  const outcome = handle();
  const action = actionOf(declaration, path, body);
  const place = organization ?? (account?.type === 'Organization' ? account : undefined);
  // The name of a new repository may differ from the one that was asked for, and a fork has another owner.
  const created = action === 'repo.create' ? (outcome as Pick<Repository, 'full_name' | 'owner'>) : undefined;
  const owner = created?.owner.type === 'User' ? undefined : (created?.owner ?? place);
  const changed = repository && `${owner?.login ?? path.owner}/${repository.name}`;
  if (action !== undefined)
    recordWrite(platform, {
      action,
      actor: caller.login,
      org: owner?.login,
      repo: created?.full_name ?? changed,
    });
  return outcome;
}

type Received = Awaited<ReturnType<typeof receive>>;

/** The paths of an endpoint: repositories can be named by id, too, and the alert product by `depalerts`. */
function spellings({ template }: Endpoint, { alertsSegment }: SandboxPlatform): string[] {
  const segments = [...new Set([alertsSegment, 'depalerts'])];
  const named = template.includes('<alerts>') ? segments.map((each) => template.replace('<alerts>', each)) : [template];
  return named.flatMap((path) =>
    path.startsWith(byName) ? [path, path.replace(byName, '/repositories/{repository}')] : [path],
  );
}

const byName = '/repos/{owner}/{repo}';

/** Checks before the handler, in the platform's order: caller, resource, access, validity. */
async function receive(platform: SandboxPlatform, declaration: Endpoint, exceptions: Exceptions, c: Context<Env>) {
  const caller = c.get('caller');
  if (caller.anonymous && !declaration.anonymous) throw new Refusal(401, 'Requires authentication');
  tellRequirements(c, platform, declaration, caller);
  checkKind(declaration, caller);
  const names = repositoryNames(platform, c.req.param('repository'));
  const path = readPath(declaration, (name) => names[name] ?? c.req.param(name) ?? '');
  refuseOldName(platform, caller, path, c);
  const resources = resolve(platform, caller, path);
  checkAccess(declaration, caller, resources);
  // Reading public resources requires no role.
  if (!exceptions.checksRole && (!declaration.anonymous || !resources.isPublic))
    for (const demand of demandsOf(declaration)) demand(platform, caller, resources);
  if (declaration.method !== 'GET' && !exceptions.readOnlyToo) checkWritable(platform, resources);
  const { hostname, searchParams: parameters } = new URL(c.req.url);
  return {
    platform,
    hostname,
    caller,
    path,
    ...resources,
    query: readQuery(declaration, parameters, exceptions.badQueryStatus),
    body: readBody(declaration, declaration.body ? await c.req.text() : '', exceptions),
    page: pageRequest(parameters, declaration.perPage ?? 30),
    accept: c.req.header('accept') ?? '',
  };
}
