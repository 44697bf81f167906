/** All declared resources by name. */
import type { ResourceDeclaration } from '../resource.ts';
import * as budgets from './budgets.ts';
import * as bypass from './bypass.ts';
import * as comments from './comments.ts';
import * as dismissals from './dismissals.ts';
import * as hooks from './hooks.ts';
import * as migrations from './migrations.ts';
import * as orgs from './orgs.ts';
import * as registries from './registries.ts';
import * as repos from './repos.ts';
import * as rulesets from './rulesets.ts';
import * as views from './views.ts';

export const allResources: Readonly<Record<string, ResourceDeclaration>> = {
  ...budgets,
  ...bypass,
  ...comments,
  ...dismissals,
  ...hooks,
  ...migrations,
  ...orgs,
  ...registries,
  ...repos,
  ...rulesets,
  ...views,
};
