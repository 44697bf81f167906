/** Prompts for the parts of a budget that depend on its scope and type. Loaded only for prompts. */
import type { FieldQuestion } from '../../cli/input/prompts/field-question.ts';
import { checkWith, promptChoice, promptText } from '../../cli/input/prompts/prompts.ts';
import { listOfNames, nonEmpty } from '../../cli/input/values.ts';
import { asText, isObject } from '../../json/exact-json.ts';
import { perUserScopes } from '../../platform/endpoints/budgets.ts';

const entities: Readonly<Record<string, string>> = {
  organization: 'Organization login',
  repository: 'Repository (OWNER/NAME)',
};

const entity: FieldQuestion = ({ body, check, asking }) => {
  const question = `${entities[asText(body.budget_scope)] ?? 'Name of the cost center'} (--budget-entity-name):`;
  return promptText(question, asking, (text) => checkWith(nonEmpty)(text) ?? check(text));
};

const product: FieldQuestion = async ({ body, check, asking }) => {
  if (body.budget_type === 'BundlePricing') return 'ai_credits';
  const flag = '(--budget-product-sku):';
  const perUser = ['ai_credits', 'premium_requests'].map((name) => ({ name, value: name }));
  if (perUserScopes.includes(body.budget_scope)) return promptChoice(`Product ${flag}`, perUser, asking);
  const question = body.budget_type === 'SkuPricing' ? 'SKU, such as actions_linux' : 'Product, such as actions';
  return promptText(`${question} ${flag}`, asking, (text) => checkWith(nonEmpty)(text) ?? check(text));
};

/** Without alerts, sends an empty list instead of prompting, because the platform requires the field. */
const recipients: FieldQuestion = async ({ body: { budget_alerting: alerting }, asking }) => {
  if (isObject(alerting) && alerting.will_alert === false) return '[]';
  const question = 'Logins of the alert recipients, comma-separated (--alert-recipients):';
  return promptText(question, asking, checkWith(listOfNames));
};

export const budgetQuestions: Readonly<Record<string, FieldQuestion>> = {
  budget_entity_name: entity,
  budget_product_sku: product,
  'budget_alerting.alert_recipients': recipients,
};
