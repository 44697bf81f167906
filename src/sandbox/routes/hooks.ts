import * as endpoints from '../../platform/endpoints/hooks.ts';
import type { PreReceiveHook } from '../../platform/records.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found } from '../refusals.ts';
import { type App, type Call, route } from '../route.ts';
import { isStrict } from '../seed/postures.ts';
import type { OrganizationState } from '../state/accounts.ts';
import type { RepositoryState, SettingsOwner } from '../state/repositories.ts';
import type { Collection } from '../store.ts';
import { fullName, repositoryOwner } from '../views/repository.ts';

/** Settings of an organization or repository. */
interface Override {
  readonly enforcement?: string | undefined;
  readonly allow_downstream_configuration?: boolean | undefined;
}

/** The settings of the strict organization. */
const enforced: Override = { enforcement: 'enabled', allow_downstream_configuration: false };

/** A hook as it applies to an organization or repository. */
interface Effective extends Required<Pick<PreReceiveHook, 'id' | 'name' | 'enforcement' | 'configuration_url'>> {
  readonly allow_downstream_configuration: boolean;
  /** Whether the setting can be changed at this level. */
  readonly configurable: boolean;
}

export function mountHooks(app: App): void {
  const { platform } = app;

  for (const kind of ['repository', 'organization'] as const) {
    const { list, get, update, unset } = preReceiveHooks.owners[kind];
    route(app, list, (owner) =>
      sorted(owner.query)
        .filter((hook) => isListed(effectiveOf(platform, owner, hook)))
        .map((hook) => hookView(platform, owner, hook)),
    );
    route(app, get, (owner) => hookView(platform, owner, find(owner.path.pre_receive_hook_id)));
    route(app, update, (owner) => {
      const hook = find(owner.path.pre_receive_hook_id);
      requireConfigurable(effectiveOf(platform, owner, hook));
      const own = overrides(platform, owner);
      own.set(hook.id, { ...own.get(hook.id), ...owner.body });
      return hookView(platform, owner, hook);
    });
    route(app, unset, (owner) => {
      const hook = find(owner.path.pre_receive_hook_id);
      overrides(platform, owner).delete(hook.id);
      return hookView(platform, owner, hook);
    });
  }

  route(app, endpoints.listInstallationHooks, ({ query }) =>
    sorted(query).map((hook) => installationHookView(platform, hook)),
  );
}

interface SeededHook {
  readonly id: number;
  readonly name: string;
  readonly enforcement: string;
  readonly allow_downstream_configuration: boolean;
  /** Position in the order of changes. */
  readonly updated: number;
}

/** Hooks of the installation; they cannot be changed. */
const seeded: readonly SeededHook[] = [
  { id: 1, name: 'Check commit messages', enforcement: 'enabled', allow_downstream_configuration: true, updated: 3 },
  { id: 2, name: 'Refuse large files', enforcement: 'enabled', allow_downstream_configuration: false, updated: 5 },
  { id: 3, name: 'Require signed commits', enforcement: 'testing', allow_downstream_configuration: true, updated: 1 },
  { id: 4, name: 'Block secrets', enforcement: 'disabled', allow_downstream_configuration: true, updated: 4 },
  { id: 5, name: 'Lint branch names', enforcement: 'disabled', allow_downstream_configuration: false, updated: 2 },
];

const find = (id: number): SeededHook => found(seeded.find((each) => each.id === id));

type Order = Call<typeof endpoints.listInstallationHooks>['query'];

function sorted({ sort = 'created', direction = 'desc' }: Order): SeededHook[] {
  const compare = (a: SeededHook, b: SeededHook) =>
    sort === 'name' ? a.name.localeCompare(b.name) : sort === 'updated' ? a.updated - b.updated : a.id - b.id;
  const ascending = [...seeded].sort(compare);
  return direction === 'asc' ? ascending : ascending.reverse();
}

/**
 * Enabled and testing hooks, and disabled ones that can be enabled here. Specification, Repository pre-receive hooks,
 * list.
 */
const isListed = ({ enforcement, configurable }: Effective): boolean => enforcement !== 'disabled' || configurable;

/** Settings of one organization or repository, by hook. */
const overrides = ({ store }: SandboxPlatform, { organization, repository }: SettingsOwner): Collection<Override> =>
  organization
    ? store.collection<Override>('hooks of organization', organization.id, () =>
        isStrict(organization) ? seeded.map(({ id }) => [id, enforced] as const) : [],
      )
    : store.collection<Override>('hooks of repository', repository.id);

const effectiveOf = (platform: SandboxPlatform, owner: SettingsOwner, hook: SeededHook): Effective =>
  owner.organization
    ? ofOrganization(platform, owner.organization, hook)
    : ofRepository(platform, owner.repository, hook);

function ofOrganization(platform: SandboxPlatform, organization: OrganizationState, hook: SeededHook): Effective {
  const configurable = hook.allow_downstream_configuration;
  const own = configurable ? overrides(platform, { organization }).get(hook.id) : undefined;
  const path = own ? `/orgs/${organization.login}/pre-receive-hooks` : '/admin/pre-receive-hooks';
  return {
    id: hook.id,
    name: hook.name,
    enforcement: own?.enforcement ?? hook.enforcement,
    allow_downstream_configuration: own?.allow_downstream_configuration ?? configurable,
    configuration_url: `${platform.baseUrl}${path}/${hook.id}`,
    configurable,
  };
}

function ofRepository(platform: SandboxPlatform, repository: RepositoryState, hook: SeededHook): Effective {
  const owner = repositoryOwner(platform, repository);
  const inherited =
    owner.type === 'Organization'
      ? ofOrganization(platform, owner, hook)
      : { ...hook, configuration_url: `${platform.baseUrl}/admin/pre-receive-hooks/${hook.id}` };
  const configurable = inherited.allow_downstream_configuration;
  const own = configurable ? overrides(platform, { repository }).get(hook.id) : undefined;
  if (own?.enforcement === undefined) return { ...inherited, configurable };
  const url = `${platform.baseUrl}/repos/${fullName(platform, repository)}/pre-receive-hooks/${hook.id}`;
  return { ...inherited, enforcement: own.enforcement, configuration_url: url, configurable };
}

function requireConfigurable({ configurable, configuration_url: url }: Effective): void {
  if (!configurable) throw forbidden(`This pre-receive hook cannot be configured here; it is configured at ${url}`);
}

function hookView(platform: SandboxPlatform, owner: SettingsOwner, hook: SeededHook): PreReceiveHook {
  const { id, name, enforcement, configuration_url, allow_downstream_configuration } = effectiveOf(
    platform,
    owner,
    hook,
  );
  return { id, name, enforcement, configuration_url, ...(owner.organization && { allow_downstream_configuration }) };
}

function installationHookView({ baseUrl, origin }: SandboxPlatform, hook: SeededHook): PreReceiveHook {
  const { id, name, enforcement, allow_downstream_configuration } = hook;
  const repository = 'acme/site';
  return {
    id,
    name,
    enforcement,
    script: `scripts/hook-${id}.sh`,
    script_repository: {
      id: 100_001,
      full_name: repository,
      url: `${baseUrl}/repos/${repository}`,
      html_url: `${origin}/${repository}`,
    },
    environment: {
      id: 1,
      name: 'Default',
      image_url: 'githooks',
      url: `${baseUrl}/admin/pre-receive-environments/1`,
      html_url: `${origin}/admin/pre-receive-environments/1`,
      default_environment: true,
      created_at: '2023-01-10T12:00:00Z',
      hooks_count: seeded.length,
      download: {
        url: `${baseUrl}/admin/pre-receive-environments/1/downloads/latest`,
        state: 'not_started',
        downloaded_at: null,
        message: null,
      },
    },
    allow_downstream_configuration,
  };
}
