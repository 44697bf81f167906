import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { Migration, Repository } from '../records.ts';
import { boolean, fields, integer, optional, strings } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

/** Specification, User migrations: owner-only; not usable with app tokens or fine-grained tokens. */
const access = { tokens: ['classic', 'oauth'], role: 'owner of the repositories' } as const;

const path = { migration_id: integer('Migration ID', { min: 1 }) };

const exclude = strings('Attributes to omit from the response, such as repositories');

/**
 * `repositories` is required; when org_metadata_only is true it should be empty. Specification, POST /user/migrations.
 */
function repositoriesOrMetadata({ repositories, org_metadata_only: metadataOnly }: Given): Problem[] {
  if (!Array.isArray(repositories)) return [];
  if (metadataOnly === true)
    return repositories.length ? [invalid('repositories', 'must be empty when org_metadata_only is true')] : [];
  return repositories.length
    ? []
    : [missing('repositories', 'must contain at least one, unless org_metadata_only is true')];
}

/** Specification, States and transitions: the archive exists for seven days once the state is `exported`. */
const noArchive = {
  status: 404,
  advice:
    'Archives are available for seven days once the migration is exported; check its state with “forgectl migrations get ID”.',
} as const;

export const listMigrations = endpoint({
  route: 'GET /user/migrations',
  summary: 'List the migrations of the token’s owner',
  paging: 'page',
  ...access,
  answer: list<Migration>(),
});

/** Public platform, Organization migrations: only owners; not usable with app tokens or fine-grained tokens. */
export const listOrganizationMigrations = endpoint({
  route: 'GET /orgs/{org}/migrations',
  summary: 'List the migrations of an organization, newest first',
  query: { exclude },
  paging: 'page',
  tokens: ['classic', 'oauth'],
  role: 'organization owner',
  answer: list<Migration>(),
});

/** Public platform, Organization migrations. */
export const unlockOrganizationMigrationRepository = endpoint({
  route: 'DELETE /orgs/{org}/migrations/{migration_id}/repos/{repo_name}/lock',
  summary: 'Unlock a repository locked by a migration of an organization',
  path,
  tokens: ['classic', 'oauth'],
  role: 'organization owner',
  answer: nothing(),
});

export const startMigration = endpoint({
  route: 'POST /user/migrations',
  summary: 'Start a migration that archives repositories',
  body: fields({
    repositories: strings('Repositories to export, as OWNER/NAME'),
    lock_repositories: optional(
      boolean('Lock the repositories against changes until you unlock them', { default: false }),
    ),
    exclude_metadata: optional(boolean('Exclude metadata', { default: false })),
    exclude_git_data: optional(boolean('Exclude Git data', { default: false })),
    exclude_attachments: optional(boolean('Exclude attachments', { default: false })),
    exclude_releases: optional(boolean('Exclude releases', { default: false })),
    exclude_owner_projects: optional(boolean('Exclude the owner’s projects', { default: false })),
    org_metadata_only: optional(
      boolean('Export only the organization’s metadata, without repositories; other flags are ignored', {
        default: false,
      }),
    ),
    exclude: optional(exclude),
  }),
  rules: [repositoriesOrMetadata],
  ...access,
  status: 201,
  answer: record<Migration>(),
});

export const getMigration = endpoint({
  route: 'GET /user/migrations/{migration_id}',
  summary: 'Show a migration and its state',
  path,
  query: { exclude },
  ...access,
  answer: record<Migration>(),
});

export const listMigrationRepositories = endpoint({
  route: 'GET /user/migrations/{migration_id}/repositories',
  summary: 'List the repositories of a migration',
  path,
  paging: 'page',
  ...access,
  answer: list<Repository>(),
});

/** Redirects to a signed URL on a storage host, which must not receive the token. */
export const downloadMigrationArchive = endpoint({
  route: 'GET /user/migrations/{migration_id}/archive',
  summary: 'Download the archive of a migration',
  path,
  ...access,
  refusals: [noArchive],
  status: 302,
  answer: nothing(),
});

export const deleteMigrationArchive = endpoint({
  route: 'DELETE /user/migrations/{migration_id}/archive',
  summary: 'Delete the archive of a migration before it expires after seven days',
  path,
  ...access,
  refusals: [noArchive],
  answer: nothing(),
});

export const unlockMigrationRepository = endpoint({
  route: 'DELETE /user/migrations/{migration_id}/repos/{repo_name}/lock',
  summary: 'Unlock a repository locked by a migration',
  path,
  ...access,
  refusals: [
    { status: 404, advice: 'The platform also returns 404 for repositories that the migration has not locked.' },
  ],
  answer: nothing(),
});
