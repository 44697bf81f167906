/** Whose budgets a command is about, and how budgets are shown. */

import { ForgectlCommand } from '../cli/command/command.ts';
import type { PickList } from '../cli/command/picking.ts';
import { UsageError } from '../cli/errors.ts';
import { nameArg, type Unread, unread } from '../cli/input/args.ts';
import { fieldFlags } from '../cli/input/fields.ts';
import { valueFlag } from '../cli/input/flags.ts';
import { plainName } from '../cli/input/values.ts';
import type { Appearance, Column, FieldOf } from '../output/table/columns.ts';
import { alertingFields } from '../platform/endpoints/budgets.ts';
import type { Budget, BudgetChange } from '../platform/records.ts';
import { budgets } from '../platform/resources/budgets.ts';
import { optionalFields } from '../platform/schema.ts';

export const ownerFlags = {
  enterprise: valueFlag('--enterprise', plainName, {
    helpValue: 'SLUG',
    question: 'The enterprise whose budgets are meant',
    description: 'The enterprise whose budgets are meant; this or --org is required',
  }),
  org: valueFlag('--org', plainName, {
    helpValue: 'ORG',
    question: 'The organization whose budgets are meant',
    description: 'The organization whose budgets are meant; this or --enterprise is required',
  }),
};

type OwnerFlags = { readonly [name in keyof typeof ownerFlags]?: string | undefined };

/** The path parameter that stands for the owner of budgets. */
type BudgetOwner = { readonly enterprise: string } | { readonly org: string };

export const isEnterprise = (owner: BudgetOwner | Unread): owner is { readonly enterprise: string } =>
  owner !== unread && 'enterprise' in owner;

/** The owner as flags, for the commands that messages name. */
export const ownerAsFlags = (owner: BudgetOwner): string =>
  isEnterprise(owner) ? `--enterprise ${owner.enterprise}` : `--org ${owner.org}`;

/** The members of `budget_alerting` as flags, so that nobody has to write JSON. None is required by itself. */
export const alertingFlags = fieldFlags(optionalFields(alertingFields).entries);

/** How a body is made from those. */
export const alertingParts = { parts: { budget_alerting: alertingFields } };

/** A command about the budgets of one enterprise or organization. */
export abstract class BudgetCommand<T> extends ForgectlCommand<T> {
  #owner: Promise<BudgetOwner | Unread> | undefined;
  #id: Promise<string> | undefined;

  protected override readonly picks = {
    id: async (_given: object, flags: OwnerFlags) => {
      const owner = await this.budgetOwner(flags);
      return owner === unread ? undefined : budgetsOf(owner);
    },
  };

  /** The owner that exactly one flag names; where none does it is asked for, and anything else is noted as a problem; once. */
  protected budgetOwner(flags: OwnerFlags): Promise<BudgetOwner | Unread> {
    this.#owner ??= this.#findOwner(flags);
    return this.#owner;
  }

  async #findOwner(flags: OwnerFlags): Promise<BudgetOwner | Unread> {
    const { enterprise, org } = await this.input.oneOfFlags(['enterprise', 'org'], flags);
    if (org !== undefined) return { org };
    return enterprise === undefined ? unread : { enterprise };
  }

  /** Returns the id of the one budget whose id begins with `given`; asks once. Throws UsageError where several do. */
  protected budgetId(owner: BudgetOwner, given: string): Promise<string> {
    this.#id ??= this.#findId(owner, given);
    return this.#id;
  }

  async #findId(owner: BudgetOwner, given: string): Promise<string> {
    if (!beginningOfId.test(given)) return given;
    const { list } = budgetsOf(owner);
    const found: string[] = [];
    for await (const page of (await list(this.session, { all: true })).pages())
      for (const { id } of page) if (id.toLowerCase().startsWith(given.toLowerCase())) found.push(id);
    if (found.length > 1)
      throw new UsageError(`“${given}” matches several budgets: ${found.join(', ')}. Nothing was sent.`);
    return found[0] ?? given;
  }

  /** Says what the platform said of a change; in JSON it is part of the answer. */
  protected told(answer: BudgetChange): BudgetChange {
    if (!this.output.saysJson && typeof answer.message === 'string') this.notice(answer.message);
    return answer;
  }
}

/** A UUID has 36 characters; anything else that is no part of one is left to the platform. */
const beginningOfId = /^[\da-f-]{1,35}$/i;

/** Describes the argument that names a budget. */
export const budgetArg = () => nameArg('ID', 'Id of the budget, or the first characters that no other id begins with');

/** The budgets to choose from, where nobody says which one is meant. */
const budgetsOf = (owner: BudgetOwner): PickList<Budget> => ({
  question: 'Which budget?',
  list: (session, cut) => session.list(budgets.of(owner).list, { path: owner }, cut, {}),
  choice: (budget) => {
    const { id, budget_scope: scope, budget_entity_name: entity, user } = budget;
    const parts = [products(budget), [scope, entity || user].filter(Boolean).join(' ')];
    return { name: `${parts.filter(Boolean).join(', ')} (${id})`, value: id };
  },
});

export const budgetColumns: readonly Column<Budget>[] = [
  { header: 'Id', get: 'id', priority: 1 },
  { header: 'Scope', get: 'budget_scope', priority: 3 },
  { header: 'Entity', get: ({ budget_entity_name, user }) => budget_entity_name || user, as: 'name', priority: 1 },
  { header: 'Product', get: products, as: 'text' },
  { header: 'Amount', get: 'budget_amount', as: unit },
  { header: 'Consumed', get: 'consumed_amount', as: unit },
  { header: 'Used', get: used, as: 'percent', only: 'table' },
  { header: 'Used drawn', get: used, as: 'meter', only: 'table' },
  { header: 'Stops usage', get: 'prevent_further_usage', priority: 3 },
  { header: 'Alerts', get: alerts, as: 'text', priority: 3 },
  { header: 'Type', get: 'budget_type', priority: 3 },
];

/** Of products that are sold by licences, a budget counts licences. Specification, Budget. */
function unit(budget: Budget): Appearance {
  return /licen[cs]e|seat/i.test(products(budget) ?? '') ? 'count' : 'usd';
}

function products({ budget_product_sku: sku, budget_product_skus: skus }: Budget): string | undefined {
  return sku ?? skus?.join(', ');
}

/** Which part of the budget is consumed; unknown where either is not told, or nothing may be spent. */
function used({ budget_amount: amount, consumed_amount: consumed }: Budget): number | undefined {
  return consumed === undefined || !(amount > 0) ? undefined : consumed / amount;
}

/** Who is alerted; no one is “false”, so that a script sees that it is not merely unknown. */
function alerts({ budget_alerting: alerting }: Budget): unknown {
  return alerting?.will_alert ? alerting.alert_recipients.join(', ') || true : alerting?.will_alert;
}

/** The budget of an answer that says what was done to it. */
export const changedBudgetColumns: readonly Column<BudgetChange>[] = budgetColumns.map(({ get, as, ...column }) => ({
  ...column,
  as: typeof as === 'function' ? ({ budget }) => as(budget) : as,
  get: typeof get === 'function' ? ({ budget }) => get(budget) : (`budget.${get}` as FieldOf<BudgetChange>),
}));
