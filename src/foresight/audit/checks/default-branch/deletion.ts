import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchDeletion = defaultBranchRule({
  id: 'default-branch-deletion',
  severity: 'high',
  title: 'The default branch cannot be deleted',
  description:
    'Deleting the default branch closes its pull requests and breaks clones, builds and links. Rulesets of all levels and classic protection count together.',
  documents: ruleDocuments,
  maps: {
    legitify: ['missing_default_branch_protection_deletion'],
    steampipe: ['cis_supply_chain_v100_1_1_17'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['deletion'] },
  missing: 'can be deleted',
  fix: { name: 'Keep the default branch', rule: { type: 'deletion' } },
});
