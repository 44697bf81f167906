/** All checks, in the order of `audit checks`. A new check is a file and a line in the list of its directory. */
import type { Check } from '../check.ts';
import { administrationChecks } from './administration/index.ts';
import { defaultBranchChecks } from './default-branch/index.ts';
import { organizationChecks } from './organization/index.ts';
import { peopleChecks } from './people/index.ts';
import { repositoryChecks } from './repository/index.ts';
import { rulesetChecks } from './rulesets/index.ts';

export const checks: readonly Check[] = [
  ...organizationChecks,
  ...peopleChecks,
  ...rulesetChecks,
  ...administrationChecks,
  ...defaultBranchChecks,
  ...repositoryChecks,
];
