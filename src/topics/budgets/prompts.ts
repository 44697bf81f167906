/** The values that prompts require for a new budget, beyond those the platform requires. */

import type { BodyPrompts } from '../../cli/input/request-body.ts';
import { missing } from '../../platform/validate.ts';

/** Scopes whose budgets have an entity name. */
const namingScopes: readonly unknown[] = ['organization', 'repository', 'cost_center', 'multi_user_cost_center'];

export const budgetPrompts: BodyPrompts = {
  lacks: ({ budget_scope: scope, budget_entity_name: entity, budget_product_sku: product }) => [
    ...(namingScopes.includes(scope) && entity === undefined ? [missing('budget_entity_name')] : []),
    ...(product === undefined ? [missing('budget_product_sku')] : []),
  ],
  questions: async () => (await import('./questions.ts')).budgetQuestions,
};
