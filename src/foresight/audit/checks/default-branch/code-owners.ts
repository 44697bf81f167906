import { defaultBranchRule, pullRequestRule, ruleDocuments } from '../../default-branch-rule.ts';
import { flagIn } from '../../effective-protection.ts';

export const defaultBranchCodeOwners = defaultBranchRule({
  id: 'default-branch-code-owners',
  severity: 'low',
  title: 'Pull requests require the approval of code owners',
  description: 'Otherwise, anyone with write access can approve changes of files that have owners.',
  documents: ruleDocuments,
  maps: {
    legitify: ['code_review_not_limited_to_code_owners'],
    steampipe: ['cis_supply_chain_v100_1_1_6'],
    scorecard: ['Branch-Protection'],
  },
  requirement: { types: ['pull_request'], isStrict: flagIn('require_code_owner_review'), onMerge: true },
  missing: 'does not require the approval of code owners',
  fix: { name: 'Approval of code owners', rule: pullRequestRule({ require_code_owner_review: true }) },
});
