import * as endpoints from '../../platform/endpoints/branches.ts';
import type { SandboxPlatform } from '../platform.ts';
import { Refusal } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { branchProtectionsOf } from '../state/branch-protection.ts';
import { branches, requireObjects } from '../state/git.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { branchProtectionView, branchView } from '../views/branch.ts';

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

function requireBranch(platform: SandboxPlatform, repository: RepositoryState, branch: string): void {
  requireObjects(platform, repository);
  if (!branches(repository).includes(branch)) throw new Refusal(404, 'Branch not found');
}
