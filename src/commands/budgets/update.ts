import { examples } from '../../cli/command/command.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { updateEnterpriseBudget } from '../../platform/endpoints/budgets.ts';
import type { BudgetChange } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import type { Given } from '../../platform/validate.ts';
import {
  alertingFlags,
  alertingParts,
  BudgetCommand,
  budgetArg,
  changedBudgetColumns,
  ownerArg,
  ownerFlags,
  ownerWords,
} from '../../topics/budgets/owner.ts';

export default class BudgetsUpdate extends BudgetCommand<BudgetChange> {
  static override summary = 'Update a budget of an enterprise or organization';
  static override description =
    `Updates only the given fields. Budgets with scope user or multi_user_customer must keep blocking usage; the platform
ignores alert settings of budgets with scope user.`;
  static override examples = examples({
    'Raise the amount': 'forgectl budgets update acme fe0c2a3e-7cfb-4759-85b7-d3b724c17e5a --budget-amount 500',
    'Preview the request that turns off the alerts of an enterprise’s budget':
      'forgectl budgets update --enterprise sandbox 5698c621-6f69-4299-81be-cc06404bf63c --no-will-alert --dry-run',
  });
  static override requests = [...budgets.routes('update'), ...budgets.routes('list')];
  static override args = { ...ownerArg, id: budgetArg() };
  static override flags = {
    ...ownerFlags,
    ...fieldFlags(updateEnterpriseBudget.body.entries),
    ...alertingFlags,
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly columns = changedBudgetColumns;
  protected override readonly idField = 'budget.id';

  async run() {
    const { args, flags } = await this.collect(BudgetsUpdate);
    const given = { ...args, owner: this.owner };
    const { get, update } = budgets.of(given.owner);
    const pathTo = async () => {
      const { owner, id } = this.valid(given);
      return { ...owner, budget_id: await this.budgetId(owner, id) };
    };
    const current = async () => {
      const path = await pathTo();
      const record = await this.call(get, { path });
      return { ...record, budget_product_sku: record.budget_product_sku ?? record.budget_product_skus?.[0] };
    };
    const { body } = await this.inputFor(update, flags, {
      resource: budgets,
      ...alertingParts,
      changes: true,
      current,
    });
    const path = await pathTo();
    const verifyCommand = `forgectl budgets get ${ownerWords(path)} ${path.budget_id}`;
    const answer = await this.write(update, { path, body }, { verifyCommand });
    return answer instanceof PlannedRequest ? answer : this.toldOf(body, answer);
  }

  protected override changedRecord({ budget }: BudgetChange) {
    return budget;
  }

  /** Returns the result as text, including alert settings that the platform accepts but ignores. */
  private toldOf(body: Given, answer: BudgetChange): BudgetChange {
    if (body.budget_alerting !== undefined && answer.budget.budget_scope === 'user')
      this.notice('Alert settings were ignored: budgets with scope user never alert.');
    return this.told(answer);
  }
}
