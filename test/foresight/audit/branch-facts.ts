/** Facts about the protection of a branch, as tests write them. */
import type { BranchFacts } from '../../../src/foresight/audit/effective-protection.ts';
import type { BranchProtection, BypassActor, Ruleset, RulesetRule } from '../../../src/platform/records.ts';

type Source = 'Repository' | 'Organization' | 'Enterprise';

/** An active ruleset that applies to the branch. Without `bypass`, the token may not see who bypasses it. */
export interface Applied {
  readonly rules: readonly RulesetRule[];
  readonly bypass?: readonly BypassActor[] | 'hidden' | 'unread';
  readonly name?: string;
  readonly from?: Source;
}

const sources = { Repository: 'acme/site', Organization: 'acme', Enterprise: 'sandbox' };

/** Returns the facts about a branch with these rulesets and this classic protection. */
export function branchFacts(
  rulesets: readonly Applied[],
  classic: Partial<BranchProtection> | null | 'hidden' = null,
): BranchFacts {
  const all = rulesets.map(({ rules, bypass = [], name = `Rules ${rules.length}`, from = 'Repository' }, place) => {
    const id = place + 1;
    const source = { ruleset_source_type: from, ruleset_source: sources[from], ruleset_id: id };
    const ruleset: Ruleset = {
      id,
      name,
      source: sources[from],
      source_type: from,
      enforcement: 'active',
      rules: [...rules],
      ...(Array.isArray(bypass) && { bypass_actors: [...bypass] }),
    };
    return { applied: rules.map((rule) => ({ ...rule, ...source })), id, ruleset, isRead: bypass !== 'unread' };
  });
  return {
    rules: all.flatMap(({ applied }) => applied),
    rulesets: new Map(all.flatMap(({ id, ruleset, isRead }) => (isRead ? [[id, { value: ruleset }] as const] : []))),
    classic:
      classic === 'hidden'
        ? { unreadable: 'GET /repos/acme/site/branches/main/protection returned 403' }
        : { value: classic as BranchProtection | null },
  };
}

export const pullRequests = (parameters: Readonly<Record<string, boolean | number>> = {}): RulesetRule => ({
  type: 'pull_request',
  parameters: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    required_review_thread_resolution: false,
    ...parameters,
  },
});

export const statusChecks = (contexts: readonly string[], strict = false): RulesetRule => ({
  type: 'required_status_checks',
  parameters: {
    required_status_checks: contexts.map((context) => ({ context })),
    strict_required_status_checks_policy: strict,
  },
});

export const [deletion, forcePushes] = [{ type: 'deletion' }, { type: 'non_fast_forward' }];

export const organizationAdmins: BypassActor = { actor_id: 1, actor_type: 'OrganizationAdmin', bypass_mode: 'always' };
export const repositoryAdmins: BypassActor = { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' };
export const writers: BypassActor = { actor_id: 4, actor_type: 'RepositoryRole', bypass_mode: 'always' };
export const oneTeam: BypassActor = { actor_id: 7, actor_type: 'Team', bypass_mode: 'always' };
