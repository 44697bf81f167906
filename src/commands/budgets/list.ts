import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listEnterpriseBudgets } from '../../platform/endpoints/budgets.ts';
import type { Budget, BudgetsOfUser } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import { BudgetCommand, budgetColumns, ownerFlags } from '../../topics/budget-owner.ts';

export default class BudgetsList extends BudgetCommand<Listing<Budget>> {
  static override summary = 'List the budgets of an enterprise or an organization';
  static override description =
    `Lists budgets with what is consumed of each. Owners and billing managers of an enterprise see all of its budgets; administrators of an
organization see the budgets of the organization and of its repositories. With --user the consumed amounts are those of one user, and
stderr says which budget holds for that user.`;
  static override examples = [
    {
      description: 'All budgets of an enterprise',
      command: '<%= config.bin %> budgets list --enterprise sandbox --all',
    },
    {
      description: 'What one user has consumed',
      command: '<%= config.bin %> budgets list --enterprise sandbox --scope user --user riverotter',
    },
  ];
  static override requests = budgets.routes('list');
  static override flags = { ...ownerFlags, ...queryFlags(listEnterpriseBudgets.query), ...listFlags };

  protected override readonly columns = budgetColumns;
  protected override readonly recordsName = 'budgets';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.collect(BudgetsList);
    const owner = await this.budgetOwner(flags);
    const note = flags.user === undefined ? undefined : effectiveBudget;
    const { list } = budgets.of(owner);
    const input = await this.inputFor(list, flags);
    return this.list(list, { path: this.valid({ owner }).owner, ...input }, flags, { note });
  }
}

/** Which budget holds for the user that was asked about: the list's envelope says it. */
function effectiveBudget({ user, effective_budget: budget }: BudgetsOfUser): string | undefined {
  if (!budget) return user === undefined ? undefined : `No budget holds for ${user}.`;
  const { id, budget_amount: amount, consumed_amount: consumed } = budget;
  return `For ${user ?? 'this user'} the budget ${id} holds: ${consumed} of ${amount} consumed.`;
}
