import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const hooks = (place: string) => `/${place}/pre-receive-hooks`;
const ids = (list: { id: number }[]) => list.map(({ id }) => id);

test('only classic tokens are accepted', async () => {
  for (const as of ['oauth', 'fine_grained', 'app_user', 'installation'])
    expect((await ask(`GET ${hooks('repos/acme/site')}`, { as })).status).toBe(403);
  expect((await ask(`GET ${hooks('repos/acme/site')}`, { as: null })).status).toBe(401);
});

test('the platform lists all hooks with script and environment', async () => {
  const { status, body } = await ask(`GET ${hooks('admin')}?sort=created&direction=asc`);
  expect(status).toBe(200);
  expect(ids(body)).toEqual([1, 2, 3, 4, 5]);
  expect(body[0]).toMatchObject({
    name: 'Check commit messages',
    enforcement: 'enabled',
    script: 'scripts/hook-1.sh',
    script_repository: { full_name: 'acme/site' },
    environment: { name: 'Default', default_environment: true },
    allow_downstream_configuration: true,
  });
});

test('hooks are sorted by creation, descending, by default', async () => {
  const order = async (query: string) => ids((await ask(`GET ${hooks('admin')}${query}`)).body);
  expect(await order('')).toEqual([5, 4, 3, 2, 1]);
  expect(await order('?sort=updated&direction=asc')).toEqual([3, 5, 1, 4, 2]);
  expect(await order('?sort=name&direction=asc')).toEqual([4, 1, 5, 2, 3]);
  expect(await order('?sort=name')).toEqual([3, 2, 5, 1, 4]);
  expect((await ask(`GET ${hooks('admin')}?sort=size`)).status).toBe(422);
});

test('a repository and an organization list active hooks, and disabled ones that they may enable', async () => {
  expect(ids((await ask(`GET ${hooks('repos/acme/site')}?direction=asc`)).body)).toEqual([1, 2, 3, 4]);
  expect(ids((await ask(`GET ${hooks('orgs/acme')}?direction=asc`)).body)).toEqual([1, 2, 3, 4]);
});

test('a repository shows the inherited enforcement and its source', async () => {
  expect(await ask(`GET ${hooks('repos/initech/site')}/1`)).toMatchObject({
    status: 200,
    body: {
      id: 1,
      name: 'Check commit messages',
      enforcement: 'enabled',
      configuration_url: `${sandbox.baseUrl}/admin/pre-receive-hooks/1`,
    },
  });
  expect((await ask(`GET ${hooks('repos/initech/site')}/6`)).status).toBe(404);
});

test('an override lasts until it is removed, and then the inherited values return', async () => {
  const path = `${hooks('repos/acme/site')}/1`;
  const overridden = { enforcement: 'testing', configuration_url: `${sandbox.baseUrl}${path}` };
  expect(await ask(`PATCH ${path}`, { body: { enforcement: 'testing' } })).toMatchObject({
    status: 200,
    body: overridden,
  });
  expect((await ask(`GET ${path}`)).body).toMatchObject(overridden);
  const inherited = { enforcement: 'enabled', configuration_url: `${sandbox.baseUrl}/admin/pre-receive-hooks/1` };
  expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 200, body: inherited });
  expect((await ask(`GET ${path}`)).body).toMatchObject(inherited);
});

test('repositories inherit the settings of their organization', async () => {
  const path = `${hooks('orgs/globex')}/3`;
  const { body } = await ask(`PATCH ${path}`, { body: { enforcement: 'enabled' } });
  const set = { enforcement: 'enabled', configuration_url: `${sandbox.baseUrl}${path}` };
  expect(body).toMatchObject({ ...set, allow_downstream_configuration: true });
  expect((await ask(`GET ${hooks('repos/globex/site')}/3`)).body).toMatchObject(set);
  expect(await ask(`DELETE ${path}`)).toMatchObject({ status: 200, body: { enforcement: 'testing' } });
  expect((await ask(`GET ${hooks('repos/globex/site')}/3`)).body.enforcement).toBe('testing');
});

test('an organization that allows no configuration below overrides its repositories', async () => {
  const repository = `${hooks('repos/initech/site')}/4`;
  await ask(`PATCH ${repository}`, { body: { enforcement: 'enabled' } });
  await ask(`PATCH ${hooks('orgs/initech')}/4`, { body: { allow_downstream_configuration: false } });
  expect((await ask(`GET ${repository}`)).body.enforcement).toBe('disabled');
  expect((await ask(`PATCH ${repository}`, { body: { enforcement: 'enabled' } })).status).toBe(403);
});

test('a hook that is enforced from above cannot be set', async () => {
  const body = { enforcement: 'disabled' };
  for (const place of ['repos/acme/site', 'orgs/acme']) {
    const answer = await ask(`PATCH ${hooks(place)}/2`, { body });
    expect(answer.status).toBe(403);
    expect(answer.body.message).toContain('/admin/pre-receive-hooks/2');
  }
});

test('enforcement must be enabled, disabled or testing', async () => {
  const path = `PATCH ${hooks('repos/acme/site')}/1`;
  expect((await ask(path, { body: { enforcement: 'on' } })).status).toBe(422);
  expect((await ask(path, { body: {} })).status).toBe(422);
});
