/** Checks of repositories, beside the protection of default branches and the people who have access. */
import { codeOwnersFile } from './code-owners-file.ts';
import { dependencyAlerts } from './dependency-alerts.ts';
import { privateForks } from './private-forks.ts';
import { pushProtection } from './push-protection.ts';
import { recentBypasses } from './recent-bypasses.ts';
import { repositoryForking } from './repository-forking.ts';
import { secretScanning } from './secret-scanning.ts';
import { securityUpdates } from './security-updates.ts';
import { staleRepository } from './stale-repository.ts';
import { visibilityProperty } from './visibility-property.ts';

export const repositoryChecks = [
  visibilityProperty,
  secretScanning,
  pushProtection,
  dependencyAlerts,
  securityUpdates,
  privateForks,
  repositoryForking,
  recentBypasses,
  codeOwnersFile,
  staleRepository,
];
