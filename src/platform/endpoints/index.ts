/** Every declared endpoint, for help, permissions, the sandbox and contract tests. */
import type { Endpoint } from '../endpoint.ts';
import * as families from './families.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'route' in value && 'answer' in value;

export const allEndpoints: readonly Endpoint[] = Object.values<unknown>(families).filter(isEndpoint);

export const endpointsByRoute: ReadonlyMap<string, Endpoint> = new Map(
  allEndpoints.map((endpoint) => [endpoint.route, endpoint]),
);
