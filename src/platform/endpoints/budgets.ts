import type * as v from 'valibot';
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

/** Public platform, organization budgets: these scopes and no others. */
const organizationScopes = ['organization', 'repository', 'multi_user_customer', 'user'] as const;

/** Budgets that hold for each user by itself cover these products only. Specification, budget create body, budget_scope. */
export const perUserScopes: readonly unknown[] = ['user', 'multi_user_customer', 'multi_user_cost_center'];
const perUserProducts: readonly unknown[] = ['ai_credits', 'premium_requests'];

/** `prevent_further_usage` must be true for these. Specification, budget create and update body. */
const stoppingScopes: readonly unknown[] = ['user', 'multi_user_customer'];

function stopsUsage({ budget_scope: scope, prevent_further_usage: stops }: Given): Problem[] {
  return stops === false && stoppingScopes.includes(scope)
    ? [invalid('prevent_further_usage', `must be true when budget_scope is ${scope}`)]
    : [];
}

function productOfPerUserScope({ budget_scope: scope, budget_product_sku: product }: Given): Problem[] {
  if (!perUserScopes.includes(scope) || product === undefined || perUserProducts.includes(product)) return [];
  return [invalid('budget_product_sku', `must be ai_credits or premium_requests when budget_scope is ${scope}`)];
}

function productRequiredOnCreation({ budget_scope: scope, budget_product_sku: product }: Given): Problem[] {
  if (!perUserScopes.includes(scope) || product !== undefined) return [];
  return [missing('budget_product_sku', `must be ai_credits or premium_requests when budget_scope is ${scope}`)];
}

/** `BundlePricing` is for the SKU `ai_credits`. Specification, budget create body, budget_type. */
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
 * Alerting is required with both its members, but for the scope `user`, which rejects them because it never alerts.
 * Specification, budget create body, budget_alerting.
 */
function alertingOnCreation({ budget_scope: scope, budget_alerting: alerting }: Given): Problem[] {
  if (alerting === undefined && scope !== 'user')
    return [missing('budget_alerting', 'is required: will_alert and alert_recipients')];
  if (typeof alerting !== 'object' || alerting === null) return [];
  const given = alerting as Given;
  if (scope === 'user')
    return Object.keys(given).length
      ? [invalid('budget_alerting', 'does not go with budget_scope user: such budgets never alert')]
      : [];
  return ['will_alert', 'alert_recipients']
    .filter((member) => given[member] === undefined)
    .map((member) => missing(`budget_alerting.${member}`));
}

/** The members of `budget_alerting`. */
export const alertingFields = {
  will_alert: boolean('Alert when the budget is nearly spent; never with budget_scope user'),
  alert_recipients: strings('Logins of those who are alerted'),
} satisfies v.ObjectEntries;

const budgetFields = {
  budget_amount: integer('Whole currency units; for products licensed by the head, a number of licenses', { min: 0 }),
  prevent_further_usage: boolean('Stop usage once the budget is spent; must stay on for user and multi_user_customer'),
  budget_alerting: nested(
    optionalFields(alertingFields),
    'Whether to alert, and whom, as one object: {"will_alert": true, "alert_recipients": ["octocat"]}',
  ),
  budget_entity_name: string('What the budget is for, such as an organization or OWNER/NAME', {
    default: '',
    mayBeEmpty: true,
  }),
  budget_type: oneOf(
    ['BundlePricing', 'ProductPricing', 'SkuPricing'],
    'What is priced: the bundle ai_credits, a product such as actions, or a single SKU such as actions_linux',
  ),
  budget_product_sku: string('The product or SKU; ai_credits or premium_requests for budgets of each user'),
  user: string('Login that the budget applies to; required when budget_scope is user'),
} satisfies v.ObjectEntries;

const creationBody = <const S extends readonly string[]>(scopes: S) =>
  fields({
    // First, because what else is required follows from it.
    budget_scope: oneOf(scopes, 'What the budget covers'),
    ...optionalFields(budgetFields).entries,
    budget_type: budgetFields.budget_type,
    budget_amount: budgetFields.budget_amount,
    prevent_further_usage: budgetFields.prevent_further_usage,
  });

const updateBody = <const S extends readonly string[]>(scopes: S) =>
  optionalFields({ ...budgetFields, budget_scope: oneOf(scopes, 'What the budget covers') });

const listQuery = <const S extends readonly string[]>(scopes: S) => ({
  scope: oneOf(scopes, 'Only budgets of this scope'),
  user: string('Tell what this user, by login, has consumed'),
});

const rules = [stopsUsage, productOfPerUserScope, productOfBundle];
const creationRules = [...rules, productRequiredOnCreation, userRequiredOnCreation, alertingOnCreation];

/** Specification, Errors: a user budget without a user is refused in words that name another field. */
const userMissing = {
  status: 400,
  field: 'budget_scope',
  advice:
    'Where the platform says that budget_entity_name is missing, it is the user that is missing: give --user LOGIN.',
} as const;
const notEnabled = {
  status: 404,
  advice: 'The platform also answers 404 where budgets are not enabled.',
} as const;
const mustStop = {
  status: 422,
  field: 'prevent_further_usage',
  advice: 'Budgets of the scopes user and multi_user_customer must stop usage: give --prevent-further-usage.',
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

/** Specification, Limits: `per_page` on budgets lists is 10 unless given. */
const paging = { paging: 'has_next_page', items: 'budgets', perPage: 10 } as const;

export const listEnterpriseBudgets = endpoint({
  route: 'GET /enterprises/{enterprise}/settings/billing/budgets',
  summary: 'List the budgets of an enterprise',
  query: listQuery(enterpriseScopes),
  ...paging,
  ...enterprise.read,
  refusals: [notEnabled],
  status: 200,
  answer: list<Budget>(),
});

export const getEnterpriseBudget = endpoint({
  route: 'GET /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Show a budget of an enterprise',
  ...enterprise.read,
  refusals: [notEnabled],
  status: 200,
  answer: record<Budget>(),
});

export const createEnterpriseBudget = endpoint({
  route: 'POST /enterprises/{enterprise}/settings/billing/budgets',
  summary: 'Create a budget of an enterprise',
  body: creationBody(enterpriseScopes),
  rules: creationRules,
  ...enterprise.write,
  refusals: [userMissing, notEnabled],
  status: 200,
  answer: record<BudgetChange>(),
});

export const updateEnterpriseBudget = endpoint({
  route: 'PATCH /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Change a budget of an enterprise; what is left out stays',
  body: updateBody(enterpriseScopes),
  rules,
  ...enterprise.write,
  refusals: [userMissing, notEnabled, mustStop],
  status: 200,
  answer: record<BudgetChange>(),
});

export const deleteEnterpriseBudget = endpoint({
  route: 'DELETE /enterprises/{enterprise}/settings/billing/budgets/{budget_id}',
  summary: 'Delete a budget of an enterprise',
  ...enterprise.write,
  refusals: [notEnabled],
  status: 200,
  answer: record<BudgetRemoval>(),
});

export const listOrganizationBudgets = endpoint({
  route: 'GET /organizations/{org}/settings/billing/budgets',
  summary: 'List the budgets of an organization',
  query: listQuery(organizationScopes),
  ...paging,
  ...organization.read,
  refusals: [notEnabled],
  status: 200,
  answer: list<Budget>(),
});

export const getOrganizationBudget = endpoint({
  route: 'GET /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Show a budget of an organization',
  ...organization.read,
  refusals: [notEnabled],
  status: 200,
  answer: record<Budget>(),
});

export const createOrganizationBudget = endpoint({
  route: 'POST /organizations/{org}/settings/billing/budgets',
  summary: 'Create a budget of an organization',
  body: creationBody(organizationScopes),
  rules: creationRules,
  ...organization.write,
  refusals: [userMissing, notEnabled],
  status: 200,
  answer: record<BudgetChange>(),
});

export const updateOrganizationBudget = endpoint({
  route: 'PATCH /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Change a budget of an organization; what is left out stays',
  body: updateBody(organizationScopes),
  rules,
  ...organization.write,
  refusals: [userMissing, notEnabled, mustStop],
  status: 200,
  answer: record<BudgetChange>(),
});

export const deleteOrganizationBudget = endpoint({
  route: 'DELETE /organizations/{org}/settings/billing/budgets/{budget_id}',
  summary: 'Delete a budget of an organization',
  ...organization.write,
  refusals: [notEnabled],
  status: 200,
  answer: record<BudgetRemoval>(),
});
