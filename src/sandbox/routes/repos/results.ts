/** What was reported about commits: check runs, statuses and deployments. */
import type { Deployment } from '../../../platform/records.ts';
import type { Caller } from '../../callers.ts';
import { type Listing, listing } from '../../paging.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { found, Refusal } from '../../refusals.ts';
import { isoSeconds } from '../../state/accounts.ts';
import { commitCount, commitPlace, commitSha, requireObjects } from '../../state/git.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { avatarUrl, nodeId } from '../../views/actor.ts';
import { appView } from '../../views/installation.ts';
import { fullName, repositoryOwner, repositoryView } from '../../views/repository.ts';

/** Returns the place of the commit that a ref names. Throws 422 in the public platform’s words. */
export function requireCommit(platform: SandboxPlatform, repository: RepositoryState, ref: string): number {
  requireObjects(platform, repository);
  const place = commitPlace(platform, repository, ref);
  if (place === undefined) throw new Refusal(422, `No commit found for SHA: ${ref}`);
  return place;
}

const urlOf = (platform: SandboxPlatform, repository: RepositoryState): string =>
  `${platform.baseUrl}/repos/${fullName(platform, repository)}`;

/** In milliseconds; commits are five hours apart. */
const timeOf = ({ pushed_at }: RepositoryState, place: number): number => Date.parse(pushed_at) - place * 18_000_000;

/** Two runs for each commit: builds fail now and then, and the other is advice. */
export function checkRuns(platform: SandboxPlatform, repository: RepositoryState, place: number) {
  const hasPassed = place === 0 || platform.chance('build', repository.id, place) < 0.8;
  const runs = [
    ['build', hasPassed ? 'success' : 'failure'],
    ['spelling', 'neutral'],
  ] as const;
  const started = timeOf(repository, place);
  return runs.map(([name, conclusion], index) => {
    const id = repository.id * 1000 + place * runs.length + index;
    const url = `${urlOf(platform, repository)}/check-runs/${id}`;
    const html = `${platform.origin}/${fullName(platform, repository)}/runs/${id}`;
    return {
      id,
      node_id: nodeId('CheckRun', id),
      external_id: '',
      head_sha: commitSha(platform, repository, place),
      name,
      status: 'completed',
      conclusion,
      started_at: isoSeconds(started),
      completed_at: isoSeconds(started + 240_000),
      url,
      html_url: html,
      details_url: html,
      output: { title: null, summary: null, text: null, annotations_count: 0, annotations_url: `${url}/annotations` },
      check_suite: { id: repository.id * 1000 + place },
      app: appView(platform),
      pull_requests: [],
    };
  });
}

/** One status, with the fields that the list has beside it. */
export function statuses(
  platform: SandboxPlatform,
  repository: RepositoryState,
  place: number,
  caller: Caller,
): Listing<{ id: number; context: string; state: string }> {
  const sha = commitSha(platform, repository, place);
  const commitUrl = `${urlOf(platform, repository)}/commits/${sha}`;
  const at = isoSeconds(timeOf(repository, place) + 60_000);
  const status = {
    id: repository.id * 1000 + place,
    node_id: nodeId('StatusContext', repository.id * 1000 + place),
    context: 'ci/license',
    state: 'success',
    description: null,
    target_url: null,
    avatar_url: avatarUrl(platform, repositoryOwner(platform, repository)),
    url: `${urlOf(platform, repository)}/statuses/${sha}`,
    created_at: at,
    updated_at: at,
  };
  const envelope = {
    state: status.state,
    sha,
    repository: repositoryView(platform, repository, caller),
    commit_url: commitUrl,
    url: `${commitUrl}/status`,
  };
  return { ...listing([status]), envelope };
}

const environments = ['staging', 'production'];

/** Every fifth commit was deployed to staging, and every tenth to production; newest first. */
export function deployments(platform: SandboxPlatform, repository: RepositoryState, sha?: string): Deployment[] {
  requireObjects(platform, repository);
  const url = urlOf(platform, repository);
  const all = Array.from({ length: Math.ceil(commitCount(platform, repository) / 5) }, (_, index) => index * 5);
  return all.flatMap((place) =>
    environments
      .slice(0, place % 10 === 0 ? 2 : 1)
      .map((name, index) => {
        const id = repository.id * 1000 + place + index;
        const at = isoSeconds(timeOf(repository, place));
        return {
          id,
          node_id: nodeId('Deployment', id),
          sha: commitSha(platform, repository, place),
          ref: repository.default_branch,
          task: 'deploy',
          payload: {},
          original_environment: name,
          environment: name,
          description: null,
          creator: null,
          created_at: at,
          updated_at: at,
          url: `${url}/deployments/${id}`,
          statuses_url: `${url}/deployments/${id}/statuses`,
          repository_url: url,
        };
      })
      .filter((each) => sha === undefined || each.sha === sha),
  );
}

/** The newest deployment to an environment is active, the others no longer are. Throws 404. */
export function deploymentStatuses(platform: SandboxPlatform, repository: RepositoryState, id: number) {
  const all = deployments(platform, repository);
  const { environment } = found(all.find((each) => each.id === id));
  const isActive = all.find((each) => each.environment === environment)?.id === id;
  const url = `${urlOf(platform, repository)}/deployments/${id}`;
  const at = isoSeconds(Date.parse(repository.pushed_at));
  return (isActive ? ['success'] : ['inactive', 'success']).map((state, index) => ({
    id: id * 10 + index,
    node_id: nodeId('DeploymentStatus', id * 10 + index),
    state,
    creator: null,
    description: '',
    environment,
    target_url: `${platform.origin}/${fullName(platform, repository)}/deployments/${environment}`,
    created_at: at,
    updated_at: at,
    deployment_url: url,
    repository_url: urlOf(platform, repository),
    url: `${url}/statuses/${id * 10 + index}`,
  }));
}
