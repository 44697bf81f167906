/** Columns of requests to bypass push protection and push rules. */
import type { Column } from '../../output/table/columns.ts';
import type { BypassRequest, PushRuleBypassRequest } from '../../platform/records.ts';
import { statusOf } from './requests.ts';

/** Returns the distinct values of a request's items. */
const each = <T>(data: readonly T[] | null, value: (datum: T) => string | number) => [
  ...new Set((data ?? []).map(value)),
];

const branchName = (ref: string) => ref.replace(/^refs\/heads\//, '');

export const bypassColumns: readonly Column<BypassRequest>[] = [
  { header: 'Repository', get: 'repository.name', as: 'name', priority: 1 },
  { header: 'Number', get: 'number', priority: 1, link: true },
  { header: 'Secret type', get: ({ data }) => each(data, (secret) => secret.secret_type).join(', '), as: 'text' },
  { header: 'File', get: ({ data }) => each(data, (secret) => secret.path).join(', '), as: 'text', priority: 3 },
  {
    header: 'Branch',
    get: ({ data }) => each(data, (secret) => branchName(secret.branch)).join(', '),
    as: 'text',
    priority: 3,
  },
  { header: 'Requester', get: 'requester.actor_name' },
  {
    header: 'Reason',
    get: ({ data }) => each(data, (secret) => secret.bypass_reason).join(', '),
    as: 'text',
    priority: 3,
  },
  { header: 'Status', get: statusOf, as: 'state', priority: 1 },
  { header: 'Age', get: 'created_at', as: 'age' },
];

export const pushRuleBypassColumns: readonly Column<PushRuleBypassRequest>[] = [
  { header: 'Repository', get: 'repository.name', as: 'name', priority: 1 },
  { header: 'Number', get: 'number', priority: 1, link: true },
  { header: 'Ruleset', get: ({ data }) => each(data, (rule) => rule.ruleset_name).join(', '), as: 'text' },
  { header: 'Rule', get: ({ data }) => each(data, (rule) => rule.rule_type).join(', '), as: 'text' },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Comment', get: 'requester_comment', as: 'text', priority: 3 },
  { header: 'Status', get: statusOf, as: 'state', priority: 1 },
  { header: 'Age', get: 'created_at', as: 'age' },
];
