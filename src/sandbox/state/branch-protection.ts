/** Classic protection of branches. */
import type { SandboxPlatform } from '../platform.ts';
import type { Collection } from '../store.ts';
import type { RepositoryState } from './repositories.ts';

/** Rules that are on or off. */
export const protectionSwitches = [
  'required_linear_history',
  'allow_force_pushes',
  'allow_deletions',
  'block_creations',
  'required_conversation_resolution',
  'lock_branch',
  'allow_fork_syncing',
] as const;

export interface BranchProtectionState extends Readonly<Record<(typeof protectionSwitches)[number], boolean>> {
  readonly required_status_checks: { readonly strict: boolean; readonly contexts: readonly string[] } | null;
  readonly required_pull_request_reviews: {
    readonly dismiss_stale_reviews: boolean;
    readonly require_code_owner_reviews: boolean;
    readonly required_approving_review_count: number;
    readonly require_last_push_approval: boolean;
  } | null;
  /** Who may push: logins, and slugs of teams. */
  readonly restrictions: { readonly users: readonly string[]; readonly teams: readonly string[] } | null;
  readonly enforce_admins: boolean;
  readonly required_signatures: boolean;
}

/** By branch. Only the branch `develop` of each `site` has classic protection at first. */
export const branchProtectionsOf = (
  { store }: SandboxPlatform,
  { id, name }: RepositoryState,
): Collection<BranchProtectionState> =>
  store.collection<BranchProtectionState>('branch protections', id, () =>
    name === 'site' ? [['develop', seeded] as const] : [],
  );

const seeded: BranchProtectionState = {
  required_status_checks: { strict: true, contexts: ['build'] },
  required_pull_request_reviews: {
    dismiss_stale_reviews: false,
    require_code_owner_reviews: false,
    required_approving_review_count: 1,
    require_last_push_approval: false,
  },
  restrictions: { users: [], teams: ['platform'] },
  enforce_admins: false,
  required_signatures: false,
  required_linear_history: true,
  allow_force_pushes: false,
  allow_deletions: false,
  block_creations: false,
  required_conversation_resolution: false,
  lock_branch: false,
  allow_fork_syncing: false,
};
