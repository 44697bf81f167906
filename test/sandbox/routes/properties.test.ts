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
