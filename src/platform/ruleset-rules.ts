/** The rules that a ruleset can hold: each type with its parameters and their limits. Specification, Rule types and parameters. */
import * as v from 'valibot';
import { boolean, fields, integer, kinds, nested, oneOf, optional, string, strings } from './schema.ts';

/** A rule that takes no parameters. */
const plain = <const T extends string>(type: T, description: string) =>
  v.pipe(fields({ type: v.literal(type) }), v.description(description));

const rule = <const T extends string, const E extends v.ObjectEntries>(type: T, description: string, parameters: E) =>
  v.pipe(fields({ type: v.literal(type), parameters: fields(parameters) }), v.description(description));

const pattern = <const T extends string>(type: T, what: string) =>
  rule(type, `${what} must match, or must not match, a pattern`, {
    operator: oneOf(['starts_with', 'ends_with', 'contains', 'regex'], 'How the pattern is compared'),
    pattern: string('The pattern'),
    name: optional(string('How the rule appears to people', { mayBeEmpty: true })),
    negate: optional(boolean('Refuse what matches', { default: false })),
  });

/** The public platform answers this rule without parameters, as `{"type": "update"}`: what it answers can be sent back. */
const update = v.pipe(
  fields({
    type: v.literal('update'),
    parameters: optional(
      fields({ update_allows_fetch_and_merge: boolean('Branches may be brought up to date from upstream') }),
    ),
  }),
  v.description('Only those who may bypass can update matching refs'),
);

const entries = (description: string) => integer(description, { min: 0, max: 100 });

const mergeQueue = rule('merge_queue', 'Merges go through a merge queue', {
  check_response_timeout_minutes: integer('Minutes until checks that have not reported count as failed', {
    min: 1,
    max: 360,
  }),
  grouping_strategy: oneOf(['ALLGREEN', 'HEADGREEN'], 'Whether every entry of a group must pass, or only its head'),
  max_entries_to_build: entries('Entries that are built at the same time, at most'),
  max_entries_to_merge: entries('Entries that are merged together, at most'),
  merge_method: oneOf(['MERGE', 'SQUASH', 'REBASE'], 'How entries are merged'),
  min_entries_to_merge: entries('Entries that are merged together, at least'),
  min_entries_to_merge_wait_minutes: integer('Minutes to wait for the least number of entries', { min: 0, max: 360 }),
});

const pullRequest = rule('pull_request', 'Changes come by pull request', {
  allowed_merge_methods: optional(
    nested(
      v.pipe(
        v.array(oneOf(['merge', 'squash', 'rebase'], 'Merge method'), 'must be a list'),
        v.minLength(1, 'must name at least one of merge, squash, rebase'),
      ),
      'Ways to merge a pull request; at least one',
    ),
  ),
  dismiss_stale_reviews_on_push: boolean('New commits dismiss earlier approvals'),
  dismissal_restriction: optional(
    nested(
      fields({
        enabled: boolean('Only the allowed actors may dismiss reviews'),
        allowed_actors: optional(
          v.array(
            fields({
              id: integer('Id of the actor'),
              type: oneOf(['User', 'Team', 'IntegrationInstallation', 'RepositoryRole'], 'Kind of actor'),
            }),
            'must be a list',
          ),
        ),
      }),
      'Who may dismiss reviews',
    ),
  ),
  require_code_owner_review: boolean('A code owner must approve'),
  require_last_push_approval: boolean('Someone else than the last pusher must approve'),
  required_approving_review_count: integer('Approvals that are needed', { min: 0, max: 10 }),
  required_review_thread_resolution: boolean('All conversations must be resolved'),
  required_reviewers: optional(
    nested(
      v.array(
        fields({
          file_patterns: strings('Files that the reviewers answer for, in fnmatch syntax'),
          minimum_approvals: integer('Approvals that are needed from them', { min: 0 }),
          reviewer: nested(v.record(v.string(), v.unknown(), 'must be an object'), 'Who reviews'),
        }),
        'must be a list',
      ),
      'Reviewers of certain files (beta)',
    ),
  ),
});

const requiredStatusChecks = rule('required_status_checks', 'Status checks must pass', {
  required_status_checks: nested(
    v.array(
      fields({
        context: string('Name of the check'),
        integration_id: optional(integer('Id of the app that must report it')),
      }),
      'must be a list',
    ),
    'Checks that must pass',
  ),
  strict_required_status_checks_policy: boolean('Branches must be up to date before they are merged'),
  do_not_enforce_on_create: optional(boolean('Branches can be created without the checks', { default: false })),
});

const workflows = rule('workflows', 'Workflows must pass', {
  workflows: nested(
    v.array(
      fields({
        path: string('Path of the workflow file'),
        repository_id: integer('Id of the repository that holds it', { min: 1 }),
        ref: optional(string('Branch or tag to take it from')),
        sha: optional(string('Commit to take it from')),
      }),
      'must be a list',
    ),
    'Workflows that must pass',
  ),
  do_not_enforce_on_create: optional(boolean('Branches can be created without them', { default: false })),
});

const codeScanning = rule('code_scanning', 'Code scanning must find nothing worse than the thresholds', {
  code_scanning_tools: nested(
    v.array(
      fields({
        tool: string('Name of the tool'),
        alerts_threshold: oneOf(['none', 'errors', 'errors_and_warnings', 'all'], 'Alerts that block a merge'),
        security_alerts_threshold: oneOf(
          ['none', 'critical', 'high_or_higher', 'medium_or_higher', 'all'],
          'Security alerts that block a merge',
        ),
      }),
      'must be a list',
    ),
    'Tools that must report',
  ),
});

/** One rule of a ruleset. A type that is not among these is not an error: a newer platform may know it. */
export const rulesetRule = kinds(
  'type',
  [
    plain('creation', 'Only those who may bypass can create matching refs'),
    update,
    plain('deletion', 'Only those who may bypass can delete matching refs'),
    plain('required_linear_history', 'No merge commits'),
    plain('required_signatures', 'Commits must be signed'),
    plain('non_fast_forward', 'No force pushes'),
    mergeQueue,
    rule('required_deployments', 'Deployments must succeed before a merge', {
      required_deployment_environments: strings('Environments that must have been deployed to'),
    }),
    pullRequest,
    requiredStatusChecks,
    pattern('commit_message_pattern', 'Commit messages'),
    pattern('commit_author_email_pattern', 'Email addresses of authors'),
    pattern('committer_email_pattern', 'Email addresses of committers'),
    pattern('branch_name_pattern', 'Branch names'),
    pattern('tag_name_pattern', 'Tag names'),
    workflows,
    codeScanning,
    rule('file_path_restriction', 'Certain files cannot be pushed', {
      restricted_file_paths: strings('Paths of the files'),
    }),
    rule('max_file_path_length', 'Paths of pushed files cannot be longer', {
      max_file_path_length: integer('Characters at most', { min: 1, max: 32_767 }),
    }),
    rule('file_extension_restriction', 'Files with certain extensions cannot be pushed', {
      restricted_file_extensions: strings('Extensions of the files'),
    }),
    rule('max_file_size', 'Pushed files cannot be larger', {
      max_file_size: integer('Megabytes at most', { min: 1, max: 100 }),
    }),
  ],
  { unknown: 'is not a rule type that this version knows', isOpen: true },
);
