import { endpoint, list } from '../endpoint.ts';
import type { AuditEvent } from '../records.ts';
import { oneOf, string } from '../schema.ts';

const query = {
  phrase: string('Only events that match this search, such as “action:repo.destroy actor:octocat”'),
  include: oneOf(['web', 'git', 'all'], 'Kinds of events', { default: 'web' }),
  order: oneOf(['desc', 'asc'], 'Order by time', { default: 'desc' }),
  after: string('Only events after this cursor, from a next link'),
  before: string('Only events before this cursor, from a next link'),
};

export const listOrganizationAuditLog = endpoint({
  route: 'GET /orgs/{org}/audit-log',
  summary: 'List the audit log of an organization, newest first',
  query,
  paging: 'cursor',
  permission: 'organization_administration=read',
  scopes: ['read:audit_log'],
  role: 'organization owner',
  answer: list<AuditEvent>(),
});

export const listEnterpriseAuditLog = endpoint({
  route: 'GET /enterprises/{enterprise}/audit-log',
  summary: 'List the audit log of an enterprise, newest first',
  query,
  paging: 'cursor',
  scopes: ['admin:enterprise', 'read:audit_log'],
  role: 'enterprise administrator',
  tokens: ['classic', 'oauth'],
  answer: list<AuditEvent>(),
});
