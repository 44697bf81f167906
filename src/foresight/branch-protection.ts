/** Classic branch protection, as rulesets that judge a push in the same way. About protected branches. */
import type { BranchProtection } from '../platform/records.ts';
import type { JudgedRule, JudgedRuleset } from './facts.ts';

/** What classic protection asks about who pushes. What is undefined is not known. */
export interface ProtectedPusher {
  /** Whether the pusher administers the repository, or may bypass its protection. */
  readonly isAdministrator: boolean | undefined;
  /** Whether the restrictions list the pusher among those who may push. */
  readonly isAllowed: boolean | undefined;
  /** Whether the pusher may push without a pull request. */
  readonly bypassesReviews: boolean | undefined;
}

const rule = (type: string, parameters: JudgedRule['parameters'] = {}): JudgedRule => ({ type, parameters });

/** Returns rules of branch protection as a ruleset. */
const protectionRuleset = (
  source: string,
  rules: readonly JudgedRule[],
  bypass: JudgedRuleset['bypass'],
): JudgedRuleset => ({
  id: undefined,
  name: 'branch protection',
  source,
  target: 'branch',
  enforcement: 'active',
  conditions: { ref_name: { include: ['~ALL'] } },
  rules,
  bypass,
});

/** Returns the row of a branch without classic protection, or of one whose protection is not known: `missing`. */
export const unprotected = (source: string, missing?: string): JudgedRuleset =>
  protectionRuleset(source, [rule('branch_protection', { missing })], 'never');

/** Returns the classic protection of a branch. `source` is the repository. */
export function protectionRulesets(
  protection: BranchProtection,
  source: string,
  { isAdministrator, isAllowed, bypassesReviews }: ProtectedPusher,
): JudgedRuleset[] {
  const isOn = (setting: { enabled?: boolean } | null | undefined) => setting?.enabled === true;
  const { required_status_checks: checks, restrictions, enforce_admins: forAdministrators } = protection;
  // “By default, the restrictions of a branch protection rule don't apply to people with admin permissions to the repository
  // or custom roles with the "bypass branch protections" permission.”
  const mayBypass = forAdministrators?.enabled === true ? false : isAdministrator;
  const rules = [
    // “Locking a branch will make the branch read-only and ensures that no commits can be made to the branch.”
    ...(isOn(protection.lock_branch) ? [rule('lock_branch')] : []),
    ...(isOn(protection.required_linear_history) ? [rule('required_linear_history')] : []),
    ...(isOn(protection.required_signatures) ? [rule('required_signatures')] : []),
    ...(isOn(protection.required_conversation_resolution) ? [rule('required_conversation_resolution')] : []),
    ...(checks ? [rule('required_status_checks', checksRule(checks))] : []),
  ];
  // “By default, GitHub blocks force pushes on all protected branches.” No endpoint lists those who may force push all the same.
  const forMost = isOn(protection.allow_force_pushes) ? [] : [rule('non_fast_forward')];
  // Managing a branch protection rule, “Rules applied to everyone including administrators”.
  const forEveryone = [
    // “By default, you cannot delete a protected branch. … If the branch is locked, you cannot delete the branch even if you
    // have permission to delete it.”
    ...(isOn(protection.allow_deletions) && !isOn(protection.lock_branch) ? [] : [rule('deletion')]),
    // “When you enable branch restrictions, only users, teams, or apps that have been given permission can push to the
    // protected branch. … People and apps with admin permissions to a repository are always able to push.”
    ...(restrictions ? [rule('restrictions', { isAllowed: either(isAdministrator, isAllowed) })] : []),
  ];
  return [
    protectionRuleset(source, forMost, undefined),
    protectionRuleset(source, forEveryone, 'never'),
    protectionRuleset(source, rules, bypassOf(mayBypass)),
    // “If you enable required reviews, collaborators can only push changes to a protected branch via a pull request.”
    ...(protection.required_pull_request_reviews
      ? [protectionRuleset(source, [rule('pull_request')], bypassOf(either(mayBypass, bypassesReviews)))]
      : []),
  ];
}

const checksRule = ({ checks, contexts, strict }: NonNullable<BranchProtection['required_status_checks']>) => ({
  required_status_checks: (checks ?? contexts.map((context) => ({ context, app_id: null }))).map(
    // An app of -1 stands for any.
    ({ context, app_id: app }) => ({ context, ...(app !== null && app > 0 && { integration_id: app }) }),
  ),
  strict_required_status_checks_policy: strict === true,
});

const bypassOf = (may: boolean | undefined) => (may === undefined ? undefined : may ? 'always' : 'never');

function either(one: boolean | undefined, other: boolean | undefined): boolean | undefined {
  if (one || other) return true;
  return one === false && other === false ? false : undefined;
}
