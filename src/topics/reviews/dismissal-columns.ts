/** Columns of requests to dismiss dependency alerts. */
import type { Column } from '../../output/table/columns.ts';
import type { DismissalRequest } from '../../platform/records.ts';
import { statusOf } from './requests.ts';

const dismissed = ({ data }: DismissalRequest) => data?.[0];

/** Returns the alert number, which identifies the request in other commands. */
export const alertNumber = (request: DismissalRequest): string | null =>
  dismissed(request)?.alert_number ?? request.resource_identifier;

export const dismissalColumns: readonly Column<DismissalRequest>[] = [
  { header: 'Repository', get: 'repository.name', as: 'name', priority: 1 },
  {
    header: 'Alert',
    get: alertNumber,
    priority: 1,
    link: true,
  },
  { header: 'Title', get: (request) => dismissed(request)?.alert_title, as: 'text', priority: 3 },
  { header: 'Reason', get: (request) => dismissed(request)?.reason, priority: 3 },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Status', get: statusOf, as: 'state', priority: 1 },
  { header: 'Age', get: 'created_at', as: 'age' },
  { header: 'Expires', get: 'expires_at', as: 'age', priority: 3 },
];
