import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';

export const defaultBranchSignatures = defaultBranchRule({
  id: 'default-branch-signatures',
  severity: 'low',
  title: 'Commits on the default branch are signed',
  description: 'The author of a commit is a text that everyone can choose. A verified signature shows who made it.',
  documents: ruleDocuments,
  maps: { legitify: ['no_signed_commits'], steampipe: ['cis_supply_chain_v100_1_1_12'] },
  requirement: { types: ['required_signatures'], onMerge: true },
  missing: 'accepts unsigned commits',
  fix: { name: 'Signed commits on the default branch', rule: { type: 'required_signatures' } },
});
