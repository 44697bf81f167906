import { examples } from '../../cli/command/command.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { createEnterpriseBudget } from '../../platform/endpoints/budgets.ts';
import type { BudgetChange } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import {
  alertingFlags,
  alertingParts,
  BudgetCommand,
  changedBudgetColumns,
  ownerArg,
  ownerFlags,
  ownerWords,
} from '../../topics/budgets/owner.ts';
import { budgetPrompts } from '../../topics/budgets/prompts.ts';

export default class BudgetsCreate extends BudgetCommand<BudgetChange> {
  static override summary = 'Create a budget of an enterprise or organization';
  static override description =
    `Creates a budget for a product or a single SKU. Per-user budgets (scopes user, multi_user_customer and
multi_user_cost_center) support only ai_credits and premium_requests. Budgets with scope user or multi_user_customer
must block usage once spent. Budgets with scope user never alert; all others require alert settings.`;
  static override examples = examples({
    'Limit an organization’s spending on actions to 200 and alert two people':
      'forgectl budgets create acme --budget-scope organization --budget-entity-name acme --budget-type ProductPricing --budget-product-sku actions --budget-amount 200 --no-prevent-further-usage --will-alert --alert-recipients riverotter,paperfox',
    'Limit the premium requests of one user in an enterprise':
      'forgectl budgets create --enterprise sandbox --budget-scope user --user riverotter --budget-type SkuPricing --budget-product-sku premium_requests --budget-amount 50 --prevent-further-usage',
  });
  static override requests = budgets.routes('create');
  static override args = ownerArg;
  static override flags = {
    ...ownerFlags,
    ...fieldFlags(createEnterpriseBudget.body.entries),
    ...alertingFlags,
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns = changedBudgetColumns;
  protected override readonly idField = 'budget.id';

  protected override readonly made = ({ budget }: BudgetChange) =>
    `Created budget ${budget.id} (${budget.budget_scope}, amount ${budget.budget_amount})`;

  async run() {
    const { flags } = await this.collect(BudgetsCreate);
    const { create } = budgets.of(this.owner);
    const input = await this.inputFor(create, flags, {
      resource: budgets,
      ...alertingParts,
      prompts: budgetPrompts,
    });
    const { owner } = this.valid({ owner: this.owner });
    const verifyCommand = `forgectl budgets list ${ownerWords(owner)} --all`;
    const answer = await this.write(create, { path: owner, ...input }, { verifyCommand });
    return answer instanceof PlannedRequest ? answer : this.told(answer);
  }
}
