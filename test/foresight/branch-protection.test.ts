import { expect, it } from 'vitest';
import { type ProtectedPusher, protectionRulesets, unprotected } from '../../src/foresight/branch-protection.ts';
import { evaluatePush } from '../../src/foresight/evaluate.ts';
import type { JudgedRuleset, Push } from '../../src/foresight/facts.ts';
import type { BranchProtection } from '../../src/platform/records.ts';

const head = '2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e';

const push: Push = {
  repository: 'site',
  ref: 'refs/heads/main',
  update: 'update',
  isForced: false,
  isDefaultBranch: true,
  isMerge: false,
  head,
  commits: [
    {
      id: head,
      parents: 2,
      message: 'Merge\n',
      authorEmail: 'ada@acme.example',
      committerEmail: 'ada@acme.example',
      isVerified: false,
    },
  ],
  files: [],
  passedChecks: [],
  deployedTo: [],
};

/** Returns the rules that do not simply allow a push, with their verdicts. */
async function rulesOf(facts: Partial<Push>, rulesets: readonly JudgedRuleset[]): Promise<string> {
  const { rules } = await evaluatePush({ ...push, ...facts }, rulesets);
  const others = rules.filter(({ verdict }) => verdict !== 'allowed');
  return others.map(({ type, verdict, missing }) => [type, verdict, missing].filter(Boolean).join(' ')).join(', ');
}

const nobody: ProtectedPusher = { isAdministrator: false, isAllowed: false, bypassesReviews: false };
const administrator = { ...nobody, isAdministrator: true };
const unknownPerson: ProtectedPusher = {
  isAdministrator: undefined,
  isAllowed: undefined,
  bypassesReviews: undefined,
};
const switchedOn = (name: keyof BranchProtection): BranchProtection => ({ [name]: { url: '', enabled: true } });
const reviews = { required_pull_request_reviews: { dismiss_stale_reviews: false, require_code_owner_reviews: false } };
const restrictions = {
  restrictions: { url: '', users_url: '', teams_url: '', apps_url: '', users: [], teams: [], apps: [] },
};
const checks = {
  required_status_checks: { strict: true, contexts: ['build'], checks: [{ context: 'build', app_id: null }] },
};
const forced = { isForced: true };
const remove = { update: 'delete' } as const;
const merge = { isMerge: true };

// About protected branches, each sentence where the source quotes it; the pusher is nobody in particular.
it.each<[protection: BranchProtection, facts: Partial<Push>, verdicts: string]>([
  [{}, {}, ''],
  [{}, forced, 'non_fast_forward unknown whether the pusher may bypass ruleset branch protection'],
  [switchedOn('allow_force_pushes'), forced, ''],
  [{}, remove, 'deletion refused'],
  [switchedOn('allow_deletions'), remove, ''],
  [{ ...switchedOn('allow_deletions'), ...switchedOn('lock_branch') }, remove, 'deletion refused, lock_branch refused'],
  [switchedOn('lock_branch'), {}, 'lock_branch refused'],
  [switchedOn('required_linear_history'), {}, 'required_linear_history refused'],
  [switchedOn('required_signatures'), {}, 'required_signatures refused'],
  [
    switchedOn('required_conversation_resolution'),
    merge,
    'required_conversation_resolution unknown whether all comments on the pull request are resolved',
  ],
  [reviews, {}, 'pull_request refused'],
  [restrictions, {}, 'restrictions refused'],
  [checks, { commits: [] }, 'required_status_checks refused'],
  [checks, { passedChecks: [{ context: 'build', app: 7 }] }, ''],
])('%j: %j: %s', async (protection, facts, verdicts) => {
  expect(await rulesOf(facts, protectionRulesets(protection, 'acme/site', nobody))).toBe(verdicts);
});

// “By default, the restrictions of a branch protection rule don't apply to people with admin permissions to the repository …”
it.each<[pusher: ProtectedPusher, protection: BranchProtection, verdicts: string]>([
  [
    administrator,
    { ...reviews, ...switchedOn('required_signatures') },
    'required_signatures bypassed, pull_request bypassed',
  ],
  [administrator, { ...reviews, ...switchedOn('enforce_admins') }, 'pull_request refused'],
  [administrator, { ...restrictions, ...switchedOn('enforce_admins') }, ''],
  [{ ...nobody, isAllowed: true }, restrictions, ''],
  [{ ...nobody, bypassesReviews: true }, { ...reviews, ...switchedOn('enforce_admins') }, 'pull_request bypassed'],
  [unknownPerson, reviews, 'pull_request unknown whether the pusher may bypass ruleset branch protection'],
  [unknownPerson, restrictions, 'restrictions unknown whether the pusher is among those who may push'],
])('for %j: %j: %s', async (pusher, protection, verdicts) => {
  expect(await rulesOf({}, protectionRulesets(protection, 'acme/site', pusher))).toBe(verdicts);
});

// Managing a branch protection rule: “Rules applied to everyone including administrators”.
it('blocks deletions by administrators, too', async () => {
  expect(await rulesOf(remove, protectionRulesets({}, 'acme/site', administrator))).toBe('deletion refused');
});

it('is a row of its own without protection, and if it is not known', async () => {
  expect(await rulesOf({}, [unprotected('acme/site')])).toBe('');
  expect(await rulesOf({}, [unprotected('acme/site', 'what it requires')])).toBe(
    'branch_protection unknown what it requires',
  );
});
