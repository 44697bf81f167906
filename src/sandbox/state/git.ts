/** Git data of repositories, derived from the seed: commits, refs, authors, languages. */
import { createHash } from 'node:crypto';
import type { SandboxPlatform } from '../platform.ts';
import { Refusal } from '../refusals.ts';
import { between, pick } from '../seed/chance.ts';
import { otherLanguages, people } from '../seed/words.ts';
import type { User } from './accounts.ts';
import { isReady, type RepositoryState } from './repositories.ts';

export const noCommit = '0'.repeat(40);

/** Returns the id of a commit; 0 is the newest. A fork has the commits of its parent. */
export function commitSha({ seed }: SandboxPlatform, repository: RepositoryState, place: number): string {
  const origin = repository.parent_id ?? repository.id;
  return createHash('sha1').update(`${seed}/${origin}/commit/${place}`).digest('hex');
}

export function commitCount(platform: SandboxPlatform, repository: RepositoryState): number {
  // Empty, or the first commit of a repository created with a readme.
  if (repository.size <= 1) return repository.size;
  if (repository.name === 'site') return 120;
  return between(20, 120, platform.chance('commits', repository.parent_id ?? repository.id));
}

/** Throws 409 for a fork whose objects are still being copied. */
export function requireObjects(platform: SandboxPlatform, repository: RepositoryState): void {
  if (!isReady(platform, repository)) throw new Refusal(409, 'Git Repository is empty.');
}

/** Returns the full id of a commit, given at least its first seven characters. */
export function findCommit(platform: SandboxPlatform, repository: RepositoryState, sha: string): string | undefined {
  const place = placeOf(platform, repository, sha);
  return place === undefined ? undefined : commitSha(platform, repository, place);
}

function placeOf(platform: SandboxPlatform, repository: RepositoryState, sha: string): number | undefined {
  const wanted = sha.toLowerCase();
  if (!/^[0-9a-f]{7,40}$/.test(wanted)) return undefined;
  const all = Array.from({ length: commitCount(platform, repository) }, (_, at) => commitSha(platform, repository, at));
  const place = all.findIndex((commit) => commit.startsWith(wanted));
  return place === -1 ? undefined : place;
}

/** Returns the place of the commit that a branch, tag or commit names. Branches and tags have the newest. */
export function commitPlace(platform: SandboxPlatform, repository: RepositoryState, ref: string): number | undefined {
  return isNamed(repository, ref) ? 0 : placeOf(platform, repository, ref);
}

/** Returns the number of lines of each file, by path. Every commit touches all lines of all files. */
export function files({ size, name }: RepositoryState): Readonly<Record<string, number>> {
  if (size === 0) return {};
  if (size === 1) return { 'README.md': 1 };
  const seeded = { 'README.md': 40, 'package.json': 32, 'src/index.ts': 120 };
  return name === 'site' ? { ...seeded, '.github/CODEOWNERS': 9 } : seeded;
}

export function branches({ default_branch: main, size, default_branch_only: alone }: RepositoryState): string[] {
  if (size === 0) return [];
  return alone || size === 1 ? [main] : [main, 'develop', 'release/1.2', 'feature/search'];
}

const tags = ['v1.0.0', 'v1.1.0', 'v1.2.0'];

/** Whether a branch, tag or commit of that name exists. */
export function refExists(platform: SandboxPlatform, repository: RepositoryState, ref: string): boolean {
  return isNamed(repository, ref) || findCommit(platform, repository, ref) !== undefined;
}

function isNamed(repository: RepositoryState, ref: string): boolean {
  const name = ref.replace(/^(?:refs\/)?(heads|tags)\//, '');
  return branches(repository).includes(name) || (repository.size > 1 && tags.includes(name));
}

/** An author of commits: an account, or only a name and an email address. */
export type Author = { readonly contributions: number } & (
  | { readonly user: User }
  | { readonly name: string; readonly email: string }
);

/** Authors by number of commits, descending. */
export function authors(platform: SandboxPlatform, repository: RepositoryState): Author[] {
  if (repository.size === 0) return [];
  const [first] = platform.accounts.users;
  if (commitCount(platform, repository) === 1 && first) return [{ user: first, contributions: 1 }];
  const origin = repository.parent_id ?? repository.id;
  const chance = (label: string, about: number) => platform.chance(label, origin, about);
  const contributions = (about: number) => between(1, 240, chance('contributions', about) ** 2);
  const known = platform.accounts.users
    .filter((user) => user.site_admin || chance('contributes', user.id) < 0.6)
    .map((user) => ({ user, contributions: contributions(user.id) }));
  const anonymous = Array.from({ length: between(1, 3, chance('anonymous', 0)) }, (_, index) => ({
    name: `Former Colleague ${index + 1}`,
    email: `former.${index + 1}@mail.example`,
    contributions: contributions(people.length + index + 1),
  }));
  return [...known, ...anonymous].sort((a, b) => b.contributions - a.contributions);
}

/** Bytes per language, descending. */
export function languageBytes({ chance }: SandboxPlatform, repository: RepositoryState): Record<string, number> {
  if (!repository.language || repository.size === 0) return {};
  const id = repository.parent_id ?? repository.id;
  const main = between(50_000, 900_000, chance('bytes', id));
  const other = pick(otherLanguages, chance('other language', id));
  return { [repository.language]: main, [other]: Math.ceil(main * 0.2 * chance('other bytes', id)) };
}
