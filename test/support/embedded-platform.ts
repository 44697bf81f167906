/** The embedded platform without sockets, which take most of the time of a request: for tests that send very many. */
import { Client } from '../../src/client/client.ts';
import type { HttpResponse } from '../../src/client/http.ts';
import type { HttpRequest } from '../../src/client/request.ts';
import { RetryBudget } from '../../src/client/transport/retry.ts';
import type { SendOptions, Transport } from '../../src/client/transport/transport.ts';
import { createApp, prefix } from '../../src/sandbox/app.ts';
import type { Grant } from '../../src/sandbox/callers.ts';
import { createPlatform } from '../../src/sandbox/platform.ts';
import { seededGrants } from '../../src/sandbox/seed/tokens.ts';
import { memoryStore } from '../../src/sandbox/stores/memory.ts';
import { platformAt, token } from './client.ts';

const baseUrl = `http://127.0.0.1:1${prefix}`;

export interface EmbeddedPlatformOptions {
  readonly orgs?: number;
  /** Repositories of each organization. */
  readonly repos?: number;
  /** The access of the client's token (default: that of the classic token). */
  readonly grant?: Grant;
}

/** Starts a platform with a state of its own, and returns a client for it. */
export function embeddedPlatform({ orgs = 1, repos = 1, grant }: EmbeddedPlatformOptions = {}) {
  const store = memoryStore();
  const scale = { orgs, repos };
  const now = Date.UTC(2026, 10, 20, 12, 30);
  const platform = createPlatform(
    {
      ...scale,
      baseUrl,
      storagePort: 1,
      allowedHosts: [],
      seed: 1,
      vendor: 'github',
      alertsSegment: 'dependabot',
      rateLimit: undefined,
      latency: 0,
      grants: { [token]: grant ?? seededGrants.classic },
      tokenLifetime: 3_600_000,
      freshTokenFaults: 0,
      clock: () => new Date(now),
      log: (line) => {
        if (!line.startsWith('opened the sealed secret of ')) throw new Error(line);
      },
    },
    store,
  );
  const app = createApp(platform);
  const writes: HttpRequest[] = [];
  let changeBody: ((body: unknown) => unknown) | undefined;
  const listeners = new Set<(request: HttpRequest, status: number) => void>();
  let onWay: ((request: HttpRequest) => void) | undefined;
  const send = async (request: HttpRequest, { watch }: SendOptions = {}): Promise<HttpResponse> => {
    await watch?.sending?.();
    if (request.method !== 'GET') onWay?.(request);
    const { method, url, headers, body } = request;
    const init = {
      method,
      headers: { ...headers, host: '127.0.0.1', authorization: `Bearer ${token}` },
      ...(body && { body }),
    };
    const response = await app.fetch(new Request(url, init));
    if (method !== 'GET') {
      writes.push(request);
      for (const listener of listeners) listener(request, response.status);
    }
    const text = await response.text();
    await watch?.received?.(response.status);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(text && changeBody ? JSON.stringify(changeBody(JSON.parse(text))) : text),
      url,
    };
  };
  const unused = () => {
    throw new Error('not used');
  };
  const transport: Transport = {
    send,
    stream: unused,
    backOff: unused,
    newBudget: () => new RetryBudget(0, () => now),
    concurrency: 8,
    now: () => now,
    close: async () => {},
  };
  const client = new Client({
    platform: platformAt(baseUrl),
    credential: { token, origin: new URL(baseUrl).origin },
    transport,
  });
  return {
    platform,
    client,
    writes,
    /** Changes the JSON of all later responses on its way; without a function, returns them unchanged again. */
    onResponse(change?: (body: unknown) => unknown) {
      changeBody = change;
    },
    /** Calls a function before each later write, which loses it by an error; without a function, ends that. */
    beforeWrite(listener?: (request: HttpRequest) => void) {
      onWay = listener;
    },
    /** Calls a function after each write, which loses the response by an error; returns a function that ends that. */
    afterWrite(listener: (request: HttpRequest, status: number) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
