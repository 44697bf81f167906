import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchForcePush = defaultBranchRule({
  id: 'default-branch-force-push',
  severity: 'high',
  title: 'The default branch cannot be overwritten',
  description:
    'A force push replaces history that others have reviewed and built. Rulesets of all levels and classic protection count together.',
  documents: ruleDocuments,
  maps: {
    legitify: ['missing_default_branch_protection_force_push'],
    steampipe: ['cis_supply_chain_v100_1_1_16'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['non_fast_forward'] },
  missing: 'accepts force pushes',
  fix: { name: 'No force pushes to the default branch', rule: { type: 'non_fast_forward' } },
});
