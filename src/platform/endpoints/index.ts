/** Every declared endpoint, for help, permissions, the sandbox and contract tests. */
import type { Endpoint } from '../endpoint.ts';
import * as accounts from './accounts.ts';
import * as budgets from './budgets.ts';
import * as bypass from './bypass.ts';
import * as comments from './comments.ts';
import * as dismissals from './dismissals.ts';
import * as forks from './forks.ts';
import * as hooks from './hooks.ts';
import * as installations from './installations.ts';
import * as migrations from './migrations.ts';
import * as orgs from './orgs.ts';
import * as registries from './registries.ts';
import * as repos from './repos.ts';
import * as rulesets from './rulesets.ts';
import * as snapshots from './snapshots.ts';
import * as views from './views.ts';

const families = {
  accounts,
  budgets,
  bypass,
  comments,
  dismissals,
  forks,
  hooks,
  installations,
  migrations,
  orgs,
  registries,
  repos,
  rulesets,
  snapshots,
  views,
};

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'route' in value && 'answer' in value;

export const allEndpoints: readonly Endpoint[] = Object.values(families).flatMap((family) =>
  Object.values(family).filter(isEndpoint),
);

export const endpointsByRoute: ReadonlyMap<string, Endpoint> = new Map(
  allEndpoints.map((endpoint) => [endpoint.route, endpoint]),
);
