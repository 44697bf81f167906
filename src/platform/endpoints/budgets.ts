import type * as v from 'valibot';
import { asText } from '../../json/exact-json.ts';
import { endpoint, list, record } from '../endpoint.ts';
import type { Budget, BudgetChange, BudgetRemoval } from '../records.ts';
import { boolean, fields, integer, nested, oneOf, optionalFields, string, strings } from '../schema.ts';
import { type Given, invalid, missing, type Problem } from '../validate.ts';

const enterpriseScopes = [
  'enterprise',
  'organization',
  'repository',
  'cost_center',
  'multi_user_customer',
  'multi_user_cost_center',
  'user',
] as const;

/** The scopes of organization budgets, as documented by the public platform. */
const organizationScopes = ['organization', 'repository', 'multi_user_customer', 'user'] as const;

/** The only products that per-user budgets cover. Specification, budget create body, budget_scope. */
export const perUserScopes: readonly unknown[] = ['user', 'multi_user_customer', 'multi_user_cost_center'];
const perUserProducts: readonly unknown[] = ['ai_credits', 'premium_requests'];

/** `prevent_further_usage` must be true for these. Specification, budget create and update body. */
const stoppingScopes: readonly unknown[] = ['user', 'multi_user_customer'];

function stopsUsage({ budget_scope: scope, prevent_further_usage: stops }: Given): Problem[] {
  return stops === false && stoppingScopes.includes(scope)
    ? [invalid('prevent_further_usage', `must be true when budget_scope is ${asText(scope)}`)]
    : [];
}

function productOfPerUserScope({ budget_scope: scope, budget_product_sku: product }: Given): Problem[] {
  if (!perUserScopes.includes(scope) || product === undefined || perUserProducts.includes(product)) return [];
  return [
    invalid('budget_product_sku', `must be ai_credits or premium_requests when budget_scope is ${asText(scope)}`),
  ];
}

function productRequiredOnCreation({ budget_scope: scope, budget_product_sku: product }: Given): Problem[] {
  if (!perUserScopes.includes(scope) || product !== undefined) return [];
  return [
    missing('budget_product_sku', `must be ai_credits or premium_requests when budget_scope is ${asText(scope)}`),
  ];
}

/** `BundlePricing` requires the SKU `ai_credits`. Specification, budget create body, budget_type. */
function productOfBundle({ budget_type: type, budget_product_sku: product }: Given): Problem[] {
  return type === 'BundlePricing' && product !== undefined && product !== 'ai_credits'
    ? [invalid('budget_product_sku', 'must be ai_credits when budget_type is BundlePricing')]
    : [];
}

/** `user` is required when budget_scope is `user`. Specification, budget create body. */
function userRequiredOnCreation({ budget_scope: scope, user }: Given): Problem[] {
  return scope === 'user' && (user === undefined || user === '')
    ? [missing('user', 'is required when budget_scope is user')]
    : [];
}

/**
 * Alerting requires both of its fields, except for scope `user`, which never alerts and rejects them. Specification,
 * budget create body, budget_alerting.
 */
function alertingOnCreation({ budget_scope: scope, budget_alerting: alerting }: Given): Problem[] {
  if (alerting === undefined && scope !== 'user')
    return [missing('budget_alerting', 'is required, with will_alert and alert_recipients')];
  if (typeof alerting !== 'object' || alerting === null) return [];
  const given = alerting as Given;
  if (scope === 'user')
    return Object.keys(given).length
      ? [invalid('budget_alerting', 'is not supported with budget_scope user: these budgets never alert')]
      : [];
  return ['will_alert', 'alert_recipients']
    .filter((member) => given[member] === undefined)
    .map((member) => missing(`budget_alerting.${member}`));
}

/** The fields of `budget_alerting`. */
export const alertingFields = {
  will_alert: boolean('Send alerts as spending approaches the budget; not supported with budget_scope user'),
  alert_recipients: strings('Logins of the alert recipients'),
} satisfies v.ObjectEntries;

const budgetFields = {
  budget_amount: integer('Amount in whole currency units, or the number of licenses for products licensed per seat', {
    min: 0,
  }),
  prevent_further_usage: boolean(
    'Block usage once the budget is spent; required for the scopes user and multi_user_customer',
  ),
  budget_alerting: nested(
    optionalFields(alertingFields),
    'Alert settings as an object: {"will_alert": true, "alert_recipients": ["octocat"]}',
  ),
  budget_entity_name: string('Name of the entity that the budget covers, such as an organization or OWNER/NAME', {
    default: '',
    mayBeEmpty: true,
  }),
  budget_type: oneOf(
    ['BundlePricing', 'ProductPricing', 'SkuPricing'],
    'Pricing type: the bundle ai_credits, a product such as actions, or a single SKU such as actions_linux',
  ),
  budget_product_sku: string('Product or SKU; ai_credits or premium_requests for per-user scopes'),
  user: string('Login of the user that the budget applies to; required with scope user'),
} satisfies v.ObjectEntries;

const creationBody = <const S extends readonly string[]>(scopes: S) =>
  fields({
    // First, because other requirements depend on it.
    budget_scope: oneOf(scopes, 'Scope of the budget'),
    ...optionalFields(budgetFields).entries,
    budget_type: budgetFields.budget_type,
    budget_amount: budgetFields.budget_amount,
    prevent_further_usage: budgetFields.prevent_further_usage,
  });

const updateBody = <const S extends readonly string[]>(scopes: S) =>
  optionalFields({ ...budgetFields, budget_scope: oneOf(scopes, 'Scope of the budget') });

const listQuery = <const S extends readonly string[]>(scopes: S) => ({
  scope: oneOf(scopes, 'Filter by budget scope'),
  user: string('Login of a user; shows the amounts consumed by that user'),
});

const rules = [stopsUsage, productOfPerUserScope, productOfBundle];
const creationRules = [...rules, productRequiredOnCreation, userRequiredOnCreation, alertingOnCreation];

/** Specification, Errors: the error for a user budget without a user reports another field. */
const userMissing = {
  status: 400,
  field: 'budget_scope',
  advice: 'If the platform reports that budget_entity_name is missing, the user is missing: add --user LOGIN.',
} as const;
const notEnabled = {
  status: 404,
  advice: 'The platform also returns 404 when budgets are not enabled.',
} as const;
const mustStop = {
  status: 422,
  field: 'prevent_further_usage',
  advice: 'Budgets with scope user or multi_user_customer must block usage: add --prevent-further-usage.',
} as const;

const access = { role: 'enterprise administrator, organization administrator or billing manager' } as const;
const enterprise = {
  read: { ...access, permission: 'enterprise_billing=read' },
  write: { ...access, permission: 'enterprise_billing=write' },
} as const;
const organization = {
  read: { ...access, permission: 'organization_administration=read', editions: ['hosted'] },
  write: { ...access, permission: 'organization_administration=write', editions: ['hosted'] },
} as const;

/** Specification, Limits: budget lists default to a `per_page` of 10. */
const paging = { paging: 'has_next_page', items: 'budgets', perPage: 10 } as const;

export const listEnterpriseBudgets = endpoint({
  route: 'GET /enterprises/{enterprise}/settings/billing/budgets',
  summary: 'List budgets of an enterprise',
  query: listQuery(enterpriseScopes),
  ...paging,
  ...enterprise.read,
  refusals: [notEnabled],
  answer: list<Budget>(),
});

export const getEnterpriseBudget = endpoint({
  route: 'GET /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Show a budget of an enterprise',
  ...enterprise.read,
  refusals: [notEnabled],
  answer: record<Budget>(),
});

export const createEnterpriseBudget = endpoint({
  route: 'POST /enterprises/{enterprise}/settings/billing/budgets',
  summary: 'Create a budget of an enterprise',
  body: creationBody(enterpriseScopes),
  rules: creationRules,
  ...enterprise.write,
  refusals: [userMissing, notEnabled],
  answer: record<BudgetChange>(),
});

export const updateEnterpriseBudget = endpoint({
  route: 'PATCH /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Update a budget of an enterprise; omitted fields keep their values',
  body: updateBody(enterpriseScopes),
  rules,
  ...enterprise.write,
  refusals: [userMissing, notEnabled, mustStop],
  answer: record<BudgetChange>(),
});

export const deleteEnterpriseBudget = endpoint({
  route: 'DELETE /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Delete a budget of an enterprise',
  ...enterprise.write,
  refusals: [notEnabled],
  answer: record<BudgetRemoval>(),
});

export const listOrganizationBudgets = endpoint({
  route: 'GET /organizations/{org}/settings/billing/budgets',
  summary: 'List budgets of an organization',
  query: listQuery(organizationScopes),
  ...paging,
  ...organization.read,
  refusals: [notEnabled],
  answer: list<Budget>(),
});

export const getOrganizationBudget = endpoint({
  route: 'GET /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Show a budget of an organization',
  ...organization.read,
  refusals: [notEnabled],
  answer: record<Budget>(),
});

export const createOrganizationBudget = endpoint({
  route: 'POST /organizations/{org}/settings/billing/budgets',
  summary: 'Create a budget of an organization',
  body: creationBody(organizationScopes),
  rules: creationRules,
  ...organization.write,
  refusals: [userMissing, notEnabled],
  answer: record<BudgetChange>(),
});

export const updateOrganizationBudget = endpoint({
  route: 'PATCH /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Update a budget of an organization; omitted fields keep their values',
  body: updateBody(organizationScopes),
  rules,
  ...organization.write,
  refusals: [userMissing, notEnabled, mustStop],
  answer: record<BudgetChange>(),
});

export const deleteOrganizationBudget = endpoint({
  route: 'DELETE /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Delete a budget of an organization',
  ...organization.write,
  refusals: [notEnabled],
  answer: record<BudgetRemoval>(),
});
