import { endpoint, record } from '../endpoint.ts';
import type { Branch, BranchProtection } from '../records.ts';

export const getBranch = endpoint({
  route: 'GET /repos/{owner}/{repo}/branches/{branch}',
  summary: 'Show a branch, and whether classic branch protection applies to it',
  permission: 'contents=read',
  anonymous: true,
  answer: record<Branch>(),
});

export const getBranchProtection = endpoint({
  route: 'GET /repos/{owner}/{repo}/branches/{branch}/protection',
  summary: 'Show the classic branch protection of a branch',
  permission: 'administration=read',
  role: 'repository administrator',
  refusals: [{ status: 404, advice: 'The platform also returns 404 for a branch without classic protection.' }],
  answer: record<BranchProtection>(),
});
