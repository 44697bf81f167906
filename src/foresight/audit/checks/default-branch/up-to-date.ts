import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';
import { checksIn, flagIn } from '../../effective-protection.ts';

export const defaultBranchUpToDate = defaultBranchRule({
  id: 'default-branch-up-to-date',
  severity: 'info',
  title: 'Pull requests are tested with the latest default branch',
  description:
    'Otherwise, two changes that pass their checks can break the default branch together. A merge queue tests each merge, too.',
  documents: ruleDocuments,
  maps: {
    legitify: ['requires_branches_up_to_date_before_merge'],
    steampipe: ['cis_supply_chain_v100_1_1_10'],
    scorecard: ['Branch-Protection'],
  },
  requirement: {
    types: ['required_status_checks', 'merge_queue'],
    isStrict: (parameters) =>
      'grouping_strategy' in parameters || (checksIn(parameters)?.length === 0 ? false : isStrict(parameters)),
    onMerge: true,
  },
  missing: 'accepts pull requests that were tested with an earlier version of it',
  fix: {
    hint: 'Set strict_required_status_checks_policy in the ruleset that requires status checks, or add a merge queue.',
  },
});

const isStrict = flagIn('strict_required_status_checks_policy');
