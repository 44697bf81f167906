/** The endpoints that policy commands call, for help and `auth check`. */

import { kinds } from '../../fleet/policy/kinds/index.ts';
import { referenceReads } from '../../fleet/policy/live/names.ts';
import { getAuthenticatedUser } from '../../platform/endpoints/accounts.ts';
import { getApp } from '../../platform/endpoints/apps.ts';
import { listOrganizationRepositories } from '../../platform/endpoints/repos.ts';

export const policyReads = [
  listOrganizationRepositories.route,
  ...kinds.flatMap(({ reads }) => reads),
  ...referenceReads,
];

/** Plans name who made them. */
export const policyPlanReads = [...policyReads, getAuthenticatedUser.route, getApp.route];

export const policyWrites = kinds.flatMap(({ writes }) => writes);
