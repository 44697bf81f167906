import * as endpoints from '../../platform/endpoints/audit-log.ts';
import type { AuditEvent } from '../../platform/records.ts';
import { invalid } from '../../platform/validate.ts';
import type { Continued } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { validationFailed } from '../refusals.ts';
import { type App, route } from '../route.ts';
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

interface Wanted {
  readonly phrase?: string | undefined;
  readonly include?: 'web' | 'git' | 'all' | undefined;
  readonly order?: 'desc' | 'asc' | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

/** The page after or before a cursor; the link to the next page carries the cursor. */
function eventPage(
  platform: SandboxPlatform,
  isWithin: (event: AuditRecord) => boolean,
  { phrase = '', include = 'web', order, after, before }: Wanted,
  perPage: number,
): Continued<AuditEvent> {
  const matches = auditFilter(phrase);
  const matching = allEvents(platform).filter(
    (event) => isWithin(event) && (include === 'all' || isGit(event) === (include === 'git')) && matches(event),
  );
  const ordered = order === 'asc' ? matching.reverse() : matching;
  const last = place(ordered, 'before', before) ?? ordered.length;
  const start =
    after === undefined
      ? before === undefined
        ? 0
        : Math.max(0, last - perPage)
      : (place(ordered, 'after', after) ?? 0) + 1;
  const end = Math.min(start + perPage, last);
  const shown = ordered.slice(start, end);
  const elements = shown.map((event) => eventView(platform, event));
  const final = shown.at(-1);
  return final && end < ordered.length ? { elements, next: { after: cursor(final) } } : { elements };
}

const cursor = ({ id }: AuditRecord): string => Buffer.from(`audit:${id}`).toString('base64url');

function place(events: readonly AuditRecord[], name: string, wanted: string | undefined): number | undefined {
  if (wanted === undefined) return undefined;
  const found = events.findIndex((event) => cursor(event) === wanted);
  if (found < 0) throw validationFailed('AuditLog', [invalid(name, 'is not a cursor of this list')]);
  return found;
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
