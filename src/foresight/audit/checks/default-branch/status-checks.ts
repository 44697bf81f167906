import { defaultBranchRule, ruleDocuments } from '../../default-branch-rule.ts';
import { checksIn } from '../../effective-protection.ts';

export const defaultBranchStatusChecks = defaultBranchRule({
  id: 'default-branch-status-checks',
  severity: 'medium',
  title: 'Status checks pass before a merge',
  description:
    'Tests and scans protect only if their results are required. A rule that lists no checks does not count.',
  documents: ruleDocuments,
  maps: {
    legitify: ['requires_status_checks'],
    steampipe: ['cis_supply_chain_v100_1_1_9'],
    scorecard: ['Branch-Protection'],
  },
  requirement: {
    types: ['required_status_checks', 'workflows'],
    isStrict: (parameters) =>
      Array.isArray(parameters.workflows) ? parameters.workflows.length > 0 : hasChecks(checksIn(parameters)),
    onMerge: true,
  },
  missing: 'does not require status checks',
  fix: {
    hint: 'Add a ruleset with the rule required_status_checks, and list the checks that your builds report. “--deep” reports those that nobody reports.',
  },
});

const hasChecks = (checks: readonly string[] | undefined): boolean | undefined => checks && checks.length > 0;
