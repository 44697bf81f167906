/** Activity of a repository's refs, dated relative to the start, because the API has time windows. */
import type { SandboxPlatform } from '../../platform.ts';
import { between, pick } from '../../seed/chance.ts';
import type { User } from '../accounts.ts';
import { branches, commitCount, commitSha, noCommit } from '../git.ts';
import type { RepositoryState } from '../repositories.ts';
import { pushesTo, type RefChange } from './history.ts';

const types = [
  'push',
  'push',
  'push',
  'pr_merge',
  'pr_merge',
  'force_push',
  'branch_creation',
  'branch_deletion',
  'merge_queue_merge',
] as const;

const hour = 60 * 60 * 1000;

/** Newest first. The first `site` has more than one page; the intervals grow towards the past. */
export function refChanges(platform: SandboxPlatform, repository: RepositoryState): RefChange[] {
  if (repository.size === 0) return [];
  const pushes = pushesTo(platform, repository);
  if (pushes) return pushes.filter(({ result }) => result !== 'fail');
  const chance = (label: string, place: number) => platform.chance('activity', repository.id, label, place);
  const count = Math.min(
    commitCount(platform, repository) - 1,
    repository.name === 'site' ? 75 : between(5, 40, chance('count', 0)),
  );
  const [main = 'main', ...others] = branches(repository);
  return Array.from({ length: count }, (_, place): RefChange => {
    const type = pick(types, chance('type', place));
    const topic = others.length > 0 && (type.startsWith('branch_') || chance('ref', place) < 0.4);
    const branch = topic ? pick(others as [string, ...string[]], chance('branch', place)) : main;
    return {
      id: repository.id * 1000 + (count - place),
      before: type === 'branch_creation' ? noCommit : commitSha(platform, repository, place + 1),
      after: type === 'branch_deletion' ? noCommit : commitSha(platform, repository, place),
      ref: `refs/heads/${branch}`,
      time: platform.started - (place ** 2 * 2 + chance('minutes', place)) * hour,
      type,
      actor: pick(platform.accounts.users as [User, ...User[]], chance('actor', place)),
    };
  });
}
