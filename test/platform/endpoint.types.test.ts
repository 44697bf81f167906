/** What must not compile. `tsc` checks this file: an expected error that does not come fails the build. */
import { expectTypeOf, test } from 'vitest';
import type { ApiResponse, Client } from '../../src/client/client.ts';
import type { Page } from '../../src/client/pages.ts';
import type { AnswerOf, InputOf, RecordOf } from '../../src/platform/endpoint.ts';
import { getMeta } from '../../src/platform/endpoints/accounts.ts';
import { listInstallations, revokeInstallationToken } from '../../src/platform/endpoints/installations.ts';
import {
  getOrganization,
  listOrganizations,
  removeImmutableReleasesRepository,
  setSecurityFeature,
  updateOrganization,
} from '../../src/platform/endpoints/orgs.ts';
import { listCodeownersErrors } from '../../src/platform/endpoints/repos.ts';
import type { Installation, Meta, Organization, OrganizationSummary } from '../../src/platform/records.ts';

declare const client: Client;

// The functions are only compiled: calling them would need a platform.
test('parameter and result types of an endpoint follow from its declaration', () => {
  const calls = () => {
    expectTypeOf(client.call(getOrganization, { path: { org: 'acme' } })).toEqualTypeOf<Promise<Organization>>();
    expectTypeOf(client.call(getMeta, {})).toEqualTypeOf<Promise<Meta>>();
    expectTypeOf(client.call(listOrganizations, { query: { since: 7 } })).toEqualTypeOf<
      Promise<OrganizationSummary[]>
    >();
    expectTypeOf(client.call(revokeInstallationToken, {})).toEqualTypeOf<Promise<Record<string, never>>>();
    expectTypeOf(client.send(client.plan(getMeta, {}))).toEqualTypeOf<Promise<ApiResponse<Meta>>>();
    expectTypeOf(client.pages(listInstallations, {})).toEqualTypeOf<AsyncIterable<Page<Installation>>>();
  };
  expectTypeOf(calls).toBeFunction();
  expectTypeOf<InputOf<typeof removeImmutableReleasesRepository>>().toEqualTypeOf<{
    path: { org: string; repository_id: number };
  }>();
  expectTypeOf<InputOf<typeof setSecurityFeature>['path']['enablement']>().toEqualTypeOf<
    'enable_all' | 'disable_all'
  >();
  expectTypeOf<AnswerOf<typeof listOrganizations>>().toEqualTypeOf<OrganizationSummary[]>();
  expectTypeOf<RecordOf<typeof listOrganizations>>().toEqualTypeOf<OrganizationSummary>();
});

test('undeclared parameters do not compile', () => {
  const refused = [
    // @ts-expect-error a path parameter is missing
    () => client.call(getOrganization, { path: {} }),
    // @ts-expect-error all path parameters are missing
    () => client.call(getOrganization, {}),
    // @ts-expect-error a path parameter that the route does not have
    () => client.call(getOrganization, { path: { org: 'acme', repo: 'site' } }),
    // @ts-expect-error a path parameter of another type
    () => client.call(removeImmutableReleasesRepository, { path: { org: 'acme', repository_id: '7' } }),
    () =>
      client.call(setSecurityFeature, {
        // @ts-expect-error a word that is not in the set
        path: { org: 'acme', security_product: 'secret_scanning', enablement: 'on' },
        body: {},
      }),
    // @ts-expect-error the body is missing
    () => client.call(updateOrganization, { path: { org: 'acme' } }),
    // @ts-expect-error a body that the endpoint does not take
    () => client.call(getOrganization, { path: { org: 'acme' }, body: {} }),
    // @ts-expect-error a word in the body that is not in the set
    () => client.call(updateOrganization, { path: { org: 'acme' }, body: { default_repository_permission: 'owner' } }),
    // @ts-expect-error a query parameter that the endpoint does not take
    () => client.call(listOrganizations, { query: { before: 'x' } }),
    // @ts-expect-error a query parameter of another type
    () => client.call(listOrganizations, { query: { since: 'x' } }),
    // @ts-expect-error an endpoint that answers no list has no pages
    () => client.pages(getOrganization, { path: { org: 'acme' } }),
    // @ts-expect-error a list that comes whole has no pages
    () => client.pages(listCodeownersErrors, { path: { owner: 'acme', repo: 'site' } }),
    // @ts-expect-error a member of a record that it does not have
    async () => (await client.call(getMeta, {})).version,
  ];
  expectTypeOf(refused).toBeArray();
});
