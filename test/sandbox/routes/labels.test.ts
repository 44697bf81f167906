import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

const labels = '/repos/acme/identity-client/labels';

test('a repository has the labels of new repositories, in pages', async () => {
  const { status, body } = await ask(`GET ${labels}?per_page=2&page=5`, { as: null });
  expect(status).toBe(200);
  expect(body).toMatchObject([
    { name: 'wontfix', color: 'ffffff', description: 'This will not be worked on', default: true },
  ]);
});

test('a name is unique, whatever its case', async () => {
  const taken = {
    status: 422,
    body: { errors: [{ resource: 'Label', code: 'already_exists', field: 'name' }] },
  };
  expect(await ask(`POST ${labels}`, { body: { name: 'BUG' } })).toMatchObject(taken);
  expect(await ask(`PATCH ${labels}/question`, { body: { new_name: 'Bug' } })).toMatchObject(taken);
  expect(await ask(`PATCH ${labels}/bug`, { body: { new_name: 'Bug' } })).toMatchObject({ body: { name: 'Bug' } });
});

test('a rename keeps the ID, the place in the list and the other fields', async () => {
  const { body: before } = await ask(`GET ${labels}/help%20wanted`);
  const { body: after } = await ask(`PATCH ${labels}/help%20wanted`, { body: { new_name: 'up for grabs' } });
  expect(after).toEqual({ ...before, name: 'up for grabs', url: expect.stringMatching(/labels\/up%20for%20grabs$/) });
  expect((await ask(`GET ${labels}`)).body[5]).toEqual(after);
  expect((await ask(`GET ${labels}/help%20wanted`)).status).toBe(404);
});

test('a deleted label is gone, and an empty description is none', async () => {
  expect((await ask(`DELETE ${labels}/invalid`)).status).toBe(204);
  expect((await ask(`DELETE ${labels}/invalid`)).status).toBe(404);
  expect(await ask(`PATCH ${labels}/duplicate`, { body: { description: '' } })).toMatchObject({
    body: { description: null, color: 'cfd3d7' },
  });
});

test('an invalid color and a description of 101 characters are refused', async () => {
  for (const field of [{ color: '#d73a4a' }, { color: 'red' }, { description: 'x'.repeat(101) }])
    expect((await ask(`POST ${labels}`, { body: { name: 'new', ...field } })).status).toBe(422);
});
