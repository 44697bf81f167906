import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { BypassRequest, BypassReview, PushRuleBypassRequest } from '../records.ts';
import { fields, integer, oneOf, string } from '../schema.ts';

const repositoryQuery = {
  reviewer: string('Filter by the reviewer’s login'),
  requester: string('Filter by the requester’s login'),
  time_period: oneOf(['hour', 'day', 'week', 'month'], 'Time period to list', { default: 'day' }),
  request_status: oneOf(
    ['completed', 'cancelled', 'approved', 'expired', 'deleted', 'denied', 'open', 'all'],
    'Filter by request status',
    { default: 'all' },
  ),
};

const organizationQuery = {
  repository_name: string('Filter by repository name'),
  ...repositoryQuery,
};

/** Each alternative requires access to alerts plus the requests of either the organization or the repository. */
const permission = (access: 'read' | 'write') =>
  `secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=${access}; secret_scanning_alerts=read,secret_scanning_bypass_requests=${access}`;

/** Specification, Secret-scanning bypass requests: requires delegated bypass and the role of a bypass reviewer. */
const mustBeEnabled = 'Delegated bypass must be enabled on the repository.';
const needs = {
  scopes: ['security_events'],
  role: 'bypass reviewer',
  refusals: [
    { status: 403, advice: mustBeEnabled },
    { status: 404, advice: mustBeEnabled },
  ],
} as const;

export const listOrganizationBypassRequests = endpoint({
  route: 'GET /orgs/{org}/bypass-requests/secret-scanning',
  summary: 'List an organization’s requests to bypass secret-scanning push protection',
  query: organizationQuery,
  paging: 'page',
  permission: 'secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read',
  ...needs,
  answer: list<BypassRequest>(),
});

export const listRepositoryBypassRequests = endpoint({
  route: 'GET /repos/{owner}/{repo}/bypass-requests/secret-scanning',
  summary: 'List a repository’s requests to bypass secret-scanning push protection',
  query: repositoryQuery,
  paging: 'page',
  permission: permission('read'),
  ...needs,
  answer: list<BypassRequest>(),
});

export const listPushRuleBypassRequests = endpoint({
  route: 'GET /orgs/{org}/bypass-requests/push-rules',
  summary: 'List an organization’s requests to bypass push rules',
  query: organizationQuery,
  paging: 'page',
  permission: 'organization_administration=write',
  answer: list<PushRuleBypassRequest>(),
});

export const getBypassRequest = endpoint({
  route: 'GET /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}',
  summary: 'Show a request to bypass secret-scanning push protection',
  path: { bypass_request_number: integer('Request number', { min: 1 }) },
  permission: permission('read'),
  ...needs,
  answer: record<BypassRequest>(),
});

export const reviewBypassRequest = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}',
  summary: 'Approve or reject a request to bypass secret-scanning push protection',
  path: { bypass_request_number: integer('Request number', { min: 1 }) },
  body: fields({
    status: oneOf(['approve', 'reject'], 'Decision'),
    message: string('Message to the requester', { maxCharacters: 2048, prose: true }),
  }),
  permission: permission('write'),
  ...needs,
  answer: record<BypassReview>(),
});

export const dismissBypassResponse = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/bypass-responses/secret-scanning/{bypass_response_id}',
  summary: 'Dismiss a response to a request to bypass secret-scanning push protection',
  path: { bypass_response_id: integer('Response ID', { min: 1 }) },
  permission: permission('write'),
  ...needs,
  answer: nothing(),
});
