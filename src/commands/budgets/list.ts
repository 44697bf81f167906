import { BudgetCommand, budgetColumns, isEnterprise, ownerFlags } from '../../cli/budget-owner.ts';
import { queryFlags } from '../../cli/fields.ts';
import { listFlags } from '../../cli/flags.ts';
import type { Listing } from '../../cli/listing.ts';
import { listEnterpriseBudgets, listOrganizationBudgets } from '../../platform/endpoints/budgets.ts';
import type { Budget } from '../../platform/records.ts';

export default class BudgetsList extends BudgetCommand<Listing<Budget>> {
  static override summary = 'List the budgets of an enterprise or an organization';
  static override description =
    `Lists budgets with what is consumed of each. Owners and billing managers of an enterprise see all of its budgets; administrators of an
organization see the budgets of the organization and of its repositories. With --user the consumed amounts are those of one user.`;
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
  static override requests = [listEnterpriseBudgets.route, listOrganizationBudgets.route];
  static override flags = { ...ownerFlags, ...queryFlags(listEnterpriseBudgets.query), ...listFlags };

  protected override readonly columns = budgetColumns;

  async run() {
    const { flags } = await this.collect(BudgetsList);
    const owner = this.budgetOwner(flags);
    if (isEnterprise(owner)) {
      const input = await this.inputFor(listEnterpriseBudgets, flags);
      return this.list(listEnterpriseBudgets, { path: owner, ...input }, flags);
    }
    const input = await this.inputFor(listOrganizationBudgets, flags);
    return this.list(listOrganizationBudgets, { path: owner, ...input }, flags);
  }
}
