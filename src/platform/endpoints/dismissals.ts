import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { DismissalRequest, DismissalReview } from '../records.ts';
import { fields, integer, oneOf, optional, string } from '../schema.ts';

const path = { alert_number: integer('Alert number', { min: 1 }) };

const reviewer = string('Login of who reviewed the request');
const requester = string('Login of who made the request');
const timePeriods = ['hour', 'day', 'week', 'month'] as const;

const scopes = ['security_events'] as const;
const readable = { permission: 'vulnerability_alerts=read', scopes } as const;

/** Specification, Dependency-alert dismissal requests: all require delegated alert dismissal to be enabled. */
const mustBeEnabled = 'Delegated alert dismissal must be enabled on the repository.';
const refusals = [
  { status: 403, advice: mustBeEnabled },
  { status: 404, advice: mustBeEnabled },
] as const;

export const listOrganizationDismissals = endpoint({
  route: 'GET /orgs/{org}/dismissal-requests/<alerts>',
  summary: 'List the requests to dismiss dependency alerts in an organization',
  query: {
    repository_name: string('Only requests in this repository of the organization'),
    reviewer,
    requester,
    time_period: oneOf(timePeriods, 'How far back; a month for a single repository unless told otherwise', {
      default: 'day',
    }),
    request_status: oneOf(
      ['completed', 'cancelled', 'approved', 'expired', 'denied', 'open', 'all'],
      'Only requests with this status; for a single repository open, approved, expired, denied or all',
      { default: 'all' },
    ),
  },
  paging: 'page',
  permission: 'organization_dependabot_dismissal_requests=read',
  scopes,
  refusals,
  status: 200,
  answer: list<DismissalRequest>(),
});

export const listRepositoryDismissals = endpoint({
  route: 'GET /repos/{owner}/{repo}/dismissal-requests/<alerts>',
  summary: 'List the requests to dismiss dependency alerts of a repository',
  query: {
    reviewer,
    requester,
    time_period: oneOf(timePeriods, 'How far back', { default: 'month' }),
    request_status: oneOf(['open', 'approved', 'expired', 'denied', 'all'], 'Only requests with this status', {
      default: 'all',
    }),
  },
  paging: 'page',
  ...readable,
  refusals,
  status: 200,
  answer: list<DismissalRequest>(),
});

export const getDismissal = endpoint({
  route: 'GET /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Show the request to dismiss a dependency alert',
  path,
  ...readable,
  refusals,
  status: 200,
  answer: record<DismissalRequest>(),
});

export const createDismissal = endpoint({
  route: 'POST /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Ask for a dependency alert to be dismissed',
  path,
  body: fields({
    dismissed_reason: oneOf(
      ['fix_started', 'no_bandwidth', 'tolerable_risk', 'inaccurate', 'not_used'],
      'Why the alert may be dismissed',
    ),
    dismissed_comment: optional(string('What explains the reason', { prose: true })),
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
    status: oneOf(['approve', 'deny'], 'The decision'),
    message: string('What the requester is told', { maxCharacters: 2048, prose: true }),
  }),
  scopes,
  role: 'reviewer of dismissal requests',
  refusals,
  status: 200,
  answer: record<DismissalReview>(),
});

export const cancelDismissal = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  summary: 'Take back the request to dismiss a dependency alert',
  path,
  scopes,
  role: 'requester or a reviewer of dismissal requests',
  editions: ['hosted-enterprise'],
  refusals,
  status: 204,
  answer: nothing(),
});
