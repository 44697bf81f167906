import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';
import { flagIn } from '../../effective-protection.ts';

export const defaultBranchStaleApprovals = defaultBranchRule({
  id: 'default-branch-stale-approvals',
  severity: 'medium',
  title: 'New commits dismiss approvals of pull requests',
  description: 'Otherwise, commits that nobody has seen can be added to a pull request after its approval.',
  documents: ruleDocuments,
  maps: {
    legitify: ['dismisses_stale_reviews'],
    steampipe: ['cis_supply_chain_v100_1_1_4'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['pull_request'], isStrict: flagIn('dismiss_stale_reviews_on_push'), onMerge: true },
  missing: 'keeps approvals when new commits are pushed to a pull request',
  fix: { name: 'Dismiss stale approvals', rule: pullRequestRule({ dismiss_stale_reviews_on_push: true }) },
});
