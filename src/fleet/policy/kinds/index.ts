/** The kinds of objects that policies manage, in the order of a policy file. */

import { budgets } from './budgets.ts';
import { hooks } from './hooks.ts';
import type { KindDeclaration } from './kind.ts';
import { access } from './people/access.ts';
import { members } from './people/members.ts';
import { teamMembers } from './people/team-members.ts';
import { teams } from './people/teams.ts';
import { properties } from './properties.ts';
import { propertySchema } from './property-schema.ts';
import { registries } from './registries.ts';
import { repositories } from './repositories.ts';
import { alerts } from './repository/alerts.ts';
import { labels } from './repository/labels.ts';
import { topics } from './repository/topics.ts';
import { rulesets } from './rulesets.ts';
import { settings } from './settings.ts';

export const kinds: readonly KindDeclaration[] = [
  repositories,
  settings,
  properties,
  rulesets,
  registries,
  budgets,
  hooks,
  members,
  teams,
  teamMembers,
  propertySchema,
  labels,
  access,
  topics,
  alerts,
];
