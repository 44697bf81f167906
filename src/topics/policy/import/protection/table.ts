/** The keys of classic protection in the tables of formats. */
import type { KeyTranslation } from '../model.ts';

type Row = readonly [
  request: string | undefined,
  terraform: string | undefined,
  policy: string | undefined,
  note: string,
];

const reviews = 'required_pull_request_reviews';
const checks = 'required_status_checks';
const forcePushers = 'bypass_force_push_allowances';
const type = 'rules[*].type';
const parameters = 'rules[*].parameters';
const bypass = 'bypass_actors[]';
const actors = 'user:LOGIN, team:SLUG or app:SLUG';

/** The keys of classic protection, with those of Terraform’s `github_branch_protection` and those of a ruleset. */
const rows: readonly Row[] = [
  [
    'enforce_admins',
    'enforce_admins',
    bypass,
    'role:admin if false; non_fast_forward and deletion are then another ruleset; no effect without other rules',
  ],
  ['allow_force_pushes', 'allows_force_pushes', type, 'non_fast_forward if false'],
  ['allow_deletions', 'allows_deletions', type, 'deletion if false'],
  ['required_linear_history', 'required_linear_history', type, 'required_linear_history if true'],
  ['required_signatures', 'require_signed_commits', type, 'required_signatures if true'],
  ['lock_branch', 'lock_branch', type, 'update if true'],
  ['allow_fork_syncing', undefined, `${parameters}.update_allows_fetch_and_merge`, 'With lock_branch'],
  [reviews, reviews, type, 'pull_request unless null'],
  [
    `${reviews}.required_approving_review_count`,
    `${reviews}.required_approving_review_count`,
    `${parameters}.required_approving_review_count`,
    '',
  ],
  [
    `${reviews}.dismiss_stale_reviews`,
    `${reviews}.dismiss_stale_reviews`,
    `${parameters}.dismiss_stale_reviews_on_push`,
    '',
  ],
  [
    `${reviews}.require_code_owner_reviews`,
    `${reviews}.require_code_owner_reviews`,
    `${parameters}.require_code_owner_review`,
    '',
  ],
  [
    `${reviews}.require_last_push_approval`,
    `${reviews}.require_last_push_approval`,
    `${parameters}.require_last_push_approval`,
    '',
  ],
  [
    'required_conversation_resolution',
    'require_conversation_resolution',
    `${parameters}.required_review_thread_resolution`,
    'With required_pull_request_reviews',
  ],
  [
    `${reviews}.dismissal_restrictions.*[]`,
    `${reviews}.dismissal_restrictions[]`,
    `${parameters}.dismissal_restriction.allowed_actors[].id`,
    'user:LOGIN or team:SLUG',
  ],
  [
    `${reviews}.dismissal_restrictions.apps[]`,
    undefined,
    undefined,
    'Apps that may dismiss reviews are declared by ID',
  ],
  [undefined, `${reviews}.restrict_dismissals`, `${parameters}.dismissal_restriction.enabled`, ''],
  [`${reviews}.bypass_pull_request_allowances.*[]`, `${reviews}.pull_request_bypassers[]`, bypass, actors],
  [`${checks}.checks[].context`, undefined, `${parameters}.required_status_checks[].context`, ''],
  [
    `${checks}.checks[].app_id`,
    undefined,
    `${parameters}.required_status_checks[].integration_id`,
    'Absent for any app',
  ],
  [`${checks}.contexts[]`, `${checks}.contexts[]`, `${parameters}.required_status_checks[].context`, ''],
  [
    `${checks}.strict`,
    `${checks}.strict`,
    `${parameters}.strict_required_status_checks_policy`,
    'With at least one check; no effect without',
  ],
  ['restrictions', 'restrict_pushes', type, 'update unless null'],
  ['restrictions.*[]', 'restrict_pushes.push_allowances[]', bypass, actors],
  [undefined, 'push_restrictions[]', bypass, actors],
  [
    'block_creations',
    'restrict_pushes.blocks_creations',
    type,
    'creation if true and pushes are restricted; no effect otherwise',
  ],
  [undefined, 'blocks_creations', type, 'creation if true and pushes are restricted; no effect otherwise'],
  [`${forcePushers}.*[]`, 'force_push_bypassers[]', bypass, actors],
];

/** Returns the table of classic protection at a path of a source, in the form of the request or of Terraform. */
export const protectionKeys = (prefix: string, form: 'request' | 'terraform'): readonly KeyTranslation[] =>
  rows.flatMap(([request, terraform, policy, note]): KeyTranslation[] => {
    const key = form === 'request' ? request : terraform;
    if (key === undefined) return [];
    return [
      {
        key: `${prefix}${key}`,
        ...(policy !== undefined && { policy: `repositories[*].rulesets[*].${policy}` }),
        ...(note && { note }),
      },
    ];
  });
