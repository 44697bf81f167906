import { describe, expect, expectTypeOf, test } from 'vitest';
import type { AnswerOf, InputOf } from '../../src/platform/endpoint.ts';
import {
  createEnterpriseBudget,
  createOrganizationBudget,
  getEnterpriseBudget,
} from '../../src/platform/endpoints/budgets.ts';
import { setOrganizationHook, setRepositoryHook } from '../../src/platform/endpoints/hooks.ts';
import { getOrganizationRuleset, getRepositoryRuleset } from '../../src/platform/endpoints/rulesets.ts';
import { createUserView } from '../../src/platform/endpoints/views.ts';
import type { Ruleset } from '../../src/platform/records.ts';
import { bodyOfRecord, isSame } from '../../src/platform/resource.ts';
import { budgets } from '../../src/platform/resources/budgets.ts';
import { dismissalRequests } from '../../src/platform/resources/dismissals.ts';
import { preReceiveHooks } from '../../src/platform/resources/hooks.ts';
import { rulesets } from '../../src/platform/resources/rulesets.ts';
import { projectViews } from '../../src/platform/resources/views.ts';

const site = { owner: 'acme', repo: 'site' };
const acme = { org: 'acme' };

test('the operations of a resource follow from its owner', () => {
  expect(rulesets.of(site).get).toBe(getRepositoryRuleset);
  expect(rulesets.of(acme).get).toBe(getOrganizationRuleset);
  expect(budgets.of({ enterprise: 'acme' }).get).toBe(getEnterpriseBudget);
  expect(budgets.of(acme).create).toBe(createOrganizationBudget);
  expect(projectViews.of({ user_id: 'octocat' }).create).toBe(createUserView);
});

test('an operation has a route for each supported owner type', () => {
  expect(rulesets.routes('get')).toEqual([
    'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
    'GET /orgs/{org}/rulesets/{ruleset_id}',
  ]);
  expect(dismissalRequests.routes('get')).toEqual([
    'GET /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}',
  ]);
  expect(dismissalRequests.routes('update')).toEqual([]);
});

test('the types of an operation are those of its endpoints', () => {
  type Target = typeof site | typeof acme;
  const operations = (target: Target) => rulesets.of(target);
  type Get = ReturnType<typeof operations>['get'];
  expectTypeOf<Get>().toEqualTypeOf<typeof getRepositoryRuleset | typeof getOrganizationRuleset>();
  expectTypeOf<AnswerOf<Get>>().toEqualTypeOf<Ruleset>();
  expectTypeOf<InputOf<Get>['path']>().toEqualTypeOf<
    { owner: string; repo: string; ruleset_id: number } | { org: string; ruleset_id: number }
  >();
  expectTypeOf(rulesets.of(site).get).toEqualTypeOf<typeof getRepositoryRuleset>();
  const refused = () => {
    // @ts-expect-error Rulesets belong to no enterprise.
    rulesets.of({ enterprise: 'acme' });
    // @ts-expect-error A hook is neither created nor deleted.
    preReceiveHooks.of(site).delete;
  };
  expectTypeOf(refused).toBeFunction();
});

describe('the body of a record', () => {
  test('omits fields that only another owner’s endpoint accepts', () => {
    const hook = { id: 1, name: 'no-secrets', enforcement: 'enabled', allow_downstream_configuration: false };
    expect(bodyOfRecord(preReceiveHooks, setRepositoryHook, hook)).toEqual({
      body: { enforcement: 'enabled' },
      ignored: ['id', 'name', 'allow_downstream_configuration'],
    });
    expect(bodyOfRecord(preReceiveHooks, setOrganizationHook, hook)).toEqual({
      body: { enforcement: 'enabled', allow_downstream_configuration: false },
      ignored: ['id', 'name'],
    });
  });

  test('omits the null of a text on creation', () => {
    const budget = { id: 'b-1', budget_amount: 5, budget_entity_name: null, consumed_amount: 3 };
    expect(bodyOfRecord(budgets, createEnterpriseBudget, budget)).toEqual({
      body: { budget_amount: 5 },
      ignored: ['id', 'consumed_amount'],
    });
  });
});

describe('two records are equal', () => {
  const ruleset = {
    rules: [
      { type: 'deletion' },
      { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'a' }, { context: 'b' }] } },
    ],
    history: ['first', 'second'],
  };

  test.each([
    ['with their rules in another order', { rules: ruleset.rules.toReversed() }, true],
    [
      'with the checks of a rule in another order',
      {
        rules: [
          { type: 'deletion' },
          {
            parameters: { required_status_checks: [{ context: 'b' }, { context: 'a' }] },
            type: 'required_status_checks',
          },
        ],
      },
      true,
    ],
    ['but not with a repeated rule', { rules: [{ type: 'deletion' }, { type: 'deletion' }] }, false],
    ['but not with a missing rule', { rules: [{ type: 'deletion' }] }, false],
    ['but not with another list in another order', { history: ['second', 'first'] }, false],
    ['but not without a member', { rules: undefined }, false],
  ])('%s', (_, change, expected) => {
    expect(isSame('', ruleset, { ...ruleset, ...change }, rulesets.sets)).toBe(expected);
  });
});
