import { describe, expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

test('a security feature is switched with 204, and cannot be switched again while that is running', async () => {
  const path = 'POST /orgs/acme/secret_scanning/enable_all';
  expect((await ask(path)).status).toBe(204);
  expect((await ask('POST /orgs/acme/secret_scanning/disable_all')).status).toBe(422);
  expect((await ask('POST /orgs/acme/dependency_graph/enable_all', { body: {} })).status).toBe(204);
  sandbox.advance(60_000);
  expect((await ask(path)).status).toBe(204);
});

test('the query suite must be default or extended', async () => {
  const path = 'POST /orgs/globex/code_scanning_default_setup/enable_all';
  expect((await ask(path, { body: { query_suite: 'everything' } })).status).toBe(422);
  expect((await ask(path, { body: { query_suite: 'extended' } })).status).toBe(204);
});

test('unknown security features and switches are 404', async () => {
  expect((await ask('POST /orgs/acme/antivirus/enable_all')).status).toBe(404);
  expect((await ask('POST /orgs/acme/secret_scanning/enable_some')).status).toBe(404);
});

interface Features {
  readonly [feature: string]: { readonly status: string };
}

/** What a repository tells of each feature: `security_and_analysis`, and by endpoints of their own those that are not in it. */
async function featuresOf(repository: string): Promise<Record<string, string>> {
  const path = `/repos/${repository}`;
  const { security_and_analysis: told } = (await ask(`GET ${path}`)).body as { security_and_analysis: Features };
  const found = async (what: string) => ((await ask(`GET ${path}/${what}`)).status < 300 ? 'enabled' : 'disabled');
  const setup = (await ask(`GET ${path}/code-scanning/default-setup`)).body;
  return {
    advanced_security: told.advanced_security?.status ?? '',
    secret_scanning: told.secret_scanning?.status ?? '',
    secret_scanning_push_protection: told.secret_scanning_push_protection?.status ?? '',
    dependabot_security_updates: await found('automated-security-fixes'),
    dependabot_alerts: await found('vulnerability-alerts'),
    dependency_graph: await found('dependency-graph/sbom'),
    code_scanning_default_setup: setup.state === 'configured' ? `enabled ${setup.query_suite}` : 'disabled',
  };
}

const allOff = {
  advanced_security: 'disabled',
  secret_scanning: 'disabled',
  secret_scanning_push_protection: 'disabled',
  dependabot_security_updates: 'disabled',
  dependabot_alerts: 'disabled',
  dependency_graph: 'disabled',
  code_scanning_default_setup: 'disabled',
};

const defaults = (enabled: boolean) =>
  Object.fromEntries(
    Object.keys(allOff).map((feature) => [`${feature}_enabled_for_new_repositories`, enabled] as const),
  );

const setDefaults = (org: string, enabled: boolean) => ask(`PATCH /orgs/${org}`, { body: defaults(enabled) });
const create = async (org: string, name: string) =>
  (await ask(`POST /orgs/${org}/repos`, { body: { name, auto_init: true } })).body.full_name as string;

describe('a switch', () => {
  test.each(Object.keys(allOff))('of %s reaches the repositories after five seconds', async (feature) => {
    const enabled = feature === 'code_scanning_default_setup' ? 'enabled default' : 'enabled';
    await ask(`POST /orgs/acme/${feature}/disable_all`);
    sandbox.advance(5000);
    const before = await featuresOf('acme/site');
    expect(before[feature]).toBe('disabled');
    await ask(`POST /orgs/acme/${feature}/enable_all`);
    sandbox.advance(4000);
    expect(await featuresOf('acme/site')).toEqual(before);
    sandbox.advance(1000);
    expect(await featuresOf('acme/site')).toEqual({ ...before, [feature]: enabled });
    const all = (await ask('GET /orgs/acme/repos?per_page=100')).body as { full_name: string; archived: boolean }[];
    for (const { full_name } of all.filter(({ archived }) => !archived))
      expect((await featuresOf(full_name))[feature]).toBe(enabled);
  });

  test('leaves archived repositories and other organizations unchanged', async () => {
    const { body } = await ask('GET /orgs/acme/repos?per_page=100');
    const archived = body.find((repository: { archived: boolean }) => repository.archived).full_name;
    const before = [await featuresOf(archived), await featuresOf('globex/site')];
    for (const enablement of ['enable_all', 'disable_all']) {
      expect((await ask(`POST /orgs/acme/secret_scanning/${enablement}`)).status).toBe(204);
      sandbox.advance(5000);
      expect([await featuresOf(archived), await featuresOf('globex/site')]).toEqual(before);
    }
  });

  test('reaches repositories created while it runs, but none created later', async () => {
    await setDefaults('globex', false);
    await ask('POST /orgs/globex/secret_scanning/enable_all');
    sandbox.advance(4000);
    const meanwhile = await create('globex', 'meanwhile');
    sandbox.advance(1000);
    const later = await create('globex', 'later');
    expect((await featuresOf(meanwhile)).secret_scanning).toBe('enabled');
    expect((await featuresOf(later)).secret_scanning).toBe('disabled');
  });

  test('sets the query suite for repositories without default setup', async () => {
    const path = 'POST /orgs/globex/code_scanning_default_setup';
    const suite = async () => (await featuresOf('globex/site')).code_scanning_default_setup;
    await ask(`${path}/disable_all`);
    sandbox.advance(5000);
    await ask(`${path}/enable_all`, { body: { query_suite: 'extended' } });
    sandbox.advance(5000);
    expect(await suite()).toBe('enabled extended');
    await ask(`${path}/enable_all`, { body: { query_suite: 'default' } });
    sandbox.advance(5000);
    expect(await suite()).toBe('enabled extended');
  });

  test('is rejected with 422 by the policy of initech', async () => {
    const before = await featuresOf('initech/site');
    expect(await ask('POST /orgs/initech/secret_scanning/enable_all')).toMatchObject({
      status: 422,
      body: { message: 'A policy of the enterprise does not allow initech to change this feature.' },
    });
    sandbox.advance(5000);
    expect(await featuresOf('initech/site')).toEqual(before);
  });
});

test('new repositories and forks have the security features that the organization has selected', async () => {
  await setDefaults('initech', true);
  const secured = await create('initech', 'secured');
  const allOn = Object.fromEntries(Object.keys(allOff).map((feature) => [feature, 'enabled']));
  const withoutSetup = { ...allOn, code_scanning_default_setup: 'disabled' };
  expect(await featuresOf(secured)).toEqual(withoutSetup);
  await setDefaults('initech', false);
  expect(await featuresOf(await create('initech', 'open'))).toEqual(allOff);
  expect(await featuresOf(secured)).toEqual(withoutSetup);
  const fork = { organization: 'initech', name: 'forked' };
  const { body } = await ask('POST /repos/acme/site/forks', { body: fork });
  sandbox.advance(2000);
  expect(await featuresOf(body.full_name)).toEqual(allOff);
});

test('a repository without the dependency graph rejects snapshots', async () => {
  await setDefaults('initech', false);
  const name = await create('initech', 'graphless');
  const { body, status } = await ask(`POST /repos/${name}/dependency-graph/snapshots`, {
    body: {
      version: 0,
      job: { id: '1', correlator: 'build' },
      sha: '0'.repeat(40),
      ref: 'refs/heads/main',
      detector: { name: 'd', version: '1', url: 'https://d.example' },
      scanned: '2026-11-20T12:30:00Z',
    },
  });
  expect([status, body.message]).toEqual([
    404,
    'The dependency graph is disabled for this repository. Enable it first.',
  ]);
});
