import type { Column } from '../../output/columns.ts';
import type { DismissalRequest } from '../../platform/records.ts';

const dismissed = ({ data }: DismissalRequest) => data?.[0];

export const dismissalColumns: readonly Column<DismissalRequest>[] = [
  { header: 'Repository', get: 'repository.name' },
  { header: 'Alert', get: (request) => dismissed(request)?.alert_number ?? request.resource_identifier },
  { header: 'Title', get: (request) => dismissed(request)?.alert_title },
  { header: 'Reason', get: (request) => dismissed(request)?.reason },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Status', get: 'status' },
  { header: 'Age', get: 'created_at', as: 'age' },
  { header: 'Expires', get: 'expires_at', as: 'age' },
];
