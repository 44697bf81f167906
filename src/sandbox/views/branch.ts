import type { Branch, BranchProtection } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { type BranchProtectionState, branchProtectionsOf, protectionSwitches } from '../state/branch-protection.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { coversBranch, rulesetsFor } from '../state/rulesets.ts';
import { teamsOfRepository } from '../state/teams.ts';
import { actorView } from './actor.ts';
import { commitView } from './commit.ts';
import { fullName } from './repository.ts';
import { teamView } from './team.ts';

/** A branch of the repository. All have the newest commit. */
export function branchView(platform: SandboxPlatform, repository: RepositoryState, name: string): Branch {
  const protection = branchProtectionsOf(platform, repository).get(name);
  const url = urlOf(platform, repository, name);
  const checks = protection?.required_status_checks ?? undefined;
  return {
    name,
    commit: commitView(platform, repository, 0),
    _links: { self: url, html: `${platform.origin}/${fullName(platform, repository)}/tree/${name}` },
    protected: protection !== undefined || isCovered(platform, repository, name),
    protection: {
      enabled: protection !== undefined,
      required_status_checks: {
        enforcement_level: checks ? (protection?.enforce_admins ? 'everyone' : 'non_admins') : 'off',
        ...contextsAndChecks(checks?.contexts ?? []),
      },
    },
    protection_url: `${url}/protection`,
  };
}

const urlOf = (platform: SandboxPlatform, repository: RepositoryState, branch: string): string =>
  `${platform.baseUrl}/repos/${fullName(platform, repository)}/branches/${encodeURIComponent(branch)}`;

const isCovered = (platform: SandboxPlatform, repository: RepositoryState, branch: string): boolean =>
  rulesetsFor(platform, repository).some(
    (ruleset) =>
      ruleset.target === 'branch' && ruleset.enforcement === 'active' && coversBranch(ruleset, repository, branch),
  );

const contextsAndChecks = (contexts: readonly string[]) => ({
  contexts: [...contexts],
  checks: contexts.map((context) => ({ context, app_id: null })),
});

/** The classic protection of a branch. */
export function branchProtectionView(
  platform: SandboxPlatform,
  repository: RepositoryState,
  branch: string,
  protection: BranchProtectionState,
): BranchProtection {
  const url = `${urlOf(platform, repository, branch)}/protection`;
  const { required_status_checks: checks, required_pull_request_reviews: reviews, restrictions } = protection;
  return {
    url,
    ...(checks && {
      required_status_checks: {
        url: `${url}/required_status_checks`,
        strict: checks.strict,
        ...contextsAndChecks(checks.contexts),
        contexts_url: `${url}/required_status_checks/contexts`,
      },
    }),
    ...(reviews && { required_pull_request_reviews: { url: `${url}/required_pull_request_reviews`, ...reviews } }),
    ...(restrictions && {
      restrictions: {
        url: `${url}/restrictions`,
        users_url: `${url}/restrictions/users`,
        teams_url: `${url}/restrictions/teams`,
        apps_url: `${url}/restrictions/apps`,
        users: restrictions.users.flatMap((login) => {
          const user = platform.accounts.user(login);
          return user ? [actorView(platform, user)] : [];
        }),
        teams: teamsOfRepository(platform, repository)
          .filter(({ team }) => restrictions.teams.includes(team.slug))
          .map(({ team, permission }) => teamView(platform, team, permission)),
        apps: [],
      },
    }),
    required_signatures: { url: `${url}/required_signatures`, enabled: protection.required_signatures },
    enforce_admins: { url: `${url}/enforce_admins`, enabled: protection.enforce_admins },
    ...Object.fromEntries(protectionSwitches.map((name) => [name, { enabled: protection[name] }])),
  };
}
