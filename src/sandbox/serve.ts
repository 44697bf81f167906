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
import { keptSeeding, type Seeding } from './state/seeding.ts';
import type { Store } from './store.ts';
import { memoryStore } from './stores/memory.ts';

export { StateError } from './store.ts';

export interface SandboxOptions {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** How many organizations; 3 by default. The first is `acme`. */
  readonly orgs?: number;
  /** How many repositories each organization has; 12 by default. The first of each is `site`. */
  readonly repos?: number;
  /** What names, dates and numbers follow from, tokens aside; 1 by default. */
  readonly seed?: number;
  /** The platform's own name in headers and media types; `github` by default. */
  readonly vendor?: string;
  /** The path segment of the dependency-alert product; `dependabot` by default. `depalerts` works beside it. */
  readonly alertsSegment?: string;
  /** The file that keeps the state; without one it lasts as long as the process. */
  readonly state?: string | undefined;
  /**
   * Requests that one caller may make in an hour, refused with 403 beyond. With it, as on the public platform, come the
   * secondary limits, refused with 429: 100 requests at once, and 900 points a minute for each path, where a read takes
   * one and a write five. No limits by default.
   */
  readonly rateLimit?: number;
  /** Minimum duration of each request in milliseconds; 0 by default. */
  readonly latency?: number;
  /** What goes wrong, and how often; nothing by default. */
  readonly faults?: FaultRates;
  /** Tokens beside the seeded ones, by their text. */
  readonly grants?: Readonly<Record<string, Grant>>;
  /** What time the platform takes it to be. */
  readonly clock?: () => Date;
  /** Takes what is worth telling, mostly one line; never a secret. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  /** Such as `http://127.0.0.1:PORT/api/v3`. */
  readonly baseUrl: string;
  /**
   * Random tokens, kept with the state: one of each kind, of the site administrator; classic ones of people with a role in
   * the first organization; and a weak one, without scopes. The classic one may do all that classic tokens can.
   */
  readonly tokens: Readonly<Record<TokenName, string>>;
  /** Stops taking requests and drops open connections. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox and resolves once it takes requests. Rejects where the port is taken, and with a `StateError` where the
 * file cannot be used, or holds a sandbox of another seed or size than the one that is asked for.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const app: { fetch: Fetch } = { fetch: () => new Response(null, { status: 503 }) };
  const server = createAdaptorServer({ fetch: (request, bindings) => app.fetch(request, bindings as HttpBindings) });
  // The port comes first: where it is taken, no file is made.
  const baseUrl = `${await listen(server as Server, options.port ?? 0)}${prefix}`;
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

/** A server that listens, and what answers there. */
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
    storageUrl: await listen(storage, 0),
    vendor: options.vendor ?? 'github',
    alertsSegment: options.alertsSegment ?? 'dependabot',
    rateLimit: options.rateLimit,
    latency: options.latency ?? 0,
    grants: { ...grantsOf(tokens), ...options.grants },
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
  return { baseUrl, tokens, close };
}

const grantsOf = (tokens: Readonly<Record<TokenName, string>>): Record<string, Grant> =>
  Object.fromEntries(Object.entries(seededGrants).map(([name, grant]) => [tokens[name as TokenName], grant]));

/** Resolves with the origin that the server listens at. */
function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

/** Resolves once the server takes no more requests; drops open connections. */
function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
