import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { Migration, Repository } from '../records.ts';
import { boolean, fields, integer, optional, strings } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

/** Specification, User migrations: owner-only; not usable with app tokens or fine-grained tokens. */
const access = { tokens: ['classic', 'oauth'], role: 'owner of the repositories' } as const;

const path = { migration_id: integer('Migration id', { min: 1 }) };

const exclude = strings('Attributes to leave out of the answer, such as repositories');

/**
 * `repositories` is required; when org_metadata_only is true it should be empty. Specification, POST /user/migrations.
 */
function repositoriesOrMetadata({ repositories, org_metadata_only: metadataOnly }: Given): Problem[] {
  if (!Array.isArray(repositories)) return [];
  if (metadataOnly === true)
    return repositories.length ? [invalid('repositories', 'must be empty when org_metadata_only is true')] : [];
  return repositories.length
    ? []
    : [missing('repositories', 'must name at least one, unless org_metadata_only is true')];
}

/** Specification, States and transitions: an archive is there once the state is `exported`, and for seven days. */
const noArchive = {
  status: 404,
  advice:
    'An archive can be had once the migration’s state is exported, and for seven days: see “forgectl migrations get ID”.',
} as const;

export const listMigrations = endpoint({
  route: 'GET /user/migrations',
  summary: 'List the migrations of the token’s owner',
  paging: 'page',
  ...access,
  status: 200,
  answer: list<Migration>(),
});

export const startMigration = endpoint({
  route: 'POST /user/migrations',
  summary: 'Start a migration: make an archive of repositories',
  body: fields({
    repositories: strings('Repositories, written OWNER/NAME'),
    lock_repositories: optional(
      boolean('Lock the repositories until they are unlocked, so that nothing changes meanwhile', { default: false }),
    ),
    exclude_metadata: optional(boolean('Leave metadata out', { default: false })),
    exclude_git_data: optional(boolean('Leave git data out', { default: false })),
    exclude_attachments: optional(boolean('Leave attachments out', { default: false })),
    exclude_releases: optional(boolean('Leave releases out', { default: false })),
    exclude_owner_projects: optional(boolean('Leave projects of the owner out', { default: false })),
    org_metadata_only: optional(
      boolean('Only metadata of the organization: no repositories, and other flags are ignored', { default: false }),
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
  summary: 'Show a migration and how far it is',
  path,
  query: { exclude },
  ...access,
  status: 200,
  answer: record<Migration>(),
});

export const listMigrationRepositories = endpoint({
  route: 'GET /user/migrations/{migration_id}/repositories',
  summary: 'List the repositories of a migration',
  path,
  paging: 'page',
  ...access,
  status: 200,
  answer: list<Repository>(),
});

/** Answers with a redirect to a signed URL on a storage host, where the token must not go. */
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
  summary: 'Delete the archive of a migration before its seven days are over',
  path,
  ...access,
  refusals: [noArchive],
  status: 204,
  answer: nothing(),
});

export const unlockMigrationRepository = endpoint({
  route: 'DELETE /user/migrations/{migration_id}/repos/{repo_name}/lock',
  summary: 'Unlock a repository that a migration locked',
  path,
  ...access,
  refusals: [
    { status: 404, advice: 'The platform also answers 404 for a repository that the migration has not locked.' },
  ],
  status: 204,
  answer: nothing(),
});
