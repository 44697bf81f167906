/** The details of a request, for its reviewers. */
import type { Column } from '../../output/table/columns.ts';
import type { BypassRequest, DismissalRequest } from '../../platform/records.ts';
import { grouped } from '../detail-words.ts';
import { statusOf } from './requests.ts';

/** The fields shared by both kinds of requests. */
type ReviewRequest = Omit<DismissalRequest, 'data'>;

const request = [
  { header: 'Number', get: 'number', link: true },
  { header: 'Repository', get: 'repository.full_name' },
  { header: 'Status', get: statusOf, as: 'state' },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Comment', get: ({ requester_comment: comment }: ReviewRequest) => comment ?? undefined },
  { header: 'Created', get: 'created_at', as: 'age' },
  { header: 'Expires', get: 'expires_at', as: 'age' },
  { header: 'URL', get: 'html_url', link: true },
] as const;

function answers({ responses }: ReviewRequest): readonly object[] | undefined {
  if (!responses?.length) return undefined;
  return responses.map(({ id, reviewer, status, message, created_at: answered }) => ({
    reviewer: reviewer.actor_name,
    status,
    ...(message ? { message } : {}),
    answered,
    id,
  }));
}

const responses = [{ header: 'By', get: answers }] as const;

export const dismissalDetails: readonly Column<DismissalRequest>[] = [
  ...grouped<DismissalRequest>('Request', request),
  ...grouped<DismissalRequest>('Alert', [
    { header: 'Number', get: ({ data }) => data?.[0]?.alert_number },
    { header: 'Title', get: ({ data }) => data?.[0]?.alert_title },
    { header: 'Reason', get: ({ data }) => data?.[0]?.reason },
  ]),
  ...grouped<DismissalRequest>('Responses', responses),
];

export const bypassDetails: readonly Column<BypassRequest>[] = [
  ...grouped<BypassRequest>('Request', request),
  ...grouped<BypassRequest>('Push', [
    { header: 'Commit', get: ({ resource_identifier: sha }) => sha ?? undefined },
    { header: 'Secrets', get: ({ data }) => data ?? undefined },
  ]),
  ...grouped<BypassRequest>('Responses', responses),
];
