import { createHash } from 'node:crypto';
import sodium from 'libsodium-wrappers';
import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const registry = { registry_type: 'npm_registry', url: 'https://npm.acme.example', visibility: 'all' };

async function sealed(secret: string, org = 'acme') {
  const { body } = await ask(`GET /orgs/${org}/private-registries/public-key`);
  await sodium.ready;
  const box = sodium.crypto_box_seal(secret, sodium.from_base64(body.key, sodium.base64_variants.ORIGINAL));
  return { key_id: body.key_id, encrypted_value: Buffer.from(box).toString('base64') };
}

const create = (body: object, org = 'acme') => ask(`POST /orgs/${org}/private-registries`, { body });

test('the public key is 32 bytes in base64 and differs between organizations', async () => {
  const { status, body } = await ask('GET /orgs/acme/private-registries/public-key');
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['key_id', 'key']);
  expect(body.key_id).toMatch(/^\d{18}$/);
  expect(Buffer.from(body.key, 'base64')).toHaveLength(32);
  expect((await ask('GET /orgs/globex/private-registries/public-key')).body.key).not.toBe(body.key);
});

test('a sealed secret is opened, identified by its digest, and returned nowhere', async () => {
  const secret = 'hunter2-hunter2-hunter2!';
  const { status, body } = await create({ ...registry, ...(await sealed(secret)) });
  expect(status).toBe(201);
  expect(body).toEqual({
    name: 'NPM_REGISTRY_SECRET',
    registry_type: 'npm_registry',
    auth_type: 'token',
    url: 'https://npm.acme.example',
    username: null,
    replaces_base: false,
    visibility: 'all',
    created_at: '2026-11-20T12:30:00Z',
    updated_at: '2026-11-20T12:30:00Z',
  });
  const digest = createHash('sha256').update(secret).digest('hex').slice(0, 12);
  expect(sandbox.lines).toContain(`opened the sealed secret of acme/NPM_REGISTRY_SECRET: 24 bytes, SHA-256 ${digest}`);
  expect(sandbox.lines.join('\n')).not.toContain(secret);
  expect((await ask('GET /orgs/acme/private-registries/npm_registry_secret')).body).toEqual(body);
});

test('a second registry of a type has a number', async () => {
  const body = { ...registry, registry_type: 'helm_registry' };
  expect((await create({ ...body, ...(await sealed('a', 'initech')) }, 'initech')).body.name).toBe(
    'HELM_REGISTRY_SECRET',
  );
  expect((await create({ ...body, ...(await sealed('b', 'initech')) }, 'initech')).body.name).toBe(
    'HELM_REGISTRY_SECRET_2',
  );
});

test('registries are listed in an envelope', async () => {
  const { status, body } = await ask('GET /orgs/acme/private-registries?per_page=1');
  expect(status).toBe(200);
  expect(body.total_count).toBeGreaterThanOrEqual(2);
  expect(body.configurations).toEqual([
    expect.objectContaining({ name: 'MAVEN_REPOSITORY_SECRET', username: 'builder' }),
  ]);
  expect((await ask('GET /orgs/globex/private-registries')).body).toEqual({ total_count: 0, configurations: [] });
});

test('a value that cannot be opened is rejected', async () => {
  const good = await sealed('secret');
  const bytes = Buffer.from(good.encrypted_value, 'base64');
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  const elsewhere = await sealed('secret', 'globex');
  for (const encrypted_value of [bytes.toString('base64'), 'AAAA', 'not base64!', '', elsewhere.encrypted_value]) {
    const answer = await create({ ...registry, key_id: good.key_id, encrypted_value });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ field: 'encrypted_value', code: 'invalid' })]);
  }
});

test('the ID of another key is rejected', async () => {
  const answer = await create({ ...registry, ...(await sealed('secret')), key_id: '1' });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual([expect.objectContaining({ resource: 'PrivateRegistry', field: 'key_id' })]);
});

test('creation requires type, url and visibility, and a secret for types that store one', async () => {
  const answer = await create({});
  expect(answer.status).toBe(422);
  const fields = answer.body.errors.map(({ field }: { field: string }) => field).sort();
  expect(fields).toEqual(['encrypted_value', 'registry_type', 'url', 'visibility']);
});

test('an OIDC registry stores no secret and requires its own fields', async () => {
  const azure = { ...registry, auth_type: 'oidc_azure' };
  const incomplete = await create(azure);
  expect(incomplete.body.errors.map(({ field }: { field: string }) => field)).toEqual(['tenant_id', 'client_id']);
  const { status, body } = await create({ ...azure, tenant_id: 't', client_id: 'c' });
  expect(status).toBe(201);
  expect(body).toMatchObject({ auth_type: 'oidc_azure', tenant_id: 't', client_id: 'c' });
  const withSecret = await create({ ...azure, tenant_id: 't', client_id: 'c', ...(await sealed('s')) });
  expect(withSecret.status).toBe(422);
});

test('selected repositories require visibility selected, must exist, and are not returned', async () => {
  const body = { ...registry, ...(await sealed('secret')) };
  const selected = { ...body, visibility: 'selected' };
  expect((await create({ ...body, selected_repository_ids: [100_001] })).status).toBe(422);
  expect((await create(selected)).status).toBe(422);
  expect((await create({ ...selected, selected_repository_ids: [100_013] })).status).toBe(422);
  const created = await create({ ...selected, selected_repository_ids: [100_001] });
  expect(created.status).toBe(201);
  expect(created.body).not.toHaveProperty('selected_repository_ids');
});

test('an update returns 204, changes only the given fields and keeps the rest', async () => {
  const path = '/orgs/acme/private-registries/PYTHON_INDEX_SECRET';
  const body = { username: 'robot', visibility: 'all', ...(await sealed('new secret')) };
  expect(await ask(`PATCH ${path}`, { body })).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET ${path}`)).body).toMatchObject({
    username: 'robot',
    visibility: 'all',
    url: 'https://python.acme.example/simple',
    replaces_base: true,
    created_at: '2024-03-04T09:00:00Z',
    updated_at: '2026-11-20T12:30:00Z',
  });
});

test('auth_type can be repeated but not changed', async () => {
  const path = 'PATCH /orgs/acme/private-registries/MAVEN_REPOSITORY_SECRET';
  expect((await ask(path, { body: { auth_type: 'username_password' } })).status).toBe(204);
  const refused = await ask(path, { body: { auth_type: 'token' } });
  expect(refused.status).toBe(422);
  expect(refused.body.errors).toEqual([expect.objectContaining({ field: 'auth_type', code: 'invalid' })]);
});

test('an update is rejected if the resulting registry could not be created', async () => {
  const refused = async (name: string, body: object) => {
    const answer = await ask(`PATCH /orgs/acme/private-registries/${name}`, { body });
    expect(answer.status).toBe(422);
    return answer.body.errors.map(({ field }: { field: string }) => field);
  };
  expect(await refused('PYTHON_INDEX_SECRET', { tenant_id: 't', audience: 'a' })).toEqual(['tenant_id', 'audience']);
  expect(await refused('MAVEN_REPOSITORY_SECRET', { username: null })).toEqual(['username']);
  expect(await refused('MAVEN_REPOSITORY_SECRET', { visibility: 'selected' })).toEqual(['selected_repository_ids']);
  expect(await refused('MAVEN_REPOSITORY_SECRET', { selected_repository_ids: [100_001] })).toEqual([
    'selected_repository_ids',
  ]);
  const aws = { aws_region: 'eu-1', account_id: '1', role_name: 'r', domain: 'd', domain_owner: 'o' };
  const hex = { registry_type: 'hex_repository', url: 'https://hex.acme.example', visibility: 'selected' };
  const body = { ...hex, selected_repository_ids: [100_001], auth_type: 'oidc_aws', ...aws };
  expect((await create(body)).status).toBe(201);
  const secret = await sealed('secret');
  expect(await refused('HEX_REPOSITORY_SECRET', secret)).toEqual(['encrypted_value', 'key_id']);
  expect(await refused('HEX_REPOSITORY_SECRET', { namespace: 'n' })).toEqual(['namespace']);
  const patch = (change: object) => ask('PATCH /orgs/acme/private-registries/HEX_REPOSITORY_SECRET', { body: change });
  expect((await patch({ audience: 'a', visibility: 'selected' })).status).toBe(204);
  expect((await patch({ visibility: 'all' })).status).toBe(204);
});

test('an update with a secret that cannot be opened is rejected, too', async () => {
  const body = { ...(await sealed('secret')), encrypted_value: 'AAAA' };
  expect((await ask('PATCH /orgs/acme/private-registries/MAVEN_REPOSITORY_SECRET', { body })).status).toBe(422);
});

test('a deleted registry is gone', async () => {
  const path = '/orgs/umbrella/private-registries/CARGO_REGISTRY_SECRET';
  expect((await ask(`DELETE ${path}`)).status).toBe(404);
  const acme = '/orgs/acme/private-registries/CARGO_REGISTRY_SECRET';
  await create({ ...registry, registry_type: 'cargo_registry', ...(await sealed('secret')) });
  expect(await ask(`DELETE ${acme}`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET ${acme}`)).status).toBe(404);
  expect((await ask(`PATCH ${acme}`, { body: {} })).status).toBe(404);
});

test('every endpoint requires admin:org', async () => {
  for (const request of [
    'GET /orgs/acme/private-registries',
    'GET /orgs/acme/private-registries/public-key',
    'GET /orgs/acme/private-registries/MAVEN_REPOSITORY_SECRET',
    'DELETE /orgs/acme/private-registries/MAVEN_REPOSITORY_SECRET',
  ])
    expect((await ask(request, { as: 'oauth' })).status).toBe(403);
});
