/** A client for tests: it waits on a clock that only the test's waits move. */
import { onTestFinished } from 'vitest';
import { Client } from '../../src/client/client.ts';
import type { Platform } from '../../src/client/platform.ts';
import { createTransport, type Transport, type TransportOptions } from '../../src/client/transport/transport.ts';

/** Put together here so that no complete token stands in the repository. */
export const token = ['ghp', 'Zm9yZ2VjdGwgdGVzdCB0b2tlbg4x7q'].join('_');

export const platformAt = (baseUrl: string): Platform => ({
  baseUrl,
  apiVersion: '2022-11-28',
  vendor: 'github',
  alertsSegment: 'dependabot',
  userAgent: 'forgectl/0.1.0',
});

export interface Clock {
  /** How long was waited, each time, in milliseconds. */
  readonly waits: number[];
  readonly options: Required<Pick<TransportOptions, 'now' | 'wait' | 'random'>>;
}

/** A clock that starts at 2026-03-01T12:00:00Z. Random is always 1: waits are as long as they can be. */
export function testClock(): Clock {
  let now = Date.UTC(2026, 2, 1, 12);
  const waits: number[] = [];
  const wait: TransportOptions['wait'] = async ({ ms }) => {
    waits.push(ms);
    now += ms;
  };
  return { waits, options: { now: () => now, wait, random: () => 1 } };
}

/** A transport that is closed after the test. */
export function testTransport(options: TransportOptions = {}): Transport {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

/** A client with a token for the platform at `origin`, whose base URL is there under /api/v3. */
export function testClient(origin: string, options: TransportOptions = {}): Client {
  return new Client({
    platform: platformAt(`${origin}/api/v3`),
    credential: { token, origin },
    transport: testTransport(options),
  });
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => {
      throw new Error('It was not rejected.');
    },
    (error: Error) => error,
  );
}
