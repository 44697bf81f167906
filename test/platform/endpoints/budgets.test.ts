import { describe, expect, test } from 'vitest';
import {
  createEnterpriseBudget,
  createOrganizationBudget,
  listEnterpriseBudgets,
  listOrganizationBudgets,
  updateEnterpriseBudget,
} from '../../../src/platform/endpoints/budgets.ts';
import { checkBody, checkValue } from '../../../src/platform/validate.ts';

const valid = {
  budget_amount: 200,
  prevent_further_usage: true,
  budget_alerting: { will_alert: true, alert_recipients: ['octocat'] },
  budget_scope: 'organization',
  budget_entity_name: 'acme',
  budget_type: 'ProductPricing',
  budget_product_sku: 'actions',
};

const { budget_alerting: _alerting, ...silent } = valid;
const ofUser = { ...silent, budget_scope: 'user', user: 'octocat', budget_product_sku: 'premium_requests' };

/** What is wrong with a new enterprise budget, one line each. */
const created = (body: object) =>
  checkBody(createEnterpriseBudget, { ...body }).problems.map(({ field, message }) => `${field} ${message}`);
const updated = (body: object) =>
  checkBody(updateEnterpriseBudget, { ...body }).problems.map(({ field, message }) => `${field} ${message}`);

describe('a new budget', () => {
  test('is valid when it is complete', () => {
    expect(checkBody(createEnterpriseBudget, valid)).toEqual({ problems: [], unknown: [] });
    expect(checkBody(createOrganizationBudget, valid)).toEqual({ problems: [], unknown: [] });
  });

  test('requires amount, stopping, alerting, scope and type: the five fields that the create body requires', () => {
    expect(created({})).toEqual([
      'budget_scope is required',
      'budget_amount is required',
      'prevent_further_usage is required',
      'budget_type is required',
      'budget_alerting is required, with will_alert and alert_recipients',
    ]);
  });

  test('requires a whole amount, in “whole currency units”, not below zero', () => {
    expect(created({ ...valid, budget_amount: 0 })).toEqual([]);
    expect(created({ ...valid, budget_amount: -1 })).toEqual(['budget_amount must be at least 0']);
    expect(created({ ...valid, budget_amount: 1.5 })).toEqual(['budget_amount must be a whole number']);
  });

  test.each(['user', 'multi_user_customer'])(
    'of scope %s must stop usage: prevent_further_usage “must be true for scopes user and multi_user_customer”',
    (budget_scope) => {
      const body = { ...(budget_scope === 'user' ? ofUser : valid), budget_scope, budget_product_sku: 'ai_credits' };
      expect(created({ ...body, prevent_further_usage: true })).toEqual([]);
      expect(created({ ...body, prevent_further_usage: false })).toEqual([
        `prevent_further_usage must be true when budget_scope is ${budget_scope}`,
      ]);
    },
  );

  test.each(['enterprise', 'organization', 'repository', 'cost_center'])(
    'of scope %s may allow further usage, and covers any product',
    (budget_scope) => {
      expect(created({ ...valid, budget_scope, prevent_further_usage: false })).toEqual([]);
    },
  );

  test.each(['user', 'multi_user_customer', 'multi_user_cost_center'])(
    'of scope %s is “allowed only when budget_product_sku is ai_credits or premium_requests”',
    (budget_scope) => {
      const body = { ...(budget_scope === 'user' ? ofUser : valid), budget_scope };
      const message = `budget_product_sku must be ai_credits or premium_requests when budget_scope is ${budget_scope}`;
      expect(created({ ...body, budget_product_sku: 'ai_credits' })).toEqual([]);
      expect(created({ ...body, budget_product_sku: 'premium_requests' })).toEqual([]);
      expect(created({ ...body, budget_product_sku: 'actions' })).toEqual([message]);
      expect(created({ ...body, budget_product_sku: undefined })).toEqual([message]);
    },
  );

  test('of BundlePricing is for the SKU ai_credits', () => {
    expect(created({ ...valid, budget_type: 'BundlePricing', budget_product_sku: 'ai_credits' })).toEqual([]);
    expect(created({ ...valid, budget_type: 'BundlePricing' })).toEqual([
      'budget_product_sku must be ai_credits when budget_type is BundlePricing',
    ]);
  });

  test('of scope user requires the user: “required when budget_scope is user”', () => {
    expect(created({ ...ofUser, user: undefined })).toEqual(['user is required when budget_scope is user']);
    expect(created({ ...ofUser, user: '' })).toEqual(['user is empty']);
    expect(created({ ...ofUser, budget_entity_name: '' })).toEqual([]);
  });

  test('of scope user has no alerting, “because alerting is always off there”', () => {
    expect(created({ ...ofUser, budget_alerting: { will_alert: false, alert_recipients: [] } })).toEqual([
      'budget_alerting is not supported with budget_scope user: these budgets never alert',
    ]);
  });

  test('of any other scope requires alerting and its recipients', () => {
    expect(created({ ...valid, budget_alerting: { will_alert: true } })).toEqual([
      'budget_alerting.alert_recipients is required',
    ]);
    expect(created({ ...valid, budget_alerting: { alert_recipients: ['octocat'] } })).toEqual([
      'budget_alerting.will_alert is required',
    ]);
    expect(created({ ...valid, budget_alerting: 'yes' })).toEqual(['budget_alerting must be an object']);
  });

  test('is rejected with all of its errors at once', () => {
    expect(
      created({
        ...ofUser,
        budget_amount: -5,
        prevent_further_usage: false,
        user: undefined,
        budget_product_sku: 'actions',
      }),
    ).toEqual([
      'budget_amount must be at least 0',
      'prevent_further_usage must be true when budget_scope is user',
      'budget_product_sku must be ai_credits or premium_requests when budget_scope is user',
      'user is required when budget_scope is user',
    ]);
  });

  test('may have a scope or type from a newer platform', () => {
    const { problems, unknown } = checkBody(createEnterpriseBudget, {
      ...valid,
      budget_scope: 'galaxy',
      budget_type: 'FreePricing',
    });
    expect(problems).toEqual([]);
    expect(unknown.map(({ field }) => field)).toEqual(['budget_scope', 'budget_type']);
  });
});

describe('a change of a budget', () => {
  test('may contain any single field: “the same fields, all optional”', () => {
    expect(updated({ budget_amount: 300 })).toEqual([]);
    expect(updated({ budget_scope: 'user' })).toEqual([]);
    expect(updated({ budget_alerting: { will_alert: false } })).toEqual([]);
  });

  test('requires prevent_further_usage to be true for scopes user and multi_user_customer', () => {
    expect(updated({ budget_scope: 'multi_user_customer', prevent_further_usage: false })).toEqual([
      'prevent_further_usage must be true when budget_scope is multi_user_customer',
    ]);
    expect(updated({ prevent_further_usage: false })).toEqual([]);
  });

  test('may contain alerting for scope user, which the platform ignores', () => {
    expect(updated({ budget_scope: 'user', budget_alerting: { will_alert: true } })).toEqual([]);
  });

  test('requires products that match the scope', () => {
    expect(updated({ budget_scope: 'multi_user_cost_center', budget_product_sku: 'actions' })).toEqual([
      'budget_product_sku must be ai_credits or premium_requests when budget_scope is multi_user_cost_center',
    ]);
    expect(updated({ budget_type: 'BundlePricing', budget_product_sku: 'packages' })).toEqual([
      'budget_product_sku must be ai_credits when budget_type is BundlePricing',
    ]);
  });
});

describe('budget lists', () => {
  test('start with pages of 10, as specified under Limits, and end by has_next_page', () => {
    for (const { perPage, paging, items } of [listEnterpriseBudgets, listOrganizationBudgets])
      expect({ perPage, paging, items }).toEqual({ perPage: 10, paging: 'has_next_page', items: 'budgets' });
  });

  test('have seven scopes in an enterprise and four in an organization', () => {
    const all = [
      'enterprise',
      'organization',
      'repository',
      'cost_center',
      'multi_user_customer',
      'multi_user_cost_center',
      'user',
    ];
    const known = (schema: Parameters<typeof checkValue>[0]) =>
      all.filter((scope) => checkValue(schema, scope).unknown.length === 0);
    expect(known(listEnterpriseBudgets.query.scope)).toEqual(all);
    expect(known(listOrganizationBudgets.query.scope)).toEqual([
      'organization',
      'repository',
      'multi_user_customer',
      'user',
    ]);
  });
});
