/** Organizations that an audit finds little or much in. */
import type { OrganizationRole } from './roles.ts';

interface Placed {
  /** Position in the order of creation, from 0. */
  readonly index: number;
  /** True for an organization without sample data, which has no posture. */
  readonly isEmpty?: boolean;
}

/** The fourth organization, `umbrella`, protects all that it has. */
export const isStrict = ({ index, isEmpty }: Placed): boolean => index === 3 && !isEmpty;

/** The fifth organization, `hooli`, protects little. */
export const isLax = ({ index, isEmpty }: Placed): boolean => index === 4 && !isEmpty;

/** One organization in four, starting with `initech`, has no budgets and cannot change its security features. */
export const isLocked = ({ index, isEmpty }: Placed): boolean => index % 4 === 2 && !isEmpty;

/** Roles of people in the strict organization. All of them have a secure second factor there. */
export const strictPeople: Readonly<Record<string, readonly OrganizationRole[]>> = {
  riverotter: ['owner'],
  paperfox: ['member'],
  marblecat: ['member'],
  amberlynx: ['member'],
};

/** An outside collaborator of the lax organization, who maintains its `site`. */
export const outsiderOfLax = 'quietowl';

export const strictSettings = {
  default_repository_permission: 'none',
  members_can_create_public_repositories: false,
  members_can_create_public_pages: false,
  members_can_delete_repositories: false,
  members_can_change_repo_visibility: false,
  members_can_invite_outside_collaborators: false,
  members_can_create_teams: false,
  web_commit_signoff_required: true,
  two_factor_requirement_enabled: true,
  deploy_keys_enabled_for_repositories: false,
  dependabot_alerts_enabled_for_new_repositories: true,
  dependabot_security_updates_enabled_for_new_repositories: true,
  secret_scanning_enabled_for_new_repositories: true,
  secret_scanning_push_protection_enabled_for_new_repositories: true,
} as const;

export const laxSettings = {
  default_repository_permission: 'write',
  members_can_create_public_repositories: true,
  members_can_delete_repositories: true,
  members_can_change_repo_visibility: true,
  members_can_invite_outside_collaborators: true,
  members_can_fork_private_repositories: true,
  two_factor_requirement_enabled: false,
  dependabot_alerts_enabled_for_new_repositories: false,
  secret_scanning_enabled_for_new_repositories: false,
} as const;
