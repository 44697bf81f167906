import { isObject } from '../../json/exact-json.ts';
import * as endpoints from '../endpoints/budgets.ts';
import { resource } from '../resource.ts';
import type { Given } from '../validate.ts';

export const budgets = resource({
  key: ['budget_scope', 'budget_entity_name', 'budget_type', 'budget_product_sku', 'user'],
  readOnly: ['budget_product_skus', 'consumed_amount', 'effective_budget'],
  toBody: (record) => withoutSilentAlerting(withProduct(record)),
  sets: ['budget_alerting.alert_recipients'],
  owners: {
    enterprise: {
      list: endpoints.listEnterpriseBudgets,
      get: endpoints.getEnterpriseBudget,
      create: endpoints.createEnterpriseBudget,
      update: endpoints.updateEnterpriseBudget,
      delete: endpoints.deleteEnterpriseBudget,
    },
    organization: {
      list: endpoints.listOrganizationBudgets,
      get: endpoints.getOrganizationBudget,
      create: endpoints.createOrganizationBudget,
      update: endpoints.updateOrganizationBudget,
      delete: endpoints.deleteOrganizationBudget,
    },
  },
});

/** Records in lists have their product in a list. */
function withProduct(record: Given): Given {
  const { budget_product_sku: product, budget_product_skus: products } = record;
  const [only, ...others] = Array.isArray(products) ? products : [];
  return product === undefined && only !== undefined && others.length === 0
    ? { ...record, budget_product_sku: only }
    : record;
}

/** User budgets never alert: the platform returns `will_alert: false` but rejects it in a request. */
function withoutSilentAlerting(record: Given): Given {
  const { budget_alerting: alerting, ...budget } = record;
  const isSilent = isObject(alerting) && alerting.will_alert === false;
  return budget.budget_scope === 'user' && isSilent ? budget : record;
}
