/** Starts the embedded platform on the loopback interface. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import type { TokenKind } from '../platform/endpoint.ts';
import { createApp, prefix } from './app.ts';
import { storageServer } from './archives/storage.ts';
import type { Grant } from './callers.ts';
import { createPlatform, type Platform } from './platform.ts';
import { seededGrants, seededTokens } from './seed/tokens.ts';
import { memoryStore } from './store.ts';

export interface SandboxOptions {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** How many organizations; 3 by default. The first is `acme`. */
  readonly orgs?: number;
  /** How many repositories each organization has; 12 by default. The first of each is `site`. */
  readonly repos?: number;
  /** What names, dates and numbers follow from; 1 by default. */
  readonly seed?: number;
  /** The platform's own name in headers and media types; `github` by default. */
  readonly vendor?: string;
  /** The path segment of the dependency-alert product; `dependabot` by default. `depalerts` works beside it. */
  readonly alertsSegment?: string;
  /** Requests that one caller may make in an hour; a million by default. */
  readonly rateLimit?: number;
  /** Tokens beside the seeded ones, by their text. */
  readonly grants?: Readonly<Record<string, Grant>>;
  /** What time the platform takes it to be. */
  readonly clock?: () => Date;
  /** Takes one line for each thing worth telling; never a secret. */
  readonly log?: (line: string) => void;
}

export interface Sandbox {
  /** Such as `http://127.0.0.1:PORT/api/v3`. */
  readonly baseUrl: string;
  /** One token of each kind. The classic one may do all that classic tokens can. */
  readonly tokens: Readonly<Record<TokenKind, string>>;
  /** Stops taking requests and drops open connections. */
  close(): Promise<void>;
}

/** Starts a sandbox and resolves once it takes requests. Rejects where the port is taken. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  let handle: (request: Request) => Response | Promise<Response> = () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request) => handle(request), hostname: '127.0.0.1' }) as Server;
  const baseUrl = `${await listen(server, options.port ?? 0)}${prefix}`;
  const storage = storageServer(() => platform);
  const platform = platformAt(baseUrl, await listen(storage, 0), options);
  const tokens = seededTokens(platform);
  for (const [kind, grant] of Object.entries(seededGrants)) platform.tokens.issue(tokens[kind as TokenKind], grant);
  for (const [token, grant] of Object.entries(options.grants ?? {})) platform.tokens.issue(token, grant);
  const app = createApp(platform);
  handle = (request) => app.fetch(request);
  return { baseUrl, tokens, close: async () => void (await Promise.all([close(server), close(storage)])) };
}

function platformAt(baseUrl: string, storageUrl: string, options: SandboxOptions): Platform {
  const settings = {
    baseUrl,
    storageUrl,
    orgs: options.orgs ?? 3,
    repos: options.repos ?? 12,
    seed: options.seed ?? 1,
    vendor: options.vendor ?? 'github',
    alertsSegment: options.alertsSegment ?? 'dependabot',
    rateLimit: options.rateLimit ?? 1_000_000,
    clock: options.clock ?? (() => new Date()),
    log: options.log ?? (() => {}),
  };
  return createPlatform(settings, memoryStore());
}

/** Resolves with the origin that the server listens at. */
function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
