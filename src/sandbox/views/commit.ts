import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import { isoSeconds, type User } from '../state/accounts.ts';
import { commitCount, commitSha } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { actorView, nodeId } from './actor.ts';
import { fullName } from './repository.ts';

const hour = 60 * 60 * 1000;

/** A commit in the public platform's lists; 0 is the newest. */
export function commitView(platform: SandboxPlatform, repository: RepositoryState, place: number) {
  const sha = commitSha(platform, repository, place);
  const name = fullName(platform, repository);
  const url = `${platform.baseUrl}/repos/${name}/commits/${sha}`;
  const html = `${platform.origin}/${name}/commit`;
  const user = pick(platform.accounts.users as [User, ...User[]], platform.chance('author', repository.id, place));
  const date = isoSeconds(Date.parse(repository.pushed_at) - place * 5 * hour);
  const author = { name: user.name, email: `${user.login}@sandbox.example`, date };
  const parents = place + 1 < commitCount(platform, repository) ? [commitSha(platform, repository, place + 1)] : [];
  return {
    sha,
    node_id: nodeId('Commit', sha),
    commit: {
      author,
      committer: author,
      message: `Change number ${commitCount(platform, repository) - place}`,
      tree: { sha, url: `${platform.baseUrl}/repos/${name}/git/trees/${sha}` },
      url: `${platform.baseUrl}/repos/${name}/git/commits/${sha}`,
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    url,
    html_url: `${html}/${sha}`,
    comments_url: `${url}/comments`,
    author: actorView(platform, user),
    committer: actorView(platform, user),
    parents: parents.map((parent) => ({
      sha: parent,
      url: `${platform.baseUrl}/repos/${name}/commits/${parent}`,
      html_url: `${html}/${parent}`,
    })),
  };
}
