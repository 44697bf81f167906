/** The owner of budgets, and the columns of budgets. */

import { ForgectlCommand, type Parsed } from '../../cli/command/command.ts';
import type { PickList } from '../../cli/command/picking.ts';
import { UsageError } from '../../cli/errors.ts';
import { type InvalidArgument, invalidArgument, orgOrEnterpriseArg, plainNameArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import type { Appearance, Column, FieldOf } from '../../output/table/columns.ts';
import { alertingFields } from '../../platform/endpoints/budgets.ts';
import type { Budget, BudgetChange } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import { optionalFields } from '../../platform/schema.ts';
import { invalid } from '../../platform/validate.ts';
import { requireFields } from '../required-fields.ts';

/** The owner argument. If --enterprise or --org replaces it, the arguments after it move up. */
export const ownerArg = { org: orgOrEnterpriseArg() };

export const ownerFlags = {
  enterprise: valueFlag('--enterprise', plainName, {
    helpValue: 'SLUG',
    question: 'Enterprise slug',
    description: 'Enterprise that owns the budgets; this or ORG is required',
  }),
  org: {
    ...valueFlag('--org', plainName, { helpValue: 'ORG', description: 'Accepted in place of ORG' }),
    hidden: true,
  },
};

type OwnerFlags = { readonly [name in keyof typeof ownerFlags]?: string | undefined };

/** The arguments in their places. */
interface BudgetArgs {
  readonly org?: string | InvalidArgument | undefined;
  readonly id?: string | InvalidArgument | undefined;
}

/** The path parameter of the owner. */
type BudgetOwner = { readonly enterprise: string } | { readonly org: string };

export const isEnterprise = (owner: BudgetOwner): owner is { readonly enterprise: string } => 'enterprise' in owner;

/** Returns the owner as typed before other arguments, for commands in messages. */
export const ownerWords = (owner: BudgetOwner): string =>
  isEnterprise(owner) ? `--enterprise ${owner.enterprise}` : owner.org;

/** Flags for the fields of `budget_alerting`, as an alternative to JSON. None is required on its own. */
export const alertingFlags = fieldFlags(optionalFields(alertingFields).entries);

/** Combines those flags in the body. */
export const alertingParts = { parts: { budget_alerting: alertingFields } };

/** A command for the budgets of one enterprise or organization. */
export abstract class BudgetCommand<T> extends ForgectlCommand<T> {
  #id: Promise<string> | undefined;

  /** The owner on the command line, once that is parsed. */
  protected owner: BudgetOwner | InvalidArgument = invalidArgument;

  protected override readonly picks = {
    id: () => (this.owner === invalidArgument ? undefined : budgetsOf(this.owner)),
  };

  protected override async placed(typed: BudgetArgs, { flags, raw }: Parsed): Promise<BudgetArgs> {
    const named = Object.keys(ownerFlags).filter((name) =>
      raw.some((token) => token.type === 'flag' && token.flag === name),
    );
    const isOmitted = named.length > 0 && 'id' in this.ctor.args && typed.id === undefined;
    const { org, id } = isOmitted ? { org: undefined, id: typed.org } : typed;
    if (isOmitted) this.#renameProblems('ORG', 'ID');
    const given = [...(org === undefined ? [] : ['ORG']), ...named.map((name) => `--${name}`)];
    if (given.length > 1) this.problems.push(invalid(given.join(' and '), 'cannot be used together'));
    const owner: OwnerFlags = given.length > 0 ? flags : await this.input.missingArgumentOrFlag('org', 'enterprise');
    const login = owner.org ?? org;
    if (owner.enterprise !== undefined) this.owner = { enterprise: owner.enterprise };
    else if (typeof login === 'string') this.owner = { org: login };
    return { org: login, id };
  }

  /** Corrects the argument name in problems that were found before the arguments moved up. */
  #renameProblems(from: string, to: string): void {
    const renamed = this.problems.map((problem) => (problem.field === from ? { ...problem, field: to } : problem));
    this.problems.splice(0, this.problems.length, ...renamed);
  }

  /**
   * Returns the ID of the only budget whose ID begins with `given`; looks it up once. Throws UsageError for several
   * matches.
   */
  protected budgetId(owner: BudgetOwner, given: string): Promise<string> {
    this.#id ??= this.#findId(owner, given);
    return this.#id;
  }

  async #findId(owner: BudgetOwner, given: string): Promise<string> {
    if (!beginningOfId.test(given)) return given;
    const { list } = budgetsOf(owner);
    const all = await (await list(this.session, { all: true })).records();
    const root = isEnterprise(owner) ? `/enterprises/${owner.enterprise}` : `/organizations/${owner.org}`;
    // One without an ID may be another match.
    for (const each of all)
      requireFields(each, { method: 'GET', path: `${root}/settings/billing/budgets` }, { id: 'text' });
    const ids = all.map(({ id }) => id);
    const found = ids.filter((id) => id.toLowerCase().startsWith(given.toLowerCase()));
    if (found.length > 1)
      throw new UsageError(`“${given}” matches several budgets: ${found.join(', ')}. Nothing was sent.`);
    return found[0] ?? given;
  }

  /** Prints the platform's message about a change; JSON output already contains it. */
  protected told(answer: BudgetChange): BudgetChange {
    if (!this.output.saysJson && typeof answer.message === 'string') this.notice(answer.message);
    return answer;
  }
}

/** Matches the start of a UUID, which has 36 characters; other text is left to the platform. */
const beginningOfId = /^[\da-f-]{1,35}$/i;

/** Returns the argument for a budget. */
export const budgetArg = () => plainNameArg('ID', 'Budget ID or its unique first characters');

/** The choices of a prompt for a budget. */
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
  { header: 'ID', get: 'id', priority: 1 },
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

/** Returns the unit of an amount; budgets for products licensed per seat count licenses. Specification, Budget. */
function unit(budget: Budget): Appearance {
  return /licen[cs]e|seat/i.test(products(budget) ?? '') ? 'count' : 'usd';
}

function products({ budget_product_sku: sku, budget_product_skus: skus }: Budget): string | undefined {
  return sku ?? skus?.join(', ');
}

/** Returns the consumed share of the budget; undefined if either amount is missing or the budget is zero. */
function used({ budget_amount: amount, consumed_amount: consumed }: Budget): number | undefined {
  return consumed === undefined || !(amount > 0) ? undefined : consumed / amount;
}

/** Returns the alert recipients; false rather than undefined if alerts are off. */
function alerts({ budget_alerting: alerting }: Budget): unknown {
  return alerting?.will_alert ? alerting.alert_recipients.join(', ') || true : alerting?.will_alert;
}

/** The columns of a response to a change, which contains the budget. */
export const changedBudgetColumns: readonly Column<BudgetChange>[] = budgetColumns.map(({ get, as, ...column }) => ({
  ...column,
  as: typeof as === 'function' ? ({ budget }) => as(budget) : as,
  get: typeof get === 'function' ? ({ budget }) => get(budget) : (`budget.${get}` as FieldOf<BudgetChange>),
}));
