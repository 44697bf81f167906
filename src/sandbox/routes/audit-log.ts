import * as endpoints from '../../platform/endpoints/audit-log.ts';
import type { AuditEvent } from '../../platform/records.ts';
import { type Continued, cursorPage } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { type App, type Call, route } from '../route.ts';
import { type AuditRecord, allEvents, isGit } from '../state/audit-log.ts';
import { auditFilter, operationOf } from '../state/audit-phrase.ts';

export function mountAuditLog(app: App): void {
  route(app, endpoints.listOrganizationAuditLog, ({ platform, organization, query, page }) =>
    eventPage(platform, ({ org }) => org === organization.login, query, page.perPage),
  );

  route(app, endpoints.listEnterpriseAuditLog, ({ platform, query, page }) =>
    eventPage(platform, () => true, query, page.perPage),
  );
}

type Wanted = Call<typeof endpoints.listEnterpriseAuditLog>['query'];

/** Returns a page of the events that match a query. */
function eventPage(
  platform: SandboxPlatform,
  isWithin: (event: AuditRecord) => boolean,
  { phrase = '', include = 'web', order, ...cursors }: Wanted,
  perPage: number,
): Continued<AuditEvent> {
  const matches = auditFilter(phrase);
  const matching = allEvents(platform).filter(
    (event) => isWithin(event) && (include === 'all' || isGit(event) === (include === 'git')) && matches(event),
  );
  const ordered = order === 'asc' ? matching.reverse() : matching;
  const view = (event: AuditRecord) => eventView(platform, event);
  return cursorPage(ordered, cursors, { perPage, resource: 'AuditLog', view });
}

const enterprise = { business: 'sandbox', business_id: 1 };

function eventView(
  { accounts }: SandboxPlatform,
  { id, time, action, actor, user: subject, org, repo }: AuditRecord,
): AuditEvent {
  const organization = org === undefined ? undefined : accounts.organization(org);
  const user = actor === undefined ? undefined : accounts.user(actor);
  return {
    '@timestamp': time,
    _document_id: id,
    action,
    ...(actor !== undefined && { actor }),
    ...(user && { actor_id: user.id, actor_location: { country_name: 'Norway' } }),
    ...enterprise,
    created_at: time,
    operation_type: operationOf(action),
    ...(subject !== undefined && { user: subject }),
    ...(organization && { org: organization.login, org_id: organization.id }),
    ...(repo !== undefined && { repo }),
  };
}
