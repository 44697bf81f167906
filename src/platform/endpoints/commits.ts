import { endpoint, list, record } from '../endpoint.ts';
import type { CheckRun, CommitDetails, CommitStatus, Deployment, DeploymentStatus } from '../records.ts';
import { integer, string } from '../schema.ts';

const commit = '/repos/{owner}/{repo}/commits/{ref}';

export const getCommit = endpoint({
  route: `GET ${commit}`,
  summary:
    'Show a commit, and whether the platform verifies its signature; 422 for one that the platform does not have',
  permission: 'contents=read',
  anonymous: true,
  answer: record<CommitDetails>(),
});

export const listCheckRuns = endpoint({
  route: `GET ${commit}/check-runs`,
  summary: 'List the latest run of each check of a commit',
  items: 'check_runs',
  paging: 'page',
  permission: 'checks=read',
  anonymous: true,
  answer: list<CheckRun>(),
});

export const listLatestStatuses = endpoint({
  route: `GET ${commit}/status`,
  summary: 'List the latest status of each context of a commit',
  items: 'statuses',
  paging: 'page',
  permission: 'statuses=read',
  anonymous: true,
  answer: list<CommitStatus>(),
});

export const listDeployments = endpoint({
  route: 'GET /repos/{owner}/{repo}/deployments',
  summary: 'List the deployments of a repository, newest first',
  query: { sha: string('Filter by the commit that was deployed') },
  paging: 'page',
  permission: 'deployments=read',
  anonymous: true,
  answer: list<Deployment>(),
});

export const listDeploymentStatuses = endpoint({
  route: 'GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses',
  summary: 'List the statuses of a deployment, newest first',
  path: { deployment_id: integer('ID of the deployment', { min: 1 }) },
  paging: 'page',
  permission: 'deployments=read',
  anonymous: true,
  answer: list<DeploymentStatus>(),
});
