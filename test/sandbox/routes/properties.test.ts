import { describe, expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

const set = (repository_names: readonly string[], property_name: string, value: unknown) =>
  ask('PATCH /orgs/acme/properties/values', { body: { repository_names, properties: [{ property_name, value }] } });

async function valueIn(repository: string, name: string) {
  const { body } = await ask('GET /orgs/acme/properties/values?per_page=100');
  const found = body.find(({ repository_name }: { repository_name: string }) => repository_name === repository);
  return found.properties.find(({ property_name }: { property_name: string }) => property_name === name).value;
}

describe('custom property values', () => {
  test('are set, queried and unset', async () => {
    expect((await set(['site'], 'team', 'rockets')).status).toBe(204);
    const found = await ask('GET /orgs/acme/properties/values?repository_query=props.team:rockets');
    expect(found.body.map(({ repository_name }: { repository_name: string }) => repository_name)).toEqual(['site']);
    expect((await ask('GET /repos/acme/site')).body.custom_properties.team).toBe('rockets');
    await set(['site'], 'team', null);
    expect(await valueIn('site', 'team')).toBeNull();
  });

  test('fall back to the default if one is required', async () => {
    await set(['site'], 'tier', 'gold');
    expect(await valueIn('site', 'tier')).toBe('gold');
    await set(['site'], 'tier', null);
    expect(await valueIn('site', 'tier')).toBe('bronze');
  });

  test.each([
    ['an unknown property', ['site'], 'colour', 'red'],
    ['a value that is not allowed', ['site'], 'tier', 'platinum'],
    ['a list for one value', ['site'], 'tier', ['gold']],
    ['one value for a list', ['site'], 'region', 'eu'],
    ['an unknown repository', ['nowhere'], 'tier', 'gold'],
    ['more than 30 repositories', Array.from({ length: 31 }, () => 'site'), 'tier', 'gold'],
    ['no repository', [], 'tier', 'gold'],
  ])('reject %s', async (_, names, property, value) => {
    expect((await set(names, property, value)).status).toBe(422);
  });

  test('can be set by owners and read by members', async () => {
    expect((await ask('GET /orgs/acme/properties/schema', { as: 'member' })).status).toBe(200);
    const body = { repository_names: ['site'], properties: [{ property_name: 'pci', value: 'true' }] };
    expect((await ask('PATCH /orgs/acme/properties/values', { as: 'member', body })).status).toBe(403);
  });
});

describe('custom property definitions', () => {
  const stage = '/orgs/globex/properties/schema/stage';
  const select = { value_type: 'single_select', allowed_values: ['alpha', 'stable'], default_value: 'alpha' };

  test('are made, replaced and removed with their values', async () => {
    expect(await ask(`PUT ${stage}`, { body: { ...select, required: true, description: 'How far' } })).toMatchObject({
      status: 200,
      body: { property_name: 'stage', ...select, required: true, description: 'How far', source_type: 'organization' },
    });
    const inSite = async () => (await ask('GET /repos/globex/site')).body.custom_properties.stage;
    expect(await inSite()).toBe('alpha');
    const body = { repository_names: ['site'], properties: [{ property_name: 'stage', value: 'stable' }] };
    expect((await ask('PATCH /orgs/globex/properties/values', { body })).status).toBe(204);
    expect(await inSite()).toBe('stable');
    expect((await ask(`PUT ${stage.replace('stage', 'STAGE')}`, { body: select })).body).toMatchObject({
      property_name: 'stage',
      required: false,
      description: null,
    });
    expect((await ask(`DELETE ${stage}`)).status).toBe(204);
    expect((await ask(`GET ${stage}`)).status).toBe(404);
    await ask(`PUT ${stage}`, { body: select });
    expect(await inSite()).toBe('alpha');
    expect((await ask('GET /orgs/acme/properties/schema')).body).toHaveLength(4);
  });

  test.each([
    ['a select property without allowed values', { value_type: 'single_select' }],
    ['allowed values of a text', { value_type: 'string', allowed_values: ['a'] }],
    ['a required property without a default', { value_type: 'string', required: true }],
    ['a default that is not allowed', { ...select, default_value: 'beta' }],
    ['an unknown type', { value_type: 'number' }],
  ])('reject %s', async (_, body) => {
    expect((await ask('PUT /orgs/acme/properties/schema/next', { body })).status).toBe(422);
  });

  test('reject a name with a space', async () => {
    const { status } = await ask('PUT /orgs/acme/properties/schema/a%20b', { body: { value_type: 'string' } });
    expect(status).toBe(422);
  });

  test.each(['fine_grained', 'app_user', 'installation'])('can be changed with the %s token', async (as) => {
    const body = { value_type: 'string' };
    expect((await ask('PUT /orgs/acme/properties/schema/next', { as, body })).status).toBe(200);
  });

  test('can be changed by owners only', async () => {
    expect((await ask(`GET ${stage.replace('globex', 'acme')}`, { as: 'member' })).status).toBe(404);
    const put = await ask('PUT /orgs/acme/properties/schema/next', { as: 'member', body: { value_type: 'string' } });
    expect(put.status).toBe(403);
  });
});
