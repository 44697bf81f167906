/** nock in place of the platform: for tests about the requests of a command, where no socket matters. */
import nock from 'nock';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { classicToken } from './platform.ts';

/** The environment that points forgectl at the platform of `platform()`. */
export const nockedEnv = { FORGECTL_BASE_URL: 'https://ghe.example.com/api/v3', FORGECTL_TOKEN: classicToken };

/**
 * Returns a scope, to which a test adds the expected requests with their responses. All have the token. Responses have a
 * length, as those of servers: forgectl requests a page of a list again if nothing shows that it is complete.
 */
export const platform = (token = classicToken): nock.Scope =>
  nock('https://ghe.example.com', {
    reqheaders: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' },
  }).replyContentLength();

/** Lets no request of the file reach the network, and requires each test to send the requests that it expects, and no others. */
export function useNock(): void {
  let unexpected: string[] = [];
  const note = ({ method, url }: Request) => {
    unexpected.push(`${method} ${url}`);
  };
  // Files share a process, so nock is only active in those that use it.
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
    nock.emitter.on('no match', note);
  });
  afterEach(() => {
    const differences = { unsent: nock.pendingMocks(), unexpected };
    nock.cleanAll();
    unexpected = [];
    expect(differences).toEqual({ unsent: [], unexpected: [] });
  });
  afterAll(() => {
    nock.emitter.off('no match', note);
    nock.enableNetConnect();
    nock.restore();
  });
}
