import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { DismissalRequest, DismissalReview } from '../records.ts';
import { fields, integer, oneOf, optional, string } from '../schema.ts';

const path = { alert_number: integer('Alert number', { min: 1 }) };

const reviewer = string('Filter by the reviewer’s login');
const requester = string('Filter by the requester’s login');
const timePeriods = ['hour', 'day', 'week', 'month'] as const;

const scopes = ['security_events'] as const;
const readable = { permission: 'vulnerability_alerts=read', scopes } as const;

/** Specification, Dependency-alert dismissal requests: all require delegated alert dismissal. */
const mustBeEnabled = 'Delegated alert dismissal must be enabled on the repository.';
const refusals = [
  { status: 403, advice: mustBeEnabled },
  { status: 404, advice: mustBeEnabled },
] as const;

export const listOrganizationDismissals = endpoint({
  route: 'GET /orgs/{org}/dismissal-requests/<alerts>',
  summary: 'List an organization’s requests to dismiss dependency alerts',
  query: {
    repository_name: string('Filter by repository name'),
    reviewer,
    requester,
    time_period: oneOf(timePeriods, 'Time period to list; month for a single repository by default', {
      default: 'day',
    }),
    request_status: oneOf(
      ['completed', 'cancelled', 'approved', 'expired', 'denied', 'open', 'all'],
      'Filter by request status; open, approved, expired, denied or all for a single repository',
      { default: 'all' },
    ),
  },
  paging: 'page',
  permission: 'organization_dependabot_dismissal_requests=read',
  scopes,
  refusals,
  answer: list<DismissalRequest>(),
});

export const listRepositoryDismissals = endpoint({
  route: 'GET /repos/{owner}/{repo}/dismissal-requests/<alerts>',
  summary: 'List a repository’s requests to dismiss dependency alerts',
  query: {
    reviewer,
    requester,
    time_period: oneOf(timePeriods, 'Time period to list', { default: 'month' }),
    request_status: oneOf(['open', 'approved', 'expired', 'denied', 'all'], 'Filter by request status', {
      default: 'all',
    }),
  },
  paging: 'page',
  ...readable,
  refusals,
  answer: list<DismissalRequest>(),
});

export const getDismissal = endpoint({
  route: 'GET /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Show the request to dismiss a dependency alert',
  path,
  ...readable,
  refusals,
  answer: record<DismissalRequest>(),
});

export const createDismissal = endpoint({
  route: 'POST /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Request the dismissal of a dependency alert',
  path,
  body: fields({
    dismissed_reason: oneOf(
      ['fix_started', 'no_bandwidth', 'tolerable_risk', 'inaccurate', 'not_used'],
      'Reason for the dismissal',
    ),
    dismissed_comment: optional(string('Comment that explains the reason', { prose: true })),
  }),
  ...readable,
  refusals,
  status: 201,
  answer: record<DismissalRequest>(),
});

export const reviewDismissal = endpoint({
  route: 'PATCH /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Approve or deny the request to dismiss a dependency alert',
  path,
  body: fields({
    status: oneOf(['approve', 'deny'], 'Decision'),
    message: string('Message to the requester', { maxCharacters: 2048, prose: true }),
  }),
  scopes,
  role: 'reviewer of dismissal requests',
  refusals,
  answer: record<DismissalReview>(),
});

export const cancelDismissal = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Cancel the request to dismiss a dependency alert',
  path,
  scopes,
  role: 'requester or reviewer of dismissal requests',
  editions: ['hosted-enterprise'],
  refusals,
  answer: nothing(),
});
