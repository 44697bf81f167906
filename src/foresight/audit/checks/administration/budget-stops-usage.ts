import { budgetRule } from '../../budget-rule.ts';

export const [budgetStopsUsage, enterpriseBudgetStopsUsage] = budgetRule({
  id: 'budget-stops-usage',
  severity: 'low',
  title: 'Budgets block usage that exceeds them',
  description: 'A budget that does not block usage only reports that the money is spent.',
  problem: ({ prevent_further_usage: stops }) => (stops ? undefined : 'does not block usage that exceeds it'),
  fix: () => ({ flags: ['--prevent-further-usage'], fields: { prevent_further_usage: true } }),
});
