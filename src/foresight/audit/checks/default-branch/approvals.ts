import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchApprovals = defaultBranchRule({
  id: 'default-branch-approvals',
  severity: 'high',
  title: 'Pull requests require approvals',
  description:
    'Without a required approval, everyone with write access can merge their own pull requests: a single stolen account changes the default branch.',
  documents: ruleDocuments,
  maps: {
    legitify: ['code_review_not_required', 'code_review_by_two_members_not_required'],
    steampipe: ['cis_supply_chain_v100_1_1_3'],
    scorecard: ['Branch-Protection'],
  },
  thresholds: { least: { default: 1, least: 1, description: 'Minimum number of required approvals' } },
  requirement: ({ least = 1 }) => ({
    types: ['pull_request'],
    isStrict: ({ required_approving_review_count: count }) => (typeof count === 'number' ? count >= least : undefined),
    onMerge: true,
  }),
  missing: ({ least }) => `does not require ${least} approval${least === 1 ? '' : 's'} of pull requests`,
  fix: {
    name: 'Approvals of pull requests',
    rule: ({ least = 1 }) => pullRequestRule({ required_approving_review_count: least }),
  },
});
