/** Checks of apps, roles, hooks, registries, budgets, requests and migrations. */
import { budgetAlerts, enterpriseBudgetAlerts } from './budget-alerts.ts';
import { budgetStopsUsage, enterpriseBudgetStopsUsage } from './budget-stops-usage.ts';
import { customRoles } from './custom-roles.ts';
import { hooksEnforced } from './hooks-enforced.ts';
import { hooksOverridable } from './hooks-overridable.ts';
import { immutableReleases } from './immutable-releases.ts';
import { installationPermissions } from './installation-permissions.ts';
import { lockedMigrations } from './locked-migrations.ts';
import { registryTransport } from './registry-transport.ts';
import { registryVisibility } from './registry-visibility.ts';
import { undecidedRequests } from './undecided-requests.ts';

export const administrationChecks = [
  installationPermissions,
  customRoles,
  hooksEnforced,
  hooksOverridable,
  registryTransport,
  registryVisibility,
  undecidedRequests,
  lockedMigrations,
  immutableReleases,
  budgetStopsUsage,
  budgetAlerts,
  enterpriseBudgetStopsUsage,
  enterpriseBudgetAlerts,
];
