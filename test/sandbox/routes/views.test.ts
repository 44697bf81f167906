import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const create = (body: object, path = '/orgs/acme/projectsV2/1', as = 'classic') =>
  ask(`POST ${path}/views`, { as, body: { name: 'Roadmap', layout: 'table', ...body } });

test('a view of an organization’s project is returned in an envelope', async () => {
  const fields = {
    layout: 'board',
    filter: 'is:open',
    visible_fields: [1, 3],
    sort_by: [[4, 'desc']],
    group_by: [5],
    vertical_group_by: [3],
  };
  const { status, body } = await create(fields);
  expect(status).toBe(201);
  expect(Object.keys(body)).toEqual(['value']);
  expect(body.value).toMatchObject({
    ...fields,
    id: expect.any(Number),
    number: 2,
    name: 'Roadmap',
    project_url: `${sandbox.baseUrl}/orgs/acme/projectsV2/1`,
    html_url: expect.stringMatching(/\/orgs\/acme\/projects\/1\/views\/2$/),
    creator: { login: 'admin' },
    created_at: '2026-11-20T12:30:00Z',
    updated_at: '2026-11-20T12:30:00Z',
  });
  expect((await create({})).body.value.number).toBe(3);
});

test('a user’s project requires the user’s ID, and rejects fine-grained tokens', async () => {
  expect((await create({}, '/users/1/projectsV2/2')).body.value.html_url).toMatch(
    /\/users\/admin\/projects\/2\/views\/2$/,
  );
  expect((await create({}, '/users/99/projectsV2/1')).status).toBe(404);
  for (const as of ['fine_grained', 'app_user', 'installation'])
    expect((await create({}, '/users/1/projectsV2/1', as)).status).toBe(403);
});

test('name and layout are required, and the layout must be one of three', async () => {
  const { status, body } = await ask('POST /orgs/acme/projectsV2/1/views', { body: {} });
  expect(status).toBe(422);
  expect(body.errors.map(({ field }: { field: string }) => field)).toEqual(['name', 'layout']);
  expect((await create({ layout: 'gallery' })).status).toBe(422);
});

test('fields must belong to the project, and group_by fields must support grouping', async () => {
  const refused = async (body: object) =>
    (await create(body)).body.errors?.map(({ field }: { field: string }) => field);
  expect(await refused({ visible_fields: [1, 77] })).toEqual(['visible_fields']);
  expect(await refused({ sort_by: [[77, 'asc']] })).toEqual(['sort_by']);
  expect(await refused({ group_by: [6] })).toEqual(['group_by']);
  expect(await refused({ group_by: [3, 4] })).toEqual(['group_by']);
  expect(await refused({ vertical_group_by: [3] })).toEqual(['vertical_group_by']);
  expect(await refused({ layout: 'roadmap', visible_fields: [1] })).toEqual(['visible_fields']);
});

test('an unknown project is 404, and views are not accessible to everybody', async () => {
  expect((await create({}, '/orgs/acme/projectsV2/4')).status).toBe(404);
  expect((await ask('POST /orgs/acme/projectsV2/1/views', { as: null, body: {} })).status).toBe(401);
});
