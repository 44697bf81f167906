import {
  createEnterpriseBudget,
  createOrganizationBudget,
  deleteEnterpriseBudget,
  deleteOrganizationBudget,
  getEnterpriseBudget,
  getOrganizationBudget,
  listEnterpriseBudgets,
  listOrganizationBudgets,
  updateEnterpriseBudget,
  updateOrganizationBudget,
} from '../endpoints/budgets.ts';
import { resource } from '../resource.ts';

export const budgets = resource({
  key: ['budget_scope', 'budget_entity_name', 'budget_type', 'budget_product_sku', 'user'],
  readOnly: ['budget_product_skus', 'consumed_amount', 'effective_budget'],
  sets: ['budget_alerting.alert_recipients'],
  owners: {
    enterprise: {
      list: listEnterpriseBudgets,
      get: getEnterpriseBudget,
      create: createEnterpriseBudget,
      update: updateEnterpriseBudget,
      delete: deleteEnterpriseBudget,
    },
    organization: {
      list: listOrganizationBudgets,
      get: getOrganizationBudget,
      create: createOrganizationBudget,
      update: updateOrganizationBudget,
      delete: deleteOrganizationBudget,
    },
  },
});
