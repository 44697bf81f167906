import * as endpoints from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import { archiveUrl } from '../archives/storage.ts';
import type { Caller } from '../callers.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, validationFailed } from '../refusals.ts';
import { Reply } from '../replies.ts';
import { isVisible, requireLevel, userOf } from '../roles.ts';
import { type App, type Call, route } from '../route.ts';
import { isoSeconds, type OrganizationState, type User } from '../state/accounts.ts';
import {
  hasArchive,
  type MigrationFlags,
  type MigrationState,
  migrationFlags,
  migrationGuid,
  migrationLocks,
  migrationsOf,
  nextMigrationId,
  organizationMigrations,
  progress,
} from '../state/migrations.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { actorView, nodeId } from '../views/actor.ts';
import { repositoryView } from '../views/repository.ts';

export function mountMigrations(app: App): void {
  const { platform } = app;

  route(app, endpoints.listMigrations, ({ caller }) =>
    mapped(listing(migrationsOf(platform, owner(platform, caller)).values().reverse()), (migration) =>
      migrationView(platform, migration, caller),
    ),
  );

  route(app, endpoints.listOrganizationMigrations, ({ organization, caller, query }) =>
    mapped(listing(organizationMigrations(platform, organization)), (migration) =>
      migrationView(platform, migration, caller, query.exclude, organization),
    ),
  );

  route(app, endpoints.startMigration, ({ caller, body }) =>
    migrationView(platform, start(platform, caller, body), caller, body.exclude),
  );

  route(app, endpoints.getMigration, ({ caller, path, query }) =>
    migrationView(platform, own(platform, caller, path.migration_id), caller, query.exclude),
  );

  route(app, endpoints.listMigrationRepositories, ({ caller, path }) =>
    mapped(listing(repositoriesOf(platform, own(platform, caller, path.migration_id))), (repository) =>
      repositoryView(platform, repository, caller),
    ),
  );

  route(app, endpoints.downloadMigrationArchive, ({ caller, path, hostname }) => {
    const migration = withArchive(platform, caller, path.migration_id);
    return new Reply(302, undefined, { location: archiveUrl(platform, migration, hostname) });
  });

  route(app, endpoints.deleteMigrationArchive, ({ caller, path }) => {
    const migration = withArchive(platform, caller, path.migration_id);
    migrationsOf(platform, owner(platform, caller)).set(migration.id, { ...migration, archive_deleted: true });
  });

  route(app, endpoints.unlockMigrationRepository, ({ caller, path }) => {
    const migration = own(platform, caller, path.migration_id);
    requireEnd(platform, migration);
    unlock(platform, migration, path.repo_name);
  });

  route(app, endpoints.unlockOrganizationMigrationRepository, ({ organization, path }) => {
    const migrations = organizationMigrations(platform, organization);
    unlock(platform, found(migrations.find(({ id }) => id === path.migration_id)), path.repo_name);
  });
}

/** Throws 404 for a repository that the migration has not locked. */
function unlock(platform: SandboxPlatform, migration: MigrationState, repository: string): void {
  const locks = migrationLocks(platform);
  const isLocked = ({ id, name }: RepositoryState) =>
    name.toLowerCase() === repository.toLowerCase() && locks.get(id) === migration.id;
  locks.delete(found(repositoriesOf(platform, migration).find(isLocked)).id);
}

function start(
  platform: SandboxPlatform,
  caller: Caller,
  body: Call<typeof endpoints.startMigration>['body'],
): MigrationState {
  const named = body.org_metadata_only ? [] : body.repositories.map((name) => find(platform, caller, name));
  const repositories = [...new Map(named.map((repository) => [repository.id, repository])).values()];
  const id = nextMigrationId(platform);
  const flags = migrationFlags.map((name) => [name, body[name] === true && !body.org_metadata_only]);
  const migration: MigrationState = {
    id,
    guid: migrationGuid(platform, id),
    repository_ids: repositories.map((repository) => repository.id),
    ...(Object.fromEntries(flags) as MigrationFlags),
    org_metadata_only: body.org_metadata_only ?? false,
    created: platform.clock().getTime(),
    archive_deleted: false,
  };
  migrationsOf(platform, owner(platform, caller)).set(id, migration);
  if (migration.lock_repositories)
    for (const repository of repositories) migrationLocks(platform).set(repository.id, id);
  return migration;
}

const owner = (platform: SandboxPlatform, caller: Caller): User => found(userOf(platform, caller));

const own = (platform: SandboxPlatform, caller: Caller, id: number): MigrationState =>
  found(migrationsOf(platform, owner(platform, caller)).get(id));

function withArchive(platform: SandboxPlatform, caller: Caller, id: number): MigrationState {
  const migration = own(platform, caller, id);
  if (!hasArchive(platform, migration)) throw notFound();
  return migration;
}

/** Specification, States and transitions, 3: repositories can be unlocked after `exported`, or after a failure. */
function requireEnd(platform: SandboxPlatform, migration: MigrationState): void {
  const { state } = progress(platform, migration);
  if (state === 'pending' || state === 'exporting')
    throw forbidden(`The migration is still ${state}: its repositories can be unlocked once it is exported.`);
}

/** Specification, User migrations: owner-only. Invisible repositories are treated as missing. */
function find(platform: SandboxPlatform, caller: Caller, fullName: string): RepositoryState {
  const [login = '', name = '', ...rest] = fullName.split('/');
  const account = platform.accounts.account(login);
  const repository = account && rest.length === 0 ? platform.repositories.find(account, name) : undefined;
  if (repository && isVisible(platform, caller, repository)) {
    requireLevel(platform, caller, repository, 'admin');
    return repository;
  }
  throw validationFailed('Migration', [invalid('repositories', `${fullName} is not one of your repositories`)]);
}

const repositoriesOf = ({ repositories }: SandboxPlatform, { repository_ids }: MigrationState): RepositoryState[] =>
  repository_ids.flatMap((id) => repositories.byId(id) ?? []);

/** Specification, User migration; `exclude` lists attributes to omit. */
function migrationView(
  platform: SandboxPlatform,
  migration: MigrationState,
  caller: Caller,
  exclude: readonly string[] = [],
  organization?: OrganizationState,
): Migration {
  const { created, archive_deleted: _, repository_ids: __, ...told } = migration;
  const path = organization ? `/orgs/${organization.login}` : '/user';
  const { state, since } = progress(platform, migration);
  const record = {
    ...told,
    node_id: nodeId('Migration', migration.id),
    owner: actorView(platform, organization ?? owner(platform, caller)),
    state,
    repositories: repositoriesOf(platform, migration).map((repository) => repositoryView(platform, repository, caller)),
    url: `${platform.baseUrl}${path}/migrations/${migration.id}`,
    created_at: isoSeconds(created),
    updated_at: isoSeconds(since),
  };
  return Object.fromEntries(Object.entries(record).filter(([name]) => !exclude.includes(name))) as unknown as Migration;
}
