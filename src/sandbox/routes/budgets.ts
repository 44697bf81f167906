import { createHash } from 'node:crypto';
import type { Endpoint } from '../../platform/endpoint.ts';
import * as endpoints from '../../platform/endpoints/budgets.ts';
import type { Budget } from '../../platform/records.ts';
import type { Given } from '../../platform/validate.ts';
import { requireValid } from '../input.ts';
import { type Listing, listing, mapped } from '../paging.ts';
import type { Platform } from '../platform.ts';
import { badRequest, notFound } from '../refusals.ts';
import { type App, route } from '../route.ts';
import { between } from '../seed/chance.ts';
import type { OrganizationState } from '../state/accounts.ts';
import type { Collection } from '../store.ts';

type BudgetState = Required<Omit<Budget, 'budget_product_skus' | 'consumed_amount' | 'effective_budget' | 'user'>> & {
  readonly user?: string | undefined;
};

/** Budgets of one owner, and the endpoint that creates another. */
interface Owner {
  readonly budgets: Collection<BudgetState>;
  readonly creation: Endpoint;
}

export function mountBudgets(app: App): void {
  const exceptions = { beforeValidation: requireUser };

  route(app, endpoints.listEnterpriseBudgets, ({ platform, query }) => list(platform, ofEnterprise(platform), query));
  route(app, endpoints.getEnterpriseBudget, ({ platform, path }) => find(ofEnterprise(platform), path.budget_id));
  route(
    app,
    endpoints.createEnterpriseBudget,
    ({ platform, body }) => create(platform, ofEnterprise(platform), body),
    exceptions,
  );
  route(app, endpoints.updateEnterpriseBudget, ({ platform, path, body }) =>
    update(ofEnterprise(platform), path.budget_id, body),
  );
  route(app, endpoints.deleteEnterpriseBudget, ({ platform, path }) => remove(ofEnterprise(platform), path.budget_id));

  route(app, endpoints.listOrganizationBudgets, ({ platform, organization, query }) =>
    list(platform, ofOrganization(platform, organization), query),
  );
  route(app, endpoints.getOrganizationBudget, ({ platform, organization, path }) =>
    find(ofOrganization(platform, organization), path.budget_id),
  );
  route(
    app,
    endpoints.createOrganizationBudget,
    ({ platform, organization, body }) => create(platform, ofOrganization(platform, organization), body),
    exceptions,
  );
  route(app, endpoints.updateOrganizationBudget, ({ platform, organization, path, body }) =>
    update(ofOrganization(platform, organization), path.budget_id, body),
  );
  route(app, endpoints.deleteOrganizationBudget, ({ platform, organization, path }) =>
    remove(ofOrganization(platform, organization), path.budget_id),
  );
}

/** Specification, Errors, 2: the message names another field than the one that is missing. */
function requireUser({ budget_scope: scope, user }: Given): void {
  if (scope === 'user' && (user === undefined || user === ''))
    throw badRequest('The required field budget_entity_name is missing.');
}

function ofEnterprise(platform: Platform): Owner {
  const budgets = platform.store.collection<BudgetState>('budgets', 'enterprise', () =>
    seededBudgets(platform, 'enterprise', 14),
  );
  return { budgets, creation: endpoints.createEnterpriseBudget };
}

/** One organization in four has no budgets: the feature is not enabled there, which reads 404. */
function ofOrganization(platform: Platform, { id, index, login }: OrganizationState): Owner {
  if (index % 4 === 2) throw notFound();
  const budgets = platform.store.collection<BudgetState>('budgets', id, () => seededBudgets(platform, login, 2));
  return { budgets, creation: endpoints.createOrganizationBudget };
}

function list(
  platform: Platform,
  { budgets }: Owner,
  { scope, user }: { readonly scope?: string | undefined; readonly user?: string | undefined },
): Listing<Budget> {
  const all = budgets.values().filter((budget) => scope === undefined || budget.budget_scope === scope);
  const view = (budget: BudgetState): Budget => ({
    ...budget,
    budget_product_skus: [budget.budget_product_sku],
    consumed_amount: consumed(platform, budget, user),
  });
  return { ...mapped(listing(all), view), ...(user !== undefined && { envelope: effective(platform, budgets, user) }) };
}

/** What holds for one user: a budget of their own before one for every user. */
function effective(platform: Platform, budgets: Collection<BudgetState>, user: string): Record<string, unknown> {
  const own = (budget: BudgetState) => budget.user?.toLowerCase() === user.toLowerCase();
  const found =
    budgets.values().find(own) ?? budgets.values().find(({ budget_scope: scope }) => scope === 'multi_user_customer');
  if (!found) return { user };
  const { id, budget_amount } = found;
  return { user, effective_budget: { id, budget_amount, consumed_amount: consumed(platform, found, user) } };
}

const consumed = ({ chance }: Platform, { id, budget_amount: amount }: BudgetState, user = ''): number =>
  Math.floor(amount * chance('consumed', id, user.toLowerCase()));

function find({ budgets }: Owner, id: string): BudgetState {
  const budget = budgets.get(id);
  if (!budget) throw notFound();
  return budget;
}

type Fields = Partial<Omit<BudgetState, 'budget_alerting'>> & {
  readonly budget_alerting?: {
    readonly will_alert?: boolean | undefined;
    readonly alert_recipients?: string[] | undefined;
  };
};

function create(platform: Platform, { budgets }: Owner, fields: Fields) {
  const id = uuid(`${platform.seed}/created budget/${platform.store.next('budgets', 1)}`);
  const budget = merge({ ...blank, id }, fields);
  budgets.set(id, budget);
  return { message: 'Budget successfully created.', budget };
}

function update(owner: Owner, id: string, fields: Fields) {
  const budget = merge(find(owner, id), fields);
  requireUser({ ...budget });
  // A budget of one user has the alerts that nobody may give.
  const { budget_alerting: alerting, ...rest } = budget;
  requireValid(owner.creation, budget.budget_scope === 'user' ? rest : { ...rest, budget_alerting: alerting });
  owner.budgets.set(id, budget);
  return { message: 'Budget successfully updated.', budget };
}

function remove({ budgets }: Owner, id: string) {
  if (!budgets.delete(id)) throw notFound();
  return { message: 'Budget successfully deleted.', id };
}

const silent = { will_alert: false, alert_recipients: [] as string[] };
const blank: BudgetState = {
  id: '',
  budget_type: '',
  budget_product_sku: '',
  budget_scope: '',
  budget_entity_name: '',
  budget_amount: 0,
  prevent_further_usage: false,
  budget_alerting: silent,
};

/** Budgets for a single user never alert. Specification, budget create and update body. */
function merge(budget: BudgetState, { budget_alerting: alerting, ...fields }: Fields): BudgetState {
  const merged = { ...budget, ...fields } as BudgetState;
  const alerts = merged.budget_scope === 'user' ? silent : { ...budget.budget_alerting, ...alerting };
  return { ...merged, budget_alerting: alerts as BudgetState['budget_alerting'] };
}

const products = [
  ['ProductPricing', 'actions'],
  ['ProductPricing', 'packages'],
  ['SkuPricing', 'actions_linux'],
  ['BundlePricing', 'ai_credits'],
] as const;

/** The last seeded budget of an enterprise is for one user, the one before it for each user. */
function seededBudgets(platform: Platform, entity: string, count: number): [string, BudgetState][] {
  return Array.from({ length: count }, (_, place) => {
    const id = uuid(`${platform.seed}/budget/${entity}/${place}`);
    const chance = (label: string) => platform.chance(label, entity, place);
    const perUser = entity === 'enterprise' ? count - place : 0;
    const scope =
      perUser === 1
        ? 'user'
        : perUser === 2
          ? 'multi_user_customer'
          : place % 2
            ? 'organization'
            : entity === 'enterprise'
              ? 'enterprise'
              : 'repository';
    const [type, product] = perUser === 1 || perUser === 2 ? products[3] : (products[place % 3] ?? products[0]);
    const budget: BudgetState = {
      id,
      budget_type: type,
      budget_product_sku: product,
      budget_scope: scope,
      budget_entity_name: scope === 'organization' ? 'acme' : scope === 'repository' ? `${entity}/site` : '',
      budget_amount: between(1, 50, chance('amount')) * 100,
      prevent_further_usage: scope === 'user' || scope === 'multi_user_customer' || chance('stop') < 0.5,
      budget_alerting: scope === 'user' ? silent : { will_alert: true, alert_recipients: ['admin'] },
      ...(scope === 'user' && { user: 'riverotter' }),
    };
    return [id, budget];
  });
}

/** A UUID that follows from a text. */
function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
