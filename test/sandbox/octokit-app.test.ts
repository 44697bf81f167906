/** The app plug-in of the public platform's own client, against the sandbox. */
import { createRequire } from 'node:module';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { sandboxForTests } from './support.ts';

const { createAppAuth } = createRequire(import.meta.url)('@octokit/auth-app');

// The plug-in takes the time from the system's clock.
const sandbox = sandboxForTests({ clock: () => new Date(), faults: { 'fresh-token': 0.5 } });

test('logs in as the app, and as its installation with a token that it creates', async () => {
  const auth = { appId: 41, privateKey: sandbox.privateKey, installationId: 5000 };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const octokit = new Octokit({ authStrategy: createAppAuth, auth, baseUrl: sandbox.baseUrl, log });
  expect((await octokit.rest.apps.getAuthenticated()).data?.slug).toBe('sandbox-app');
  const repositories = await octokit.paginate(octokit.rest.apps.listReposAccessibleToInstallation);
  expect(repositories).toHaveLength(12);
  const updated = await octokit.rest.orgs.update({ org: 'acme', location: 'Oslo' });
  expect(updated.data.location).toBe('Oslo');
});
