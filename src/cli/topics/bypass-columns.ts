import type { Column } from '../../output/columns.ts';
import type { BypassRequest, PushRuleBypassRequest } from '../../platform/records.ts';

/** What a request says of all that it is about, each thing once. */
const each = <T>(data: readonly T[] | null, value: (datum: T) => string | number) => [
  ...new Set((data ?? []).map(value)),
];

const branchName = (ref: string) => ref.replace(/^refs\/heads\//, '');

export const bypassColumns: readonly Column<BypassRequest>[] = [
  { header: 'Repository', get: 'repository.name' },
  { header: 'Number', get: 'number' },
  { header: 'Secret type', get: ({ data }) => each(data, (secret) => secret.secret_type).join(', ') },
  { header: 'File', get: ({ data }) => each(data, (secret) => secret.path).join(', ') },
  { header: 'Branch', get: ({ data }) => each(data, (secret) => branchName(secret.branch)).join(', ') },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Reason', get: ({ data }) => each(data, (secret) => secret.bypass_reason).join(', ') },
  { header: 'Status', get: 'status' },
  { header: 'Age', get: 'created_at', as: 'age' },
];

export const pushRuleBypassColumns: readonly Column<PushRuleBypassRequest>[] = [
  { header: 'Repository', get: 'repository.name' },
  { header: 'Number', get: 'number' },
  { header: 'Ruleset', get: ({ data }) => each(data, (rule) => rule.ruleset_name).join(', ') },
  { header: 'Rule', get: ({ data }) => each(data, (rule) => rule.rule_type).join(', ') },
  { header: 'Requester', get: 'requester.actor_name' },
  { header: 'Comment', get: 'requester_comment' },
  { header: 'Status', get: 'status' },
  { header: 'Age', get: 'created_at', as: 'age' },
];
