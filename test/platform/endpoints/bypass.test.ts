import { expect, test } from 'vitest';
import {
  listOrganizationBypassRequests,
  listPushRuleBypassRequests,
  listRepositoryBypassRequests,
  reviewBypassRequest,
} from '../../../src/platform/endpoints/bypass.ts';
import { checkBody, checkValue } from '../../../src/platform/validate.ts';

const said = (problems: readonly { field: string; message: string }[]) =>
  problems.map(({ field, message }) => `${field} ${message}`);

test('a review requires a decision and a message of “max 2048 characters”', () => {
  expect(said(checkBody(reviewBypassRequest, {}).problems)).toEqual(['status is required', 'message is required']);
  for (const status of ['approve', 'reject'])
    expect(checkBody(reviewBypassRequest, { status, message: 'x'.repeat(2048) })).toEqual({
      problems: [],
      unknown: [],
    });
  expect(said(checkBody(reviewBypassRequest, { status: 'reject', message: 'x'.repeat(2049) }).problems)).toEqual([
    'message must be at most 2048 characters',
  ]);
});

test('a bypass request rejects the word that dismissals use for no', () => {
  expect(said(checkBody(reviewBypassRequest, { status: 'deny', message: 'No' }).unknown)).toEqual([
    'status must be one of approve, reject',
  ]);
});

test.each(['completed', 'cancelled', 'approved', 'expired', 'deleted', 'denied', 'open', 'all'])(
  'every list accepts the status filter %s',
  (status) => {
    for (const endpoint of [listOrganizationBypassRequests, listRepositoryBypassRequests, listPushRuleBypassRequests])
      expect(checkValue(endpoint.query.request_status, status).unknown).toEqual([]);
  },
);

test('push rules require “Organization Administration, write”', () => {
  expect(listPushRuleBypassRequests.permission).toBe('organization_administration=write');
});
