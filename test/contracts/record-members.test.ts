/** What `get` prints is taken by `create` and `update`: each of its fields is a field of the body, or known not to be one. */
import { expect, it } from 'vitest';
import { fieldsPrinted } from '../../src/cli/result/field-list.ts';
import type { Endpoint } from '../../src/platform/endpoint.ts';
import { createEnterpriseBudget, updateOrganizationBudget } from '../../src/platform/endpoints/budgets.ts';
import { createComment, updateComment } from '../../src/platform/endpoints/comments.ts';
import { setOrganizationHook, setRepositoryHook } from '../../src/platform/endpoints/hooks.ts';
import { startMigration } from '../../src/platform/endpoints/migrations.ts';
import { updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { createRegistry, updateRegistry } from '../../src/platform/endpoints/registries.ts';
import { createOrganizationRepository } from '../../src/platform/endpoints/repos.ts';
import {
  createOrganizationRuleset,
  createRepositoryRuleset,
  updateOrganizationRuleset,
  updateRepositoryRuleset,
} from '../../src/platform/endpoints/rulesets.ts';
import { createOrganizationView, createUserView } from '../../src/platform/endpoints/views.ts';
import { bodyOfRecord } from '../../src/platform/record-members.ts';
import { checkBody } from '../../src/platform/validate.ts';

const root = new URL('../..', import.meta.url).pathname;

const printed: Readonly<Record<string, readonly Endpoint[]>> = {
  'orgs:get': [updateOrganization],
  'repos:get': [createOrganizationRepository],
  'rulesets:get': [
    createOrganizationRuleset,
    createRepositoryRuleset,
    updateOrganizationRuleset,
    updateRepositoryRuleset,
  ],
  'budgets:get': [createEnterpriseBudget, updateOrganizationBudget],
  'registries:get': [createRegistry, updateRegistry],
  'comments:get': [createComment, updateComment],
  'hooks:get': [setOrganizationHook, setRepositoryHook],
  'migrations:get': [startMigration],
  'views:create': [createOrganizationView, createUserView],
};

const pairs = Object.entries(printed).flatMap(([command, endpoints]) =>
  endpoints.map((endpoint) => ({ command, route: endpoint.route, endpoint })),
);

it.each(pairs)('$route knows all fields that $command prints', ({ command, endpoint }) => {
  const names = fieldsPrinted(command, root, 1).map(({ field }) => field);
  expect(names.length).toBeGreaterThan(5);
  const { body } = bodyOfRecord(endpoint, Object.fromEntries(names.map((name) => [name, 0])));
  expect(checkBody(endpoint, body).unknown).toEqual([]);
});
