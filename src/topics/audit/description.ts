/** Checks as people and programs read them. */
import { permissionText } from '../../fleet/policy/live/requests.ts';
import type { Check, Severity } from '../../foresight/audit/check.ts';
import { isDeep, readingsOf } from '../../foresight/audit/evaluate.ts';
import { readingOf, type Scope } from '../../foresight/audit/readings.ts';
import type { Endpoint, Route } from '../../platform/endpoint.ts';

export interface CheckDescription {
  id: string;
  severity: Severity;
  /** The wanted state. */
  title: string;
  scope: Scope;
  /** The requests that the check may need. */
  reads: string[];
  /**
   * The most requests for each repository, beside lists of the organization; with --deep, one more for each ruleset of the
   * repository beyond the second.
   */
  requests: number;
  /** True for a check that --deep runs. */
  deep: boolean;
  /** The fine-grained permissions of its requests; null if they need none. */
  permission: string | null;
  /** Pages of the platform’s documentation. */
  documents: string[];
  /** IDs of checks of other tools that judge the same. */
  maps: { legitify: string[]; steampipe: string[]; scorecard: string[] };
  description: string;
  /** The limits that audit.yaml can change. */
  thresholds: { name: string; default: number; description: string }[];
}

const endpointsOf = (checks: readonly Check[]): readonly Endpoint[] => [
  ...new Set(checks.flatMap((check) => readingsOf([check]).flatMap((name) => readingOf(check.scope, name).endpoints))),
];

/** Returns the routes of all requests of checks, each once. */
export const routesOf = (checks: readonly Check[]): Route[] => [
  ...new Set(endpointsOf(checks).map(({ route }) => route)),
];

/** Returns the most requests for each repository. */
export const requestsOf = (checks: readonly Check[]): number =>
  readingsOf(checks).reduce((sum, name) => sum + (readingOf('repository', name).requests ?? 0), 0);

export function describeCheck(check: Check): CheckDescription {
  const { id, severity, title, scope, documents, maps, description, thresholds = {} } = check;
  const permissions = [...new Set(endpointsOf([check]).flatMap(({ permission }) => permission ?? []))];
  const { legitify = [], steampipe = [], scorecard = [] } = maps;
  return {
    id,
    severity,
    title,
    scope,
    reads: routesOf([check]),
    requests: scope === 'repository' ? requestsOf([check]) : 0,
    deep: isDeep(check),
    permission:
      permissions.length > 0
        ? permissions.map((each) => permissionText(each).slice(': needs '.length)).join(' and ')
        : null,
    documents: [...documents],
    maps: { legitify: [...legitify], steampipe: [...steampipe], scorecard: [...scorecard] },
    description,
    thresholds: Object.entries(thresholds).map(([name, threshold]) => ({
      name,
      default: threshold.default,
      description: threshold.description,
    })),
  };
}
