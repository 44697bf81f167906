import { expect, test } from 'vitest';
import * as endpoints from '../../../src/platform/endpoints/dismissals.ts';
import { checkBody, checkValue } from '../../../src/platform/validate.ts';

const { createDismissal, listOrganizationDismissals, listRepositoryDismissals, reviewDismissal } = endpoints;
const said = (problems: readonly { field: string; message: string }[]) =>
  problems.map(({ field, message }) => `${field} ${message}`);

test.each(['fix_started', 'no_bandwidth', 'tolerable_risk', 'inaccurate', 'not_used'])(
  'an alert may be dismissed with the reason %s, with or without a comment',
  (dismissed_reason) => {
    expect(checkBody(createDismissal, { dismissed_reason })).toEqual({ problems: [], unknown: [] });
    expect(checkBody(createDismissal, { dismissed_reason, dismissed_comment: 'Only in tests' }).problems).toEqual([]);
  },
);

test('a reason is required: “dismissed_reason string required”', () => {
  expect(said(checkBody(createDismissal, { dismissed_comment: 'Only in tests' }).problems)).toEqual([
    'dismissed_reason is required',
  ]);
});

test('a review requires a decision and a message: “status* approve|deny, message* ≤2048”', () => {
  expect(said(checkBody(reviewDismissal, {}).problems)).toEqual(['status is required', 'message is required']);
  for (const status of ['approve', 'deny'])
    expect(checkBody(reviewDismissal, { status, message: 'x'.repeat(2048) })).toEqual({ problems: [], unknown: [] });
  expect(said(checkBody(reviewDismissal, { status: 'deny', message: 'x'.repeat(2049) }).problems)).toEqual([
    'message must be at most 2048 characters',
  ]);
});

test('a dismissal rejects the word that bypass requests use for no', () => {
  expect(said(checkBody(reviewDismissal, { status: 'reject', message: 'No' }).unknown)).toEqual([
    'status must be one of approve, deny',
  ]);
});

test('statuses differ: an organization also has completed and cancelled', () => {
  const known = (endpoint: typeof listOrganizationDismissals | typeof listRepositoryDismissals, word: string) =>
    checkValue(endpoint.query.request_status, word).unknown.length === 0;
  for (const word of ['approved', 'expired', 'denied', 'open', 'all'])
    expect([known(listOrganizationDismissals, word), known(listRepositoryDismissals, word)]).toEqual([true, true]);
  for (const word of ['completed', 'cancelled'])
    expect([known(listOrganizationDismissals, word), known(listRepositoryDismissals, word)]).toEqual([true, false]);
});

test('only an organization’s list has a repository filter', () => {
  expect(Object.keys(listOrganizationDismissals.query)).toContain('repository_name');
  expect(Object.keys(listRepositoryDismissals.query)).not.toContain('repository_name');
});

test('classic tokens need “scope security_events” for all endpoints', () => {
  for (const endpoint of Object.values(endpoints)) expect(endpoint.scopes).toEqual(['security_events']);
});
