/** Contents of a migration's archive. */
import { createCipheriv, createHash } from 'node:crypto';
import type { SandboxPlatform } from '../platform.ts';
import { isoSeconds } from '../state/accounts.ts';
import { commitSha } from '../state/git.ts';
import { type MigrationState, progress } from '../state/migrations.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { fullName } from '../views/repository.ts';
import { type ArchivedFile, tarGz } from './tar.ts';

/** In bytes: maximum git data per repository, enough to watch the progress of a download. */
const largestPack = 256 * 1024;

/** Returns the archive, always with the same bytes, so that interrupted downloads can be resumed. */
export function archiveOf(platform: SandboxPlatform, migration: MigrationState): Buffer {
  const repositories = migration.repository_ids.flatMap((id) => platform.repositories.byId(id) ?? []);
  const metadata = migration.exclude_metadata ? [] : metadataFiles(platform, repositories);
  const git = migration.exclude_git_data ? [] : repositories.flatMap((repository) => gitFiles(platform, repository));
  const schema = { path: 'schema.json', content: json({ version: '1.2.0', sandbox: true }) };
  return tarGz([schema, ...metadata, ...git], new Date(progress(platform, migration).since));
}

function metadataFiles(platform: SandboxPlatform, repositories: readonly RepositoryState[]): ArchivedFile[] {
  const { users } = platform.accounts;
  const described = repositories.map((repository) => ({
    type: 'repository',
    url: `${platform.origin}/${fullName(platform, repository)}`,
    name: repository.name,
    description: repository.description,
    visibility: repository.visibility,
    default_branch: repository.default_branch,
    created_at: repository.created_at,
  }));
  const accounts = users.map(({ login, name }) => ({ type: 'user', url: `${platform.origin}/${login}`, login, name }));
  return [
    { path: 'users_000001.json', content: json(accounts) },
    { path: 'repositories_000001.json', content: json(described) },
  ];
}

function gitFiles(platform: SandboxPlatform, repository: RepositoryState): ArchivedFile[] {
  const directory = `repositories/${fullName(platform, repository)}.git`;
  const branch = `refs/heads/${repository.default_branch}`;
  const head = { path: `${directory}/HEAD`, content: `ref: ${branch}\n` };
  if (repository.size === 0) return [head];
  const sha = commitSha(platform, repository, 0);
  const date = isoSeconds(Date.parse(repository.pushed_at));
  const size = Math.min(repository.size * 1024, largestPack);
  return [
    head,
    { path: `${directory}/packed-refs`, content: `# pack-refs at ${date}\n${sha} ${branch}\n` },
    { path: `${directory}/objects/pack/pack-${sha}.pack`, content: noise(sha, size) },
  ];
}

/** Returns incompressible bytes derived from a text, like packed objects. */
function noise(text: string, size: number): Buffer {
  const key = createHash('sha256').update(text).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
