/** User migrations and their progress. */
import type { SandboxPlatform } from '../platform.ts';
import { uuid } from '../seed/chance.ts';
import { isLax } from '../seed/postures.ts';
import type { Collection } from '../store.ts';
import type { OrganizationState, User } from './accounts.ts';

export const migrationFlags = [
  'lock_repositories',
  'exclude_metadata',
  'exclude_git_data',
  'exclude_attachments',
  'exclude_releases',
  'exclude_owner_projects',
] as const;
export type MigrationFlags = Readonly<Record<(typeof migrationFlags)[number], boolean>>;

export interface MigrationState extends MigrationFlags {
  readonly id: number;
  readonly guid: string;
  readonly repository_ids: readonly number[];
  readonly org_metadata_only: boolean;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly archive_deleted: boolean;
}

const second = 1000;
const day = 24 * 60 * 60 * second;

/** Waiting time and duration of a migration. */
const waiting = second;
const exporting = 2 * second;

/** Specification, Rules, 2: an archive stays available for seven days. */
const retention = 7 * day;

const firstId = 77;
const firstRepositoryId = 100_001;

/**
 * A user's migrations. The administrator has two: the archive of the first has expired, that of the second is
 * available.
 */
export function migrationsOf(platform: SandboxPlatform, user: User): Collection<MigrationState> {
  return platform.store.collection<MigrationState>('migrations', user.id, () =>
    user.site_admin
      ? [30, 2].map((age, place) => [firstId + place, seeded(platform, firstId + place, age)] as const)
      : [],
  );
}

/** The migrations of an organization: the fifth has one, which locked an archived repository. */
export function organizationMigrations(
  platform: SandboxPlatform,
  organization: OrganizationState,
): readonly MigrationState[] {
  const locked = isLax(organization) ? platform.repositories.byId(lockedIn(platform, organization)) : undefined;
  if (locked?.owner_id !== organization.id) return [];
  return [{ ...seeded(platform, organizationMigrationId, 40), repository_ids: [locked.id], lock_repositories: true }];
}

const organizationMigrationId = 60;

/** Returns the ID of the first seeded repository that is archived, if the organization has as many. */
const lockedIn = ({ repos }: SandboxPlatform, { index }: OrganizationState): number =>
  repos > 7 ? firstRepositoryId + index * repos + 7 : 0;

export const nextMigrationId = ({ store }: SandboxPlatform): number => store.next('migrations', firstId + 2);

/** Returns the last state of a migration, and since when. A migration without repositories fails. */
export function progress({ clock }: SandboxPlatform, migration: MigrationState): { state: string; since: number } {
  const { created } = migration;
  const age = clock().getTime() - created;
  if (age < waiting) return { state: 'pending', since: created };
  if (age < waiting + exporting) return { state: 'exporting', since: created + waiting };
  const nothing = !migration.org_metadata_only && migration.exclude_git_data && migration.exclude_metadata;
  return { state: nothing ? 'failed' : 'exported', since: created + waiting + exporting };
}

/** Specification, Rules, 1 and 2: available for seven days after the export, unless deleted before. */
export function hasArchive(platform: SandboxPlatform, migration: MigrationState): boolean {
  const { state, since } = progress(platform, migration);
  return state === 'exported' && !migration.archive_deleted && platform.clock().getTime() < since + retention;
}

/** Migrations that have locked repositories, by repository id. */
export const migrationLocks = (platform: SandboxPlatform): Collection<number> =>
  platform.store.collection<number>('migration locks', '', () => {
    const organizations = platform.orgs > 4 ? [platform.accounts.organizationAt(4)] : [];
    return organizations
      .filter(isLax)
      .map((organization) => [lockedIn(platform, organization), organizationMigrationId] as const);
  });

export const migrationGuid = ({ seed }: SandboxPlatform, id: number): string => uuid(`${seed}/migration/${id}`);

function seeded(platform: SandboxPlatform, id: number, age: number): MigrationState {
  return {
    id,
    guid: migrationGuid(platform, id),
    repository_ids: [firstRepositoryId],
    ...(Object.fromEntries(migrationFlags.map((name) => [name, false])) as MigrationFlags),
    org_metadata_only: false,
    created: platform.started - age * day,
    archive_deleted: false,
  };
}
