/** Checks of the budgets of organizations and enterprises. */
import type { Budget } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { type Check, check, fail, pass, unreadable, type Verdict } from './check.ts';

interface BudgetCheck extends Pick<Check, 'id' | 'severity' | 'title' | 'description'> {
  /** What is wrong with a budget as a clause that follows its name, or undefined. */
  readonly problem: (budget: Budget) => string | undefined;
  /** A field without which a budget cannot be judged. */
  readonly needs?: (budget: Budget) => keyof Budget | undefined;
  /** Flags of `budgets update` and fields of policies, or what to do first. */
  readonly fix: (
    budget: Budget,
  ) =>
    | { readonly flags: readonly string[]; readonly fields: Partial<Budget> }
    | { readonly hint: string; readonly flags: string };
}

const documents = ['https://docs.github.com/en/billing/managing-your-billing/using-budgets-control-spending'];

/** Returns a check of the budgets of an organization, and one of those of an enterprise. */
export function budgetRule({ problem, needs, fix, id, ...declaration }: BudgetCheck): readonly [Check, Check] {
  const judge = (budgets: readonly Budget[], target: readonly string[], owner: Given): readonly Verdict[] => {
    if (budgets.length === 0) return [pass];
    const keys = Map.groupBy(budgets, (budget) => JSON.stringify(keyOf(budget)));
    return budgets.map((budget): Verdict => {
      const lacking = needs?.(budget);
      if (lacking !== undefined) return unreadable(`the list of budgets does not return ${lacking}`, budget.id);
      const wrong = problem(budget);
      if (wrong === undefined) return { status: 'pass', object: budget.id };
      const command = ['budgets', 'update', ...target, budget.id];
      const mended = fix(budget);
      const evidence = [{ name: 'budget_amount', value: budget.budget_amount }];
      return fail(
        `The budget of ${subjectOf(budget)} ${wrong}.`,
        evidence,
        'hint' in mended
          ? { hint: `${mended.hint}: forgectl ${command.join(' ')} ${mended.flags}` }
          : {
              command: [...command, ...mended.flags],
              // A policy cannot tell budgets with the same key apart.
              ...(keys.get(JSON.stringify(keyOf(budget)))?.length === 1 && {
                policy: { ...owner, budgets: [{ ...keyOf(budget), ...mended.fields }] },
              }),
            },
        { object: budget.id },
      );
    });
  };
  const common = { ...declaration, documents, maps: {} };
  return [
    check({
      ...common,
      id,
      scope: 'organization',
      reads: ['budgets'],
      judge: ({ budgets }, { owner }) => judge(budgets, [owner], { organizations: [owner] }),
    }),
    check({
      ...common,
      id: `enterprise-${id}`,
      scope: 'enterprise',
      reads: ['budgets'],
      judge: ({ budgets }, { owner }) => judge(budgets, ['--enterprise', owner], { enterprise: owner }),
    }),
  ];
}

const productOf = ({ budget_product_sku: product, budget_product_skus: products }: Budget): string | undefined =>
  product ?? products?.[0];

const subjectOf = (budget: Budget): string =>
  [budget.budget_entity_name || budget.budget_scope, productOf(budget)].filter(Boolean).join(' for ');

/** The fields that identify a budget in policies. */
function keyOf(budget: Budget): Partial<Budget> {
  const { budget_scope, budget_type, budget_entity_name, user } = budget;
  const product = productOf(budget);
  return {
    budget_scope,
    budget_type,
    ...(budget_entity_name && { budget_entity_name }),
    ...(product && { budget_product_sku: product }),
    ...(user && { user }),
  };
}
