import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchPullRequest = defaultBranchRule({
  id: 'default-branch-pull-request',
  severity: 'high',
  title: 'Changes to the default branch require a pull request',
  description:
    'Without this rule, everyone with write access can push to the default branch directly. A merge queue requires pull requests, too.',
  documents: ruleDocuments,
  maps: {
    legitify: ['missing_default_branch_protection', 'pushes_are_not_restricted'],
    steampipe: ['cis_supply_chain_v100_1_1_15'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['pull_request', 'merge_queue'] },
  missing: 'accepts pushes without a pull request',
  fix: { name: 'Pull requests for the default branch', rule: pullRequestRule() },
});
