/** All checks, in the order of `audit checks`. A new check is a file and a line in the list of its directory. */
import type { Check } from '../check.ts';
import { organizationChecks } from './organization/index.ts';

export const checks: readonly Check[] = [...organizationChecks];
