import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchLinearHistory = defaultBranchRule({
  id: 'default-branch-linear-history',
  severity: 'info',
  title: 'The default branch has a linear history',
  description: 'Merge commits make it harder to find and to revert a change.',
  documents: ruleDocuments,
  maps: { legitify: ['non_linear_history'], steampipe: ['cis_supply_chain_v100_1_1_13'] },
  requirement: { types: ['required_linear_history'], onMerge: true },
  missing: 'accepts merge commits',
  fix: { name: 'Linear history of the default branch', rule: { type: 'required_linear_history' } },
});
