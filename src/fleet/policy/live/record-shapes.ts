/** What policies rely on in the records that they read. Anything else is an invalid response: it is neither absent nor equal. */
import * as v from 'valibot';
import type { RequestSummary } from '../../../client/errors.ts';
import { invalidResponse } from '../../../client/response.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import { getAuthenticatedUser } from '../../../platform/endpoints/accounts.ts';
import { getApp } from '../../../platform/endpoints/apps.ts';
import { listOrganizationInstallations } from '../../../platform/endpoints/installations.ts';
import { getOrganization, listCustomRepositoryRoles, updateOrganization } from '../../../platform/endpoints/orgs.ts';
import {
  listProperties,
  listPropertyValues,
  listRepositoryPropertyValues,
} from '../../../platform/endpoints/properties.ts';
import { getRepository, listOrganizationRepositories, updateRepository } from '../../../platform/endpoints/repos.ts';
import { listTeams } from '../../../platform/endpoints/teams.ts';
import { type RecordShape, recordProblem } from '../../../platform/record-check.ts';
import type {
  App,
  AuthenticatedUser,
  Budget,
  CustomProperty,
  CustomRepositoryRole,
  Installation,
  Organization,
  PreReceiveHook,
  PrivateRegistry,
  PropertyValue,
  Repository,
  RepositoryPropertyValues,
  Ruleset,
  Team,
} from '../../../platform/records.ts';
import type { Operations } from '../../../platform/resource.ts';
import { budgets } from '../../../platform/resources/budgets.ts';
import { preReceiveHooks } from '../../../platform/resources/hooks.ts';
import { registries } from '../../../platform/resources/registries.ts';
import { rulesets } from '../../../platform/resources/rulesets.ts';

const registryOwner = registries.owners.organization;

type FieldsOf<R> = { readonly [K in keyof R]?: v.GenericSchema<unknown, R[K] | undefined> };

/** Declares the fields that a record must have, and those of the body that sets the others. */
const shape = <R>(fields: FieldsOf<R>, { body }: Pick<Endpoint, 'body'> = {}): RecordShape => ({
  fields: fields as v.ObjectEntries,
  ...(body && { body: body.entries }),
});

const [text, number, boolean] = [v.string(), v.number(), v.boolean()];

const propertyValueFields = {
  property_name: text,
  value: v.nullable(v.union([text, v.array(text)])),
};

const ruleset: FieldsOf<Ruleset> = {
  id: number,
  name: text,
  source_type: v.optional(text),
  updated_at: v.optional(text),
};

const registry = shape<PrivateRegistry>({ name: text, registry_type: text, visibility: text }, registryOwner.create);

/** Resources with the shapes of their records in lists, and alone. */
const ofResources: readonly (readonly [Operations, RecordShape, RecordShape?])[] = [
  ...[rulesets.owners.organization, rulesets.owners.repository].map(
    (owner) => [owner, shape<Ruleset>(ruleset), shape<Ruleset>(ruleset, owner.update)] as const,
  ),
  ...[budgets.owners.enterprise, budgets.owners.organization].map(
    (owner) =>
      [
        owner,
        shape<Budget>(
          {
            id: text,
            budget_scope: text,
            budget_type: text,
            budget_product_skus: v.optional(v.array(text)),
          },
          owner.create,
        ),
      ] as const,
  ),
  ...[preReceiveHooks.owners.organization, preReceiveHooks.owners.repository].map(
    (owner) =>
      [
        owner,
        shape<PreReceiveHook>(
          { id: number, name: text, enforcement: text, configuration_url: v.optional(text) },
          owner.update,
        ),
      ] as const,
  ),
  [registryOwner, registry],
];

const shapes: ReadonlyMap<string | undefined, RecordShape> = new Map([
  ...ofResources.flatMap(([{ list, get }, listed, got = listed]): [string | undefined, RecordShape][] => [
    [list?.route, listed],
    [get?.route, got],
  ]),
  [getAuthenticatedUser.route, shape<AuthenticatedUser>({ login: v.optional(text) })],
  [getApp.route, shape<App>({ id: number, slug: v.optional(text) })],
  [getOrganization.route, shape<Organization>({}, updateOrganization)],
  [getRepository.route, shape<Repository>({}, updateRepository)],
  [
    listOrganizationRepositories.route,
    shape<Repository>({
      id: number,
      name: text,
      full_name: text,
      archived: v.optional(boolean),
      private: v.optional(boolean),
      topics: v.optional(v.array(text)),
      visibility: v.optional(text),
    }),
  ],
  [listProperties.route, shape<CustomProperty>({ property_name: text })],
  [
    listPropertyValues.route,
    shape<RepositoryPropertyValues>({
      repository_full_name: text,
      properties: v.array(v.object(propertyValueFields)),
    }),
  ],
  [listRepositoryPropertyValues.route, shape<PropertyValue>(propertyValueFields)],
  [listTeams.route, shape<Team>({ id: number, slug: text })],
  [listOrganizationInstallations.route, shape<Installation>({ app_id: number, app_slug: text })],
  [listCustomRepositoryRoles.route, shape<CustomRepositoryRole>({ id: number, name: text })],
]);

/** Throws InvalidResponseError for a record, or the first record of a list, that policies cannot understand. */
export function requireShape({ route, answer }: Endpoint, data: unknown, asked: RequestSummary): void {
  const expected = shapes.get(route);
  if (!expected) return;
  const problem =
    answer.kind === 'list' ? firstProblem(expected, data as readonly unknown[]) : recordProblem(expected, data);
  if (problem !== undefined) throw invalidResponse(asked, problem);
}

function firstProblem(expected: RecordShape, records: readonly unknown[]): string | undefined {
  for (const [index, record] of records.entries()) {
    const problem = recordProblem(expected, record, `[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
