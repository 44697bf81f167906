/** The endpoints that policy commands call, for help and `auth check`. */
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { getApp } from '../../platform/endpoints/apps.ts';
import { listOrganizationInstallations } from '../../platform/endpoints/installations.ts';
import { listCustomRepositoryRoles } from '../../platform/endpoints/orgs.ts';
import { listProperties, listPropertyValues, setPropertyValues } from '../../platform/endpoints/properties.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';
import { listTeams } from '../../platform/endpoints/teams.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import { preReceiveHooks } from '../../platform/resources/hooks.ts';
import { organizationSettings } from '../../platform/resources/orgs.ts';
import { registries } from '../../platform/resources/registries.ts';
import { repositories } from '../../platform/resources/repos.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';

export const policyReads = [
  ...organizationSettings.routes('get'),
  listOrganizationRepositories.route,
  ...repositories.routes('get'),
  ...rulesets.routes('list'),
  ...rulesets.routes('get'),
  ...registries.routes('list'),
  ...budgets.routes('list'),
  ...preReceiveHooks.routes('list'),
  listPropertyValues.route,
  listProperties.route,
  listTeams.route,
  listOrganizationInstallations.route,
  listCustomRepositoryRoles.route,
];

/** Plans name who made them. */
export const policyPlanReads = [...policyReads, getAuthenticatedUser.route, getApp.route];

export const policyWrites = [
  ...organizationSettings.routes('update'),
  ...repositories.routes('update'),
  ...[rulesets, registries, budgets].flatMap((resource) => [
    ...resource.routes('create'),
    ...resource.routes('update'),
    ...resource.routes('delete'),
  ]),
  ...registries.routes('get'),
  getRegistryPublicKey.route,
  ...preReceiveHooks.routes('update'),
  ...preReceiveHooks.routes('unset'),
  setPropertyValues.route,
];
