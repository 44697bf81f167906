import * as endpoints from '../../platform/endpoints/branches.ts';
import * as ofCommits from '../../platform/endpoints/commits.ts';
import type { SandboxPlatform } from '../platform.ts';
import { Refusal } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { branchProtectionsOf } from '../state/branch-protection.ts';
import { branches, requireObjects } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { branchProtectionView, branchView } from '../views/branch.ts';
import { commitView } from '../views/commit.ts';
import { checkRuns, deploymentStatuses, deployments, requireCommit, statuses } from './repos/results.ts';

export function mountBranches(app: App): void {
  route(app, endpoints.getBranch, ({ platform, repository, path }) => {
    requireBranch(platform, repository, path.branch);
    return branchView(platform, repository, path.branch);
  });

  route(app, endpoints.getBranchProtection, ({ platform, repository, path }) => {
    requireBranch(platform, repository, path.branch);
    const protection = branchProtectionsOf(platform, repository).get(path.branch);
    if (!protection) throw new Refusal(404, 'Branch not protected');
    return branchProtectionView(platform, repository, path.branch, protection);
  });
}

/** Commits, and what was reported about them. */
export function mountCommits(app: App): void {
  route(app, ofCommits.getCommit, ({ platform, repository, path }) =>
    commitView(platform, repository, requireCommit(platform, repository, path.ref)),
  );

  route(app, ofCommits.listCheckRuns, ({ platform, repository, path }) =>
    checkRuns(platform, repository, requireCommit(platform, repository, path.ref)),
  );

  route(app, ofCommits.listLatestStatuses, ({ platform, repository, path, caller }) =>
    statuses(platform, repository, requireCommit(platform, repository, path.ref), caller),
  );

  route(app, ofCommits.listDeployments, ({ platform, repository, query }) =>
    deployments(platform, repository, query.sha),
  );

  route(app, ofCommits.listDeploymentStatuses, ({ platform, repository, path }) =>
    deploymentStatuses(platform, repository, path.deployment_id),
  );
}

function requireBranch(platform: SandboxPlatform, repository: RepositoryState, branch: string): void {
  requireObjects(platform, repository);
  if (!branches(repository).includes(branch)) throw new Refusal(404, 'Branch not found');
}
