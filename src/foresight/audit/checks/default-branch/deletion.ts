import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchDeletion = defaultBranchRule({
  id: 'default-branch-deletion',
  severity: 'medium',
  title: 'The default branch is protected from deletion',
  description:
    'The platform refuses to delete the default branch, but administrators can make another branch the default first. Deleting the branch then closes its pull requests and breaks clones, builds and links. Rulesets of all levels and classic protection count together.',
  documents: ruleDocuments,
  maps: {
    legitify: ['missing_default_branch_protection_deletion'],
    steampipe: ['cis_supply_chain_v100_1_1_17'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['deletion'] },
  missing: 'is not protected from deletion',
  fix: { name: 'Keep the default branch', rule: { type: 'deletion' } },
});
