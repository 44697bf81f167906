/** The effects of changes of rulesets, with the sentences of the platform’s API description. */
import { effectRows } from '../live/effects.ts';

const matched = 'The pattern to match with. … If true, the rule will fail if the pattern matches.';

export const rulesetEffects = effectRows({
  neutral: { name: 'The name of the ruleset.' },
  // What it was enforced for is no longer protected.
  'changed loosens': { target: 'The target of the ruleset' },
  'disabled < evaluate < active': {
    enforcement: 'The enforcement level of the ruleset. `evaluate` allows admins to test rules before enforcing them.',
  },
  'exempt < always < pull_request': {
    'bypass_actors[].bypass_mode':
      '`pull_request` means that an actor can only bypass rules on pull requests. … When `bypass_mode` is `exempt`, rules will not be run for that actor and a bypass audit entry will not be created.',
  },
  'HEADGREEN < ALLGREEN': {
    'rules[merge_queue].parameters.grouping_strategy':
      'When set to ALLGREEN, the merge commit created by merge queue for each PR in the group must pass all required checks to merge.',
  },
  'none < errors < errors_and_warnings < all': {
    'rules[code_scanning].parameters.code_scanning_tools[].alerts_threshold':
      'The severity level at which code scanning results that raise alerts block a reference update.',
  },
  'none < critical < high_or_higher < medium_or_higher < all': {
    'rules[code_scanning].parameters.code_scanning_tools[].security_alerts_threshold':
      'The severity level at which code scanning results that raise security alerts block a reference update.',
  },
  'added loosens': {
    'bypass_actors[]': 'An actor that can bypass rules in a ruleset',
    'conditions.ref_name.exclude[]':
      'Array of ref names or patterns to exclude. The condition will not pass if any of these patterns match.',
    'conditions.repository_name.exclude[]':
      'Array of repository names or patterns to exclude. The condition will not pass if any of these patterns match.',
    'conditions.repository_property.include[]':
      'The repository properties and values to include. All of these properties must match for the condition to pass.',
    'conditions.repository_property.exclude[]':
      'The repository properties and values to exclude. The condition will not pass if any of these properties match.',
    'rules[pull_request].parameters.allowed_merge_methods[]':
      'Array of allowed merge methods. Allowed values include `merge`, `squash`, and `rebase`.',
    'rules[pull_request].parameters.dismissal_restriction.allowed_actors[]':
      'Specify people, teams, or apps allowed to dismiss pull request reviews.',
  },
  'added tightens': {
    'conditions.ref_name.include[]':
      'Array of ref names or patterns to include. One of these patterns must match for the condition to pass.',
    'conditions.repository_name.include[]':
      'Array of repository names or patterns to include. One of these patterns must match for the condition to pass.',
    'conditions.repository_id.repository_ids[]':
      'The repository IDs that the ruleset applies to. One of these IDs must match for the condition to pass.',
    'rules[creation]': 'Only allow users with bypass permission to create matching refs.',
    'rules[update]': 'Only allow users with bypass permission to update matching refs.',
    'rules[deletion]': 'Only allow users with bypass permissions to delete matching refs.',
    'rules[required_linear_history]': 'Prevent merge commits from being pushed to matching refs.',
    'rules[required_signatures]': 'Commits pushed to matching refs must have verified signatures.',
    'rules[non_fast_forward]': 'Prevent users with push access from force pushing to refs.',
    'rules[merge_queue]': 'Merges must be performed via a merge queue.',
    'rules[required_deployments]':
      'Choose which environments must be successfully deployed to before refs can be pushed into a ref that matches this rule.',
    'rules[required_deployments].parameters.required_deployment_environments[]':
      'The environments that must be successfully deployed to before branches can be merged.',
    'rules[pull_request]':
      'Require all commits be made to a non-target branch and submitted via a pull request before they can be merged.',
    'rules[pull_request].parameters.required_reviewers[]':
      'A reviewing team, and file patterns describing which files they must approve changes to.',
    'rules[required_status_checks]': 'Choose which status checks must pass before the ref is updated.',
    'rules[required_status_checks].parameters.required_status_checks[]': 'Status checks that are required.',
    'rules[commit_message_pattern]': matched,
    'rules[commit_author_email_pattern]': matched,
    'rules[committer_email_pattern]': matched,
    'rules[branch_name_pattern]': matched,
    'rules[tag_name_pattern]': matched,
    'rules[workflows]':
      'Require all changes made to a targeted branch to pass the specified workflows before they can be merged.',
    'rules[workflows].parameters.workflows[]': 'Workflows that must pass for this rule to pass.',
    'rules[code_scanning]': 'Choose which tools must provide code scanning results before the reference is updated.',
    'rules[code_scanning].parameters.code_scanning_tools[]':
      'Tools that must provide code scanning results for this rule to pass.',
    'rules[file_path_restriction]':
      'Prevent commits that include changes in specified file and folder paths from being pushed to the commit graph.',
    'rules[file_path_restriction].parameters.restricted_file_paths[]':
      'The file paths that are restricted from being pushed to the commit graph.',
    'rules[max_file_path_length]':
      'Prevent commits that include file paths that exceed the specified character limit from being pushed to the commit graph.',
    'rules[file_extension_restriction]':
      'Prevent commits that include files with specified file extensions from being pushed to the commit graph.',
    'rules[file_extension_restriction].parameters.restricted_file_extensions[]':
      'The file extensions that are restricted from being pushed to the commit graph.',
    'rules[max_file_size]':
      'Prevent commits with individual files that exceed the specified limit from being pushed to the commit graph.',
    // Rules of unknown types.
    'rules[]': 'Rulesets help you to control how people can interact with branches and tags in a repository.',
  },
  'larger loosens': {
    'rules[max_file_path_length].parameters.max_file_path_length':
      'The maximum amount of characters allowed in file paths.',
    'rules[max_file_size].parameters.max_file_size': 'The maximum file size allowed in megabytes.',
  },
  'larger tightens': {
    'rules[pull_request].parameters.required_approving_review_count':
      'The number of approving reviews that are required before a pull request can be merged.',
  },
  'true loosens': {
    'rules[update].parameters.update_allows_fetch_and_merge': 'Branch can pull changes from its upstream repository',
    'rules[required_status_checks].parameters.do_not_enforce_on_create':
      'Allow repositories and branches to be created if a check would otherwise prohibit it.',
    'rules[workflows].parameters.do_not_enforce_on_create':
      'Allow repositories and branches to be created if a check would otherwise prohibit it.',
  },
  'true tightens': {
    'conditions.repository_name.protected': 'Whether renaming of target repositories is prevented.',
    'rules[pull_request].parameters.dismiss_stale_reviews_on_push':
      'New, reviewable commits pushed will dismiss previous pull request review approvals.',
    'rules[pull_request].parameters.dismissal_restriction.enabled':
      'Whether to restrict review dismissal to specific actors.',
    'rules[pull_request].parameters.require_code_owner_review':
      'Require an approving review in pull requests that modify files that have a designated code owner.',
    'rules[pull_request].parameters.require_last_push_approval':
      'Whether the most recent reviewable push must be approved by someone other than the person who pushed it.',
    'rules[pull_request].parameters.required_review_thread_resolution':
      'All conversations on code must be resolved before a pull request can be merged.',
    'rules[required_status_checks].parameters.strict_required_status_checks_policy':
      'Whether pull requests targeting a matching branch must be tested with the latest code.',
  },
});
