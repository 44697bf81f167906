/** The rule types of rulesets with their parameters and limits. Specification, Rule types and parameters. */
import * as v from 'valibot';
import { boolean, fields, integer, kinds, nested, oneOf, optional, string, strings } from './schema.ts';

/** A rule that takes no parameters. */
const plain = <const T extends string>(type: T, description: string) =>
  v.pipe(fields({ type: v.literal(type) }), v.description(description));

const rule = <const T extends string, const E extends v.ObjectEntries>(type: T, description: string, parameters: E) =>
  v.pipe(fields({ type: v.literal(type), parameters: fields(parameters) }), v.description(description));

const pattern = <const T extends string>(type: T, what: string) =>
  rule(type, `Require ${what} to match, or not to match, a pattern`, {
    operator: oneOf(['starts_with', 'ends_with', 'contains', 'regex'], 'Comparison operator'),
    pattern: string('Pattern'),
    name: optional(string('Display name of the rule', { mayBeEmpty: true })),
    negate: optional(boolean('Reject matches', { default: false })),
  });

/** The public platform returns this rule without parameters, as `{"type": "update"}`, and accepts that form too. */
const update = v.pipe(
  fields({
    type: v.literal('update'),
    parameters: optional(fields({ update_allows_fetch_and_merge: boolean('Allow branches to sync with upstream') })),
  }),
  v.description('Restrict updates of matching refs to bypass actors'),
);

const entries = (description: string) => integer(description, { min: 0, max: 100 });

const mergeQueue = rule('merge_queue', 'Require merges through a merge queue', {
  check_response_timeout_minutes: integer('Minutes before checks without a result count as failed', {
    min: 1,
    max: 360,
  }),
  grouping_strategy: oneOf(
    ['ALLGREEN', 'HEADGREEN'],
    'Whether every entry of a group must pass, or only the head commit',
  ),
  max_entries_to_build: entries('Maximum number of entries built at the same time'),
  max_entries_to_merge: entries('Maximum number of entries merged together'),
  merge_method: oneOf(['MERGE', 'SQUASH', 'REBASE'], 'Merge method'),
  min_entries_to_merge: entries('Minimum number of entries merged together'),
  min_entries_to_merge_wait_minutes: integer('Minutes to wait for the minimum number of entries', { min: 0, max: 360 }),
});

const pullRequest = rule('pull_request', 'Require changes to go through a pull request', {
  allowed_merge_methods: optional(
    nested(
      v.pipe(
        v.array(oneOf(['merge', 'squash', 'rebase'], 'Merge method'), 'must be a list'),
        v.minLength(1, 'must contain at least one of merge, squash, rebase'),
      ),
      'Allowed merge methods; at least one',
    ),
  ),
  dismiss_stale_reviews_on_push: boolean('Dismiss approvals when new commits are pushed'),
  dismissal_restriction: optional(
    nested(
      fields({
        enabled: boolean('Restrict who may dismiss reviews'),
        allowed_actors: optional(
          v.array(
            fields({
              id: integer('ID of the actor'),
              type: oneOf(['User', 'Team', 'IntegrationInstallation', 'RepositoryRole'], 'Actor type'),
            }),
            'must be a list',
          ),
        ),
      }),
      'Actors that may dismiss reviews',
    ),
  ),
  require_code_owner_review: boolean('Require approval from a code owner'),
  require_last_push_approval: boolean('Require approval from someone other than the last pusher'),
  required_approving_review_count: integer('Number of required approvals', { min: 0, max: 10 }),
  required_review_thread_resolution: boolean('Require all conversations to be resolved'),
  required_reviewers: optional(
    nested(
      v.array(
        fields({
          file_patterns: strings('Patterns of the files to review, in fnmatch syntax'),
          minimum_approvals: integer('Number of required approvals from the reviewer', { min: 0 }),
          reviewer: nested(v.record(v.string(), v.unknown(), 'must be an object'), 'Reviewer'),
        }),
        'must be a list',
      ),
      'Required reviewers by file pattern (beta)',
    ),
  ),
});

const requiredStatusChecks = rule('required_status_checks', 'Require status checks to pass', {
  required_status_checks: nested(
    v.array(
      fields({
        context: string('Name of the status check'),
        integration_id: optional(integer('ID of the app that must report the check')),
      }),
      'must be a list',
    ),
    'Required status checks',
  ),
  strict_required_status_checks_policy: boolean('Require branches to be up to date before merging'),
  do_not_enforce_on_create: optional(boolean('Allow branch creation without the checks', { default: false })),
});

const workflows = rule('workflows', 'Require workflows to pass', {
  workflows: nested(
    v.array(
      fields({
        path: string('Path of the workflow file'),
        repository_id: integer('ID of the repository with the workflow', { min: 1 }),
        ref: optional(string('Branch or tag of the workflow file')),
        sha: optional(string('Commit SHA of the workflow file')),
      }),
      'must be a list',
    ),
    'Required workflows',
  ),
  do_not_enforce_on_create: optional(boolean('Allow branch creation without the workflows', { default: false })),
});

const codeScanning = rule('code_scanning', 'Require code scanning results below the thresholds', {
  code_scanning_tools: nested(
    v.array(
      fields({
        tool: string('Name of the code scanning tool'),
        alerts_threshold: oneOf(['none', 'errors', 'errors_and_warnings', 'all'], 'Alert level that blocks a merge'),
        security_alerts_threshold: oneOf(
          ['none', 'critical', 'high_or_higher', 'medium_or_higher', 'all'],
          'Security alert level that blocks a merge',
        ),
      }),
      'must be a list',
    ),
    'Required code scanning tools',
  ),
});

/** A rule of a ruleset. Unknown types are not an error, because a newer platform may support them. */
export const rulesetRule = kinds(
  'type',
  [
    plain('creation', 'Restrict creation of matching refs to bypass actors'),
    update,
    plain('deletion', 'Restrict deletion of matching refs to bypass actors'),
    plain('required_linear_history', 'Require a linear history without merge commits'),
    plain('required_signatures', 'Require signed commits'),
    plain('non_fast_forward', 'Block force pushes'),
    mergeQueue,
    rule('required_deployments', 'Require deployments to succeed before merging', {
      required_deployment_environments: strings('Environments with a required deployment'),
    }),
    pullRequest,
    requiredStatusChecks,
    pattern('commit_message_pattern', 'commit messages'),
    pattern('commit_author_email_pattern', 'author email addresses'),
    pattern('committer_email_pattern', 'committer email addresses'),
    pattern('branch_name_pattern', 'branch names'),
    pattern('tag_name_pattern', 'tag names'),
    workflows,
    codeScanning,
    rule('file_path_restriction', 'Block pushes of files with certain paths', {
      restricted_file_paths: strings('Restricted file paths'),
    }),
    rule('max_file_path_length', 'Limit the length of file paths', {
      max_file_path_length: integer('Maximum number of characters', { min: 1, max: 32_767 }),
    }),
    rule('file_extension_restriction', 'Block pushes of files with certain extensions', {
      restricted_file_extensions: strings('Restricted file extensions'),
    }),
    rule('max_file_size', 'Limit the size of pushed files', {
      max_file_size: integer('Maximum size in megabytes', { min: 1, max: 100 }),
    }),
  ],
  { unknown: 'is not a known rule type', isOpen: true },
);

/** The rule types that this version knows. */
export const ruleTypes: ReadonlySet<string> = new Set(
  rulesetRule.pipe[0].options.map(({ entries }) => entries.type.literal),
);
