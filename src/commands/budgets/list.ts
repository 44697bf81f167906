import { examples } from '../../cli/command/command.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listEnterpriseBudgets } from '../../platform/endpoints/budgets.ts';
import type { Budget, BudgetsOfUser } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import { BudgetCommand, budgetColumns, ownerArg, ownerFlags } from '../../topics/budgets/owner.ts';

export default class BudgetsList extends BudgetCommand<Listing<Budget>> {
  static override summary = 'List budgets of an enterprise or organization';
  static override description =
    `Lists budgets with their consumption. Owners and billing managers of an enterprise see all of its budgets;
administrators of an organization see its budgets and those of its repositories. With --user, the consumed amounts are
those of one user, and stderr shows the budget that applies to the user.`;
  static override examples = examples({
    'List all budgets of an organization': 'forgectl budgets list acme --all',
    'Show the consumption of one user in an enterprise':
      'forgectl budgets list --enterprise sandbox --scope user --user riverotter',
  });
  static override requests = budgets.routes('list');
  static override args = ownerArg;
  static override flags = {
    ...ownerFlags,
    ...queryFlags(listEnterpriseBudgets.query),
    ...listFlags('.budget_amount > 1000'),
  };

  protected override readonly columns = budgetColumns;
  protected override readonly recordsName = 'budgets';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.collect(BudgetsList);
    const note = flags.user === undefined ? undefined : effectiveBudget;
    const { list } = budgets.of(this.owner);
    const input = await this.inputFor(list, flags);
    return this.list(list, { path: this.valid({ owner: this.owner }).owner, ...input }, flags, { note });
  }
}

/** Prints the budget that applies to the user, from the envelope of the list. */
function effectiveBudget({ user, effective_budget: budget }: BudgetsOfUser): string | undefined {
  if (!budget) return user === undefined ? undefined : `No budget applies to ${user}.`;
  const { id, budget_amount: amount, consumed_amount: consumed } = budget;
  return `Budget ${id} applies to ${user ?? 'this user'}: ${consumed} of ${amount} consumed.`;
}
