/** Checks of one organization. */
import { basePermission } from './base-permission.ts';
import { dependencyAlertsDefault } from './dependency-alerts-default.ts';
import { dependencyGraphDefault } from './dependency-graph-default.ts';
import { deployKeys } from './deploy-keys.ts';
import { issueDeletion } from './issue-deletion.ts';
import { outsideCollaboratorInvitations } from './outside-collaborator-invitations.ts';
import { ownerCount } from './owner-count.ts';
import { privateForking } from './private-forking.ts';
import { publicPagesCreation } from './public-pages-creation.ts';
import { publicRepositoryCreation } from './public-repository-creation.ts';
import { pushProtectionDefault } from './push-protection-default.ts';
import { repositoryDeletion } from './repository-deletion.ts';
import { secretScanningDefault } from './secret-scanning-default.ts';
import { securityUpdatesDefault } from './security-updates-default.ts';
import { teamCreation } from './team-creation.ts';
import { twoFactorRequired } from './two-factor-required.ts';
import { visibilityChanges } from './visibility-changes.ts';
import { webCommitSignoff } from './web-commit-signoff.ts';

export const organizationChecks = [
  twoFactorRequired,
  ownerCount,
  basePermission,
  publicRepositoryCreation,
  publicPagesCreation,
  privateForking,
  repositoryDeletion,
  visibilityChanges,
  outsideCollaboratorInvitations,
  issueDeletion,
  teamCreation,
  deployKeys,
  webCommitSignoff,
  dependencyGraphDefault,
  dependencyAlertsDefault,
  securityUpdatesDefault,
  secretScanningDefault,
  pushProtectionDefault,
];
