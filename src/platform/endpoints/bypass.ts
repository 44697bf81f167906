import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { BypassRequest, BypassReview, PushRuleBypassRequest } from '../records.ts';
import { fields, integer, oneOf, string } from '../schema.ts';

const repositoryQuery = {
  reviewer: string('Login of who reviewed the request'),
  requester: string('Login of who made the request'),
  time_period: oneOf(['hour', 'day', 'week', 'month'], 'How far back', { default: 'day' }),
  request_status: oneOf(
    ['completed', 'cancelled', 'approved', 'expired', 'deleted', 'denied', 'open', 'all'],
    'Only requests with this status',
    { default: 'all' },
  ),
};

const organizationQuery = {
  repository_name: string('Only requests in this repository of the organization'),
  ...repositoryQuery,
};

/** Each alternative needs the alerts, and the requests of either the organization or the repository. */
const permission = (access: 'read' | 'write') =>
  `secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=${access}; secret_scanning_alerts=read,secret_scanning_bypass_requests=${access}`;

/** Specification, Secret-scanning bypass requests: delegated bypass enabled, and a bypass reviewer asks. */
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
  summary: 'List the requests to bypass secret-scanning push protection in an organization',
  query: organizationQuery,
  paging: 'page',
  permission: 'secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read',
  ...needs,
  status: 200,
  answer: list<BypassRequest>(),
});

export const listRepositoryBypassRequests = endpoint({
  route: 'GET /repos/{owner}/{repo}/bypass-requests/secret-scanning',
  summary: 'List the requests to bypass secret-scanning push protection in a repository',
  query: repositoryQuery,
  paging: 'page',
  permission: permission('read'),
  ...needs,
  status: 200,
  answer: list<BypassRequest>(),
});

export const listPushRuleBypassRequests = endpoint({
  route: 'GET /orgs/{org}/bypass-requests/push-rules',
  summary: 'List the requests to bypass push rules in an organization',
  query: organizationQuery,
  paging: 'page',
  permission: 'organization_administration=write',
  status: 200,
  answer: list<PushRuleBypassRequest>(),
});

export const getBypassRequest = endpoint({
  route: 'GET /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}',
  summary: 'Show a request to bypass secret-scanning push protection',
  path: { bypass_request_number: integer('Number of the request', { min: 1 }) },
  permission: permission('read'),
  ...needs,
  status: 200,
  answer: record<BypassRequest>(),
});

export const reviewBypassRequest = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}',
  summary: 'Approve or reject a request to bypass secret-scanning push protection',
  path: { bypass_request_number: integer('Number of the request', { min: 1 }) },
  body: fields({
    status: oneOf(['approve', 'reject'], 'The decision'),
    message: string('What the requester is told', { maxCharacters: 2048, prose: true }),
  }),
  permission: permission('write'),
  ...needs,
  status: 200,
  answer: record<BypassReview>(),
});

export const dismissBypassResponse = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/bypass-responses/secret-scanning/{bypass_response_id}',
  summary: 'Take back a response to a request to bypass secret-scanning push protection',
  path: { bypass_response_id: integer('Response id', { min: 1 }) },
  permission: permission('write'),
  ...needs,
  status: 204,
  answer: nothing(),
});
