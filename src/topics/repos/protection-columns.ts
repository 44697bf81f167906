/** Columns of classic branch protection, and of the ruleset that says the same. */
import type { ProtectionAsRuleset } from '../../foresight/classic-protection.ts';
import type { Column } from '../../output/table/columns.ts';
import type { BranchProtection } from '../../platform/records.ts';
import { allowed, booleanLabel } from '../detail-words.ts';

export const protectionColumns: readonly Column<BranchProtection>[] = [
  { header: 'Status checks', get: 'required_status_checks.contexts' },
  { header: 'Branch up to date', get: 'required_status_checks.strict' },
  { header: 'Approvals', get: 'required_pull_request_reviews.required_approving_review_count' },
  {
    header: 'Stale approvals',
    get: ({ required_pull_request_reviews: reviews }) =>
      booleanLabel(reviews?.dismiss_stale_reviews, 'dismissed', 'kept'),
  },
  { header: 'Code owners', get: 'required_pull_request_reviews.require_code_owner_reviews' },
  { header: 'Last push approved', get: 'required_pull_request_reviews.require_last_push_approval' },
  { header: 'Conversations resolved', get: 'required_conversation_resolution.enabled' },
  { header: 'Signed commits', get: 'required_signatures.enabled' },
  { header: 'Linear history', get: 'required_linear_history.enabled' },
  { header: 'Force pushes', get: ({ allow_force_pushes: may }) => allowed(may?.enabled) },
  { header: 'Deletion', get: ({ allow_deletions: may }) => allowed(may?.enabled) },
  { header: 'Read-only', get: 'lock_branch.enabled' },
  { header: 'May push', get: pushers },
  {
    header: 'Administrators',
    get: ({ enforce_admins: bound }) => booleanLabel(bound?.enabled, 'included', 'may bypass'),
  },
];

/** Returns who may push, or nothing for a branch that all writers may push to. */
function pushers({ restrictions }: BranchProtection): string[] | undefined {
  if (!restrictions) return undefined;
  const { users, teams, apps } = restrictions;
  const names = [
    ...users.map(({ login }) => login),
    ...teams.map(({ slug }) => `team ${slug}`),
    ...apps.map((app) => `app ${app?.slug}`),
  ];
  return names.length > 0 ? names.map(String) : ['nobody'];
}

export const translationColumns: readonly Column<ProtectionAsRuleset>[] = [
  { header: 'Name', get: 'ruleset.name' },
  { header: 'Refs', get: ({ ruleset }) => ruleset.conditions.ref_name.include },
  { header: 'Bypass actors', get: ({ ruleset }) => ruleset.bypass_actors },
  { header: 'Rules', get: ({ ruleset }) => ruleset.rules },
  { header: 'Not in the ruleset', get: ({ losses }) => losses },
];
