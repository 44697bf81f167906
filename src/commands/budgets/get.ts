import { examples } from '../../cli/command/command.ts';
import type { Budget } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import { BudgetCommand, budgetArg, budgetColumns, ownerArg, ownerFlags } from '../../topics/budgets/owner.ts';

export default class BudgetsGet extends BudgetCommand<Budget> {
  static override summary = 'Show a budget of an enterprise or organization';
  static override description =
    'Shows a budget’s scope, amount, consumption and alerts, by its ID or the start of its ID.';
  static override examples = examples({
    'Show details': 'forgectl budgets get acme fe0c2a3e-7cfb-4759-85b7-d3b724c17e5a',
    'Print only the amount of an enterprise’s budget':
      'forgectl budgets get --enterprise sandbox 5698c621-6f69-4299-81be-cc06404bf63c --jq .budget_amount',
  });
  static override requests = [...budgets.routes('get'), ...budgets.routes('list')];
  static override args = { ...ownerArg, id: budgetArg() };
  static override flags = ownerFlags;

  protected override readonly columns = budgetColumns;
  protected override readonly idField = 'id';

  async run() {
    const { args } = await this.collect(BudgetsGet);
    const { owner, id } = this.valid({ owner: this.owner, ...args });
    return this.call(budgets.of(owner).get, { path: { ...owner, budget_id: await this.budgetId(owner, id) } });
  }
}
