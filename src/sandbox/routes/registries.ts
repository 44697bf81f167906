import { createHash } from 'node:crypto';
import * as endpoints from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { requireValid } from '../input.ts';
import type { SandboxPlatform } from '../platform.ts';
import { found, validationFailed } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { openSealed, sealingKey } from '../seal.ts';
import { isLax } from '../seed/postures.ts';
import { isoSeconds, type OrganizationState } from '../state/accounts.ts';
import type { Collection } from '../store.ts';

export function mountRegistries(app: App): void {
  route(app, endpoints.listRegistries, ({ platform, organization }) => registriesOf(platform, organization).values());

  route(app, endpoints.getRegistryPublicKey, ({ platform, organization }) => {
    const { id, publicKey } = sealingKey(platform, organization);
    return { key_id: id, key: Buffer.from(publicKey).toString('base64') };
  });

  route(app, endpoints.getRegistry, ({ platform, organization, path }) =>
    find(registriesOf(platform, organization), path.secret_name),
  );

  route(app, endpoints.createRegistry, ({ platform, organization, body }) => {
    const registries = registriesOf(platform, organization);
    const name = freeName(registries, body.registry_type);
    refuse(selectionProblems(platform, organization, body));
    openSecret(platform, organization, name, body);
    const now = isoSeconds(platform.clock());
    const defaults = { auth_type: 'token', username: null, replaces_base: false };
    const registry = { name, ...defaults, ...settingsOf(body), created_at: now, updated_at: now };
    registries.set(name, registry);
    return registry;
  });

  route(app, endpoints.updateRegistry, ({ platform, organization, path, body }) => {
    const registries = registriesOf(platform, organization);
    const registry = find(registries, path.secret_name);
    refuse([...changeProblems(registry, body), ...selectionProblems(platform, organization, body)]);
    requireValid(endpoints.createRegistry, creationOf(registry, body));
    openSecret(platform, organization, registry.name, body);
    registries.set(registry.name, { ...registry, ...settingsOf(body), updated_at: isoSeconds(platform.clock()) });
  });

  route(app, endpoints.deleteRegistry, ({ platform, organization, path }) => {
    const registries = registriesOf(platform, organization);
    registries.delete(find(registries, path.secret_name).name);
  });
}

/** The first and the fifth organization start with two registries, every other with none. */
export function registriesOf(platform: SandboxPlatform, organization: OrganizationState): Collection<PrivateRegistry> {
  return platform.store.collection<PrivateRegistry>('registries', organization.id, () =>
    (organization.index === 0 ? seeded : isLax(organization) ? seededOfLax : []).map(
      (registry) => [registry.name, registry] as const,
    ),
  );
}

const seeded: PrivateRegistry[] = [
  {
    name: 'MAVEN_REPOSITORY_SECRET',
    registry_type: 'maven_repository',
    auth_type: 'username_password',
    url: 'https://maven.acme.example/releases',
    username: 'builder',
    replaces_base: false,
    visibility: 'all',
    created_at: '2024-02-19T10:12:00Z',
    updated_at: '2024-05-03T15:40:00Z',
  },
  {
    name: 'PYTHON_INDEX_SECRET',
    registry_type: 'python_index',
    auth_type: 'token',
    url: 'https://python.acme.example/simple',
    username: null,
    replaces_base: true,
    visibility: 'private',
    created_at: '2024-03-04T09:00:00Z',
    updated_at: '2024-03-04T09:00:00Z',
  },
];

const seededOfLax: PrivateRegistry[] = [
  {
    name: 'NPM_REGISTRY_SECRET',
    registry_type: 'npm_registry',
    auth_type: 'token',
    url: 'http://npm.hooli.example',
    username: null,
    replaces_base: false,
    visibility: 'private',
    created_at: '2024-01-15T08:30:00Z',
    updated_at: '2024-01-15T08:30:00Z',
  },
  {
    name: 'DOCKER_REGISTRY_SECRET',
    registry_type: 'docker_registry',
    auth_type: 'username_password',
    url: 'https://docker.hooli.example',
    username: 'builder',
    replaces_base: false,
    visibility: 'all',
    created_at: '2024-02-12T13:05:00Z',
    updated_at: '2024-02-12T13:05:00Z',
  },
];

const find = (registries: Collection<PrivateRegistry>, name: string): PrivateRegistry =>
  found(registries.get(name.toUpperCase()));

/** The platform chooses names: the type, followed by a number if it is taken. */
function freeName(registries: Collection<PrivateRegistry>, type: string): string {
  const base = `${type.toUpperCase()}_SECRET`;
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}_${number}`;
    if (!registries.get(name)) return name;
  }
}

/** Stored members of a body: neither the secret, which is only opened to validate it, nor the selected repositories. */
function settingsOf<B extends Given>({ encrypted_value: _, key_id: __, selected_repository_ids: ___, ...settings }: B) {
  return settings;
}

/** Opens a sealed secret, logs its digest, and discards it. Throws 422 for one that cannot be opened. */
function openSecret(platform: SandboxPlatform, organization: OrganizationState, name: string, body: Given): void {
  if (body.encrypted_value === undefined) return;
  const key = sealingKey(platform, organization);
  if (body.key_id !== key.id) throw failed([invalid('key_id', 'is not the id of the organization’s public key')]);
  const secret = openSealed(key, String(body.encrypted_value));
  if (!secret) throw failed([invalid('encrypted_value', 'was not sealed with the organization’s public key')]);
  const digest = createHash('sha256').update(secret).digest('hex').slice(0, 12);
  platform.log(`opened the sealed secret of ${organization.login}/${name}: ${secret.length} bytes, SHA-256 ${digest}`);
}

/** `auth_type` cannot be changed. Specification, private registries, update body. */
function changeProblems(registry: PrivateRegistry, { auth_type: authType }: Given): Problem[] {
  return authType !== undefined && authType !== registry.auth_type
    ? [invalid('auth_type', `cannot be changed; it is ${registry.auth_type}`)]
    : [];
}

/** Returns the body that would create the updated registry. An unchanged secret and selection are unknown. */
function creationOf(registry: PrivateRegistry, change: Given): Given {
  const stored = endpoints.storesSecret(registry.auth_type) && { encrypted_value: 'kept', key_id: 'kept' };
  const selects = registry.visibility === 'selected' && (change.visibility ?? 'selected') === 'selected';
  return { ...registry, ...stored, ...(selects && { selected_repository_ids: [] }), ...change };
}

function selectionProblems(platform: SandboxPlatform, organization: OrganizationState, body: Given): Problem[] {
  const ids = (body.selected_repository_ids ?? []) as number[];
  const foreign = ids.filter((id) => platform.repositories.byId(id)?.owner_id !== organization.id);
  if (foreign.length === 0) return [];
  return [
    invalid(
      'selected_repository_ids',
      `contains ids that are not repositories of ${organization.login}: ${foreign.join(', ')}`,
    ),
  ];
}

const failed = (problems: readonly Problem[]) => validationFailed('PrivateRegistry', problems);

function refuse(problems: readonly Problem[]): void {
  if (problems.length) throw failed(problems);
}
