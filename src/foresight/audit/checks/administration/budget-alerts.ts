import type { Budget } from '../../../../platform/records.ts';
import { budgetRule } from '../../budget-rule.ts';

export const [budgetAlerts, enterpriseBudgetAlerts] = budgetRule({
  id: 'budget-alerts',
  severity: 'info',
  title: 'Budgets alert somebody',
  description:
    'Without alerts, nobody notices that a budget is used up until usage is blocked or paid. Budgets of a single user never alert.',
  problem: (budget) => (alertsSomebody(budget) ? undefined : 'alerts nobody'),
  needs: ({ budget_scope: scope, budget_alerting: alerting }) =>
    scope === 'user' || alerting ? undefined : 'budget_alerting',
  fix: ({ budget_alerting: alerting }) => {
    const { alert_recipients: recipients = [] } = alerting ?? {};
    return recipients.length > 0
      ? { flags: ['--will-alert'], fields: { budget_alerting: { will_alert: true, alert_recipients: recipients } } }
      : { hint: 'Choose who is alerted', flags: '--will-alert --alert-recipients LOGIN' };
  },
});

const alertsSomebody = ({ budget_scope: scope, budget_alerting: alerting }: Budget): boolean =>
  scope === 'user' || (alerting?.will_alert === true && alerting.alert_recipients.length > 0);
