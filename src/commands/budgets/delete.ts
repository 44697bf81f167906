import { examples } from '../../cli/command/command.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import type { BudgetRemoval } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import {
  BudgetCommand,
  budgetArg,
  budgetColumns,
  isEnterprise,
  ownerArg,
  ownerFlags,
  ownerWords,
} from '../../topics/budgets/owner.ts';

export default class BudgetsDelete extends BudgetCommand<BudgetRemoval> {
  static override summary = 'Delete a budget of an enterprise or organization';
  static override description = 'Deletes a budget. Usage that it blocked can continue unless another budget limits it.';
  static override examples = examples({
    'Preview the request': 'forgectl budgets delete acme fe0c2a3e-7cfb-4759-85b7-d3b724c17e5a --dry-run',
    'Delete an enterprise’s budget without confirmation':
      'forgectl budgets delete --enterprise sandbox d3ccca7b-2665-423d-85ee-42901df2b112 --yes',
  });
  static override requests = [...budgets.routes('delete'), ...budgets.routes('list')];
  static override args = { ...ownerArg, id: budgetArg() };
  static override flags = { ...ownerFlags, ...confirmedWriteFlags };

  protected override readonly idField = 'id';

  async run() {
    const { args } = await this.collect(BudgetsDelete);
    const { owner, id: given } = this.valid({ owner: this.owner, ...args });
    const ownerName = isEnterprise(owner) ? `enterprise ${owner.enterprise}` : `organization ${owner.org}`;
    const effectOn = (id: string) => `deletes budget ${id} of ${ownerName}`;
    // Without a prompt, nothing is read before the confirmation.
    if (!this.input.canPrompt()) await this.input.confirm(given, effectOn(given));
    const id = await this.budgetId(owner, given);
    const options = {
      name: id,
      effect: effectOn(id),
      verifyCommand: `forgectl budgets list ${ownerWords(owner)} --all`,
    };
    const operations = budgets.of(owner);
    const input = { path: { ...owner, budget_id: id } };
    const preview = async () => {
      const record = await this.call(operations.get, input);
      return { record, columns: budgetColumns };
    };
    return this.remove(operations.delete, input, { ...options, preview });
  }
}
