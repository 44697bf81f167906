import { defaultBranchChecks } from '../../../../src/foresight/audit/checks/default-branch/index.ts';
import type { RulesetRule } from '../../../../src/platform/records.ts';
import { branchFacts, deletion, forcePushes, organizationAdmins, pullRequests, statusChecks } from '../branch-facts.ts';
import { type CheckTest, describeChecks } from '../judged-check.ts';

const repository = { full_name: 'acme/site', default_branch: 'main' };

const hidden = 'who may bypass ruleset “Rules 1” of acme/site cannot be read';

const conditions = '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}';

/** A ruleset with a rule passes, and one without fails; the fix adds a rule. */
function ofRule(rule: RulesetRule, says: string, name: string, added: RulesetRule = rule): CheckTest {
  const rules = JSON.stringify([added]);
  return {
    passes: { repository, protection: branchFacts([{ rules: [rule] }]) },
    fails: { protection: branchFacts([{ rules: [{ type: 'creation' }] }]) },
    says,
    fix: {
      command: `rulesets create acme/site --name ${name} --target branch --enforcement active --bypass-actors [] --conditions ${conditions} --rules ${rules}`,
      policy: {
        organizations: ['acme'],
        repositories: [
          {
            select: { names: ['site'] },
            rulesets: [
              { name: 'Protect the default branch', enforcement: 'active', bypass_actors: [], rules: [added] },
            ],
          },
        ],
      },
    },
    lacks: [{ protection: branchFacts([{ rules: [rule], bypass: 'hidden' }]) }, hidden],
  };
}

const ofReviews = (parameters: Readonly<Record<string, boolean | number>>, says: string, name: string) =>
  ofRule(pullRequests(parameters), says, name);

const protects = branchFacts([{ rules: [statusChecks(['build'], true)] }]);

describeChecks(defaultBranchChecks, {
  'default-branch-deletion': ofRule(deletion, 'main is not protected from deletion.', 'Keep the default branch'),
  'default-branch-force-push': ofRule(
    forcePushes,
    'main accepts force pushes.',
    'No force pushes to the default branch',
  ),
  'default-branch-pull-request': ofRule(
    pullRequests(),
    'main accepts pushes without a pull request.',
    'Pull requests for the default branch',
  ),
  'default-branch-approvals': ofReviews(
    { required_approving_review_count: 1 },
    'main does not require 1 approval of pull requests.',
    'Approvals of pull requests',
  ),
  'default-branch-stale-approvals': ofReviews(
    { dismiss_stale_reviews_on_push: true },
    'main keeps approvals when new commits are pushed to a pull request.',
    'Dismiss stale approvals',
  ),
  'default-branch-code-owners': ofReviews(
    { require_code_owner_review: true },
    'main does not require the approval of code owners.',
    'Approval of code owners',
  ),
  'default-branch-last-push': ofReviews(
    { require_last_push_approval: true },
    'main does not require approval by someone other than the last pusher.',
    'Approval of the last push',
  ),
  'default-branch-conversations': ofReviews(
    { required_review_thread_resolution: true },
    'main accepts pull requests with open conversations.',
    'Resolved conversations',
  ),
  'default-branch-signatures': ofRule(
    { type: 'required_signatures' },
    'main accepts unsigned commits.',
    'Signed commits on the default branch',
  ),
  'default-branch-linear-history': ofRule(
    { type: 'required_linear_history' },
    'main accepts merge commits.',
    'Linear history of the default branch',
  ),
  'default-branch-status-checks': {
    passes: { repository, protection: protects },
    fails: { protection: branchFacts([{ rules: [statusChecks([])] }]) },
    says: 'main does not require status checks.',
    fix: { hint: 'required_status_checks' },
    lacks: [{ protection: branchFacts([{ rules: [{ type: 'required_status_checks' }] }]) }, 'does not return'],
  },
  'default-branch-up-to-date': {
    passes: { repository, protection: protects },
    fails: { protection: branchFacts([{ rules: [statusChecks(['build'])] }]) },
    says: 'main accepts pull requests that were tested with an earlier version of it.',
    fix: { hint: 'strict_required_status_checks_policy' },
    lacks: [{ protection: branchFacts([{ rules: [{ type: 'required_status_checks' }] }]) }, 'does not return'],
  },
  'default-branch-reported-checks': {
    passes: { repository, protection: protects, reportedChecks: new Set(['build', 'lint']) },
    fails: { reportedChecks: new Set(['lint']) },
    says: 'main requires checks that nobody reports: build.',
    fix: {
      command: 'rulesets update acme/site 1 --rules []',
      policy: { repositories: [{ select: { names: ['site'] }, rulesets: [{ name: 'Rules 1', rules: [] }] }] },
    },
    lacks: [{ protection: branchFacts([{ rules: [] }], 'hidden') }, 'returned 403'],
    ignores: { reportedChecks: null },
  },
  'default-branch-administrators': {
    passes: { repository, protection: branchFacts([{ rules: [deletion, forcePushes] }]) },
    fails: {
      protection: branchFacts([
        {
          rules: [deletion, forcePushes],
          bypass: [organizationAdmins],
          name: 'Default branches',
          from: 'Organization',
        },
      ]),
    },
    says: 'main is not protected from administrators: ruleset “Default branches” of acme lets them delete it and force-push to it.',
    fix: {
      policy: {
        repositories: [
          {
            select: { names: ['site'] },
            rulesets: [{ bypass_actors: [], rules: [{ type: 'deletion' }, { type: 'non_fast_forward' }] }],
          },
        ],
      },
    },
    lacks: [
      {
        protection: branchFacts([
          { rules: [deletion], bypass: [organizationAdmins] },
          { rules: [deletion], bypass: 'hidden', name: 'Rules 1' },
        ]),
      },
      hidden,
    ],
    ignores: { protection: branchFacts([]) },
  },
});
