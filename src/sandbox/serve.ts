/** Starts the embedded platform on the loopback interface. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { createApp, prefix } from './app.ts';
import { storageServer } from './archives/storage.ts';
import type { Grant } from './callers.ts';
import type { FaultRates } from './fault-kinds.ts';
import { type Fetch, withFaults } from './faults.ts';
import { createPlatform, type PlatformSettings } from './platform.ts';
import { chanceOf } from './seed/chance.ts';
import { keptTokens, seededGrants, type TokenName } from './seed/tokens.ts';
import { appId } from './state/app.ts';
import { installationOn, installedOn } from './state/installations.ts';
import { keptSeeding, type Seeding } from './state/seeding.ts';
import type { Store } from './store.ts';
import { memoryStore } from './stores/memory.ts';
import { installationId } from './views/installation.ts';

export { StateDiskError, StateError } from './store.ts';

export interface SandboxOptions {
  /** Address to listen on (default: 127.0.0.1). */
  readonly host?: string | undefined;
  /** Port (default: 0, a free one). */
  readonly port?: number;
  /** Names by which other machines reach the sandbox (default: none). Requests with any other `Host` are rejected. */
  readonly allowedHosts?: readonly string[];
  /** Number of organizations (default: 3). The first is `acme`. */
  readonly orgs?: number;
  /** Repositories per organization (default: 12). The first of each is `site`. */
  readonly repos?: number;
  /** The logins of more organizations, which have an owner and nothing else, and where any team ID exists. */
  readonly emptyOrganizations?: readonly string[] | undefined;
  /** The logins of more people, and of what empty organizations have: `team:SLUG` and `app:SLUG`. */
  readonly knownLogins?: readonly string[] | undefined;
  /** Seed of names, dates and numbers, but not of tokens (default: 1). */
  readonly seed?: number;
  /** The platform's name in headers and media types (default: `github`). */
  readonly vendor?: string;
  /** Path segment of the dependency-alert product (default: `dependabot`), in addition to `depalerts`. */
  readonly alertsSegment?: string;
  /** State file; without one, the state is in memory. */
  readonly state?: string | undefined;
  /**
   * Requests per caller and hour; more are refused with 403. Also enables the secondary limits of the public platform,
   * with 429: 100 concurrent requests, and 900 points per minute and path, where a read counts one and a write five.
   * Default: no limits.
   */
  readonly rateLimit?: number;
  /** Minimum duration of each request, in milliseconds (default: 0). */
  readonly latency?: number;
  /** Injected faults and their rates (default: none). */
  readonly faults?: FaultRates;
  /** Lifetime of installation tokens, in milliseconds (default: an hour). */
  readonly tokenLifetime?: number | undefined;
  /** Additional tokens and their access. */
  readonly grants?: Readonly<Record<string, Grant>>;
  /** The platform's clock. */
  readonly clock?: () => Date;
  /** Receives log messages, usually of one line; never a secret. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  /** Such as `http://127.0.0.1:PORT/api/v3`. */
  readonly baseUrl: string;
  /**
   * Random tokens, part of the state: one of each kind for the site administrator; classic ones for people with a role
   * in the first organization; and a weak one without scopes. The classic one has all access of classic tokens.
   */
  readonly tokens: Readonly<Record<TokenName, string>>;
  readonly app: {
    readonly id: number;
    /** Returns the private key in PEM, made on first use and part of the state. */
    readonly privateKey: () => string;
    readonly installations: readonly AppInstallation[];
  };
  /** Stops accepting requests and closes open connections. */
  close(): Promise<void>;
}

/** An installation of the sandbox's app. */
export interface AppInstallation {
  id: number;
  organization: string;
  suspended: boolean;
}

/**
 * Starts a sandbox and resolves once it accepts requests. Rejects if the port is in use, and with a `StateError` if the
 * state file cannot be used, or contains a sandbox of another seed or size.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const app: { fetch: Fetch } = { fetch: () => new Response(null, { status: 503 }) };
  const server = createAdaptorServer({ fetch: (request, bindings) => app.fetch(request, bindings as HttpBindings) });
  // The port first: if it is in use, no file is created.
  const baseUrl = `http://${loopback}:${await listen(server as Server, options.port ?? 0, options.host)}${prefix}`;
  let store: Store | undefined;
  try {
    const kept = await openStore(options.state);
    store = kept;
    const seeding = kept.transaction(() => keptSeeding(kept, options, options.state ?? 'The state'));
    return await serve(options, seeding, kept, { app, server: server as Server, baseUrl });
  } catch (error) {
    store?.close();
    await closed(server as Server);
    throw error;
  }
}

/** A server that is listening, and its handler. */
interface Listening {
  readonly app: { fetch: Fetch };
  readonly server: Server;
  readonly baseUrl: string;
}

async function openStore(file: string | undefined): Promise<Store> {
  if (file === undefined) return memoryStore();
  const { sqliteStore } = await import('./stores/sqlite.ts');
  return sqliteStore(file);
}

async function serve(
  options: SandboxOptions,
  seeding: Seeding,
  store: Store,
  { app, server, baseUrl }: Listening,
): Promise<Sandbox> {
  const chance = chanceOf(seeding.seed);
  const tokens = store.transaction(() => keptTokens(store));
  const storage = storageServer(() => platform);
  const settings: PlatformSettings = {
    ...seeding,
    baseUrl,
    storagePort: await listen(storage, 0, options.host),
    vendor: options.vendor ?? 'github',
    alertsSegment: options.alertsSegment ?? 'dependabot',
    rateLimit: options.rateLimit,
    allowedHosts: (options.allowedHosts ?? []).map((name) => name.toLowerCase()),
    latency: options.latency ?? 0,
    grants: { ...grantsOf(tokens), ...options.grants },
    tokenLifetime: options.tokenLifetime ?? hourMs,
    freshTokenFaults: options.faults?.['fresh-token'] ?? 0,
    clock: options.clock ?? (() => new Date()),
    log: options.log ?? (() => {}),
  };
  const platform = store.transaction(() => createPlatform(settings, store));
  const routes = createApp(platform);
  app.fetch = withFaults((request) => routes.fetch(request), {
    rates: options.faults ?? {},
    chance,
    log: settings.log,
  });
  const close = async () => {
    await Promise.all([closed(server), closed(storage)]);
    store.close();
  };
  const installations = installedOn(platform.accounts).map((organization) => ({
    id: installationId(organization),
    organization: organization.login,
    suspended: installationOn(organization) === 'suspended',
  }));
  const privateKey = () => store.transaction(() => platform.app.privateKey);
  return { baseUrl, tokens, app: { id: appId, privateKey, installations }, close };
}

const hourMs = 60 * 60 * 1000;

const grantsOf = (tokens: Readonly<Record<TokenName, string>>): Record<string, Grant> =>
  Object.fromEntries(Object.entries(seededGrants).map(([name, grant]) => [tokens[name as TokenName], grant]));

const loopback = '127.0.0.1';

function listen(server: Server, port: number, host = loopback): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Resolves once the server has stopped; closes open connections. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
