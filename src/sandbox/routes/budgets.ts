import type { Endpoint } from '../../platform/endpoint.ts';
import * as endpoints from '../../platform/endpoints/budgets.ts';
import type { Budget } from '../../platform/records.ts';
import { budgets } from '../../platform/resources/budgets.ts';
import type { Given } from '../../platform/validate.ts';
import type { Caller } from '../callers.ts';
import { requireValid } from '../input.ts';
import { type Listing, listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { badRequest, forbidden, found, notFound, Refusal } from '../refusals.ts';
import { hasRole, managesEnterprise } from '../roles.ts';
import { type App, type Call, route } from '../route.ts';
import { between, uuid } from '../seed/chance.ts';
import { isLax, isLocked, isStrict } from '../seed/postures.ts';
import { organizationNames } from '../seed/words.ts';
import type { OrganizationState, User } from '../state/accounts.ts';
import type { Collection } from '../store.ts';

type BudgetState = Required<Omit<Budget, 'budget_product_skus' | 'consumed_amount' | 'effective_budget' | 'user'>> & {
  readonly user?: string | undefined;
};

/** Owner of the budgets: the enterprise or an organization. */
interface Owner {
  readonly organization?: OrganizationState;
  readonly budgets: Collection<BudgetState>;
  readonly creation: Endpoint;
}

export function mountBudgets(app: App): void {
  for (const kind of ['enterprise', 'organization'] as const) {
    const operations = budgets.owners[kind];
    route(app, operations.list, (call) => list(call.platform, ownerOf(call), call.query));
    route(app, operations.get, (call) => find(ownerOf(call), call.path.budget_id));
    route(app, operations.create, (call) => create(call.platform, ownerOf(call), call.body), {
      beforeValidation: requireUser,
    });
    route(app, operations.update, (call) => update(call.platform, ownerOf(call), call.path.budget_id, call.body));
    route(app, operations.delete, (call) => remove(ownerOf(call), call.path.budget_id));
  }
}

type BudgetCall = Call<typeof endpoints.getEnterpriseBudget | typeof endpoints.getOrganizationBudget>;

const ownerOf = ({
  platform,
  caller,
  organization,
}: Pick<BudgetCall, 'platform' | 'caller' | 'organization'>): Owner =>
  organization ? ofOrganization(platform, organization) : ofEnterprise(platform, caller);
/** Specification, Errors, 2: the message names a different field from the missing one. */
function requireUser({ budget_scope: scope, user }: Given): void {
  if (scope === 'user' && (user === undefined || user === ''))
    throw badRequest('The required field budget_entity_name is missing.');
}

function ofEnterprise(platform: SandboxPlatform, caller: Caller): Owner {
  const all = budgetsOf(platform);
  const budgets = managesEnterprise(platform, caller) ? all : administered(platform, caller, all);
  return { budgets, creation: endpoints.createEnterpriseBudget };
}

/**
 * Budgets of the caller's own organizations and their repositories. Organization admins see no others (Specification,
 * Enterprise budgets, list), so they cannot set others either: 403.
 */
function administered(
  platform: SandboxPlatform,
  caller: Caller,
  all: Collection<BudgetState>,
): Collection<BudgetState> {
  const isTheirs = ({ budget_scope: scope, budget_entity_name: name }: BudgetState): boolean => {
    if (scope !== 'organization' && scope !== 'repository') return false;
    const organization = platform.accounts.organization(name.split('/')[0] ?? '');
    return organization !== undefined && hasRole(platform, caller, organization, 'owner');
  };
  const theirs = (key: string | number) => all.values().find((budget) => budget.id === String(key) && isTheirs(budget));
  return {
    get: theirs,
    set: (key, budget) => {
      if (!isTheirs(budget))
        throw forbidden(
          'Organization administrators can only set budgets of organizations and repositories they administer.',
        );
      all.set(key, budget);
    },
    delete: (key) => theirs(key) !== undefined && all.delete(key),
    values: () => all.values().filter(isTheirs),
  };
}

/** The feature is disabled in one organization in four, which returns 404. */
function ofOrganization(platform: SandboxPlatform, organization: OrganizationState): Owner {
  if (isLocked(organization)) throw notFound();
  const budgets = budgetsOf(platform, organization);
  return { organization, budgets, creation: endpoints.createOrganizationBudget };
}

/** Returns the budgets of an organization, or without one those of the enterprise. */
export function budgetsOf(platform: SandboxPlatform, organization?: OrganizationState): Collection<BudgetState> {
  const [scope, entity, count] = organization
    ? ([organization.id, organization.login, 2] as const)
    : (['enterprise', 'enterprise', 14] as const);
  return platform.store.collection<BudgetState>('budgets', scope, () =>
    seededBudgets(platform, entity, count).map(([id, budget]) => [
      id,
      organization ? audited(organization, budget) : budget,
    ]),
  );
}

/** Every budget of the strict organization blocks usage, and none of the lax one. */
function audited(organization: OrganizationState, budget: BudgetState): BudgetState {
  if (isStrict(organization)) return { ...budget, prevent_further_usage: true };
  return isLax(organization) ? { ...budget, prevent_further_usage: false, budget_alerting: silent } : budget;
}

/** With a user: the user's consumption of each budget, and the budget that applies. An unknown user is a 404. */
function list(
  platform: SandboxPlatform,
  { budgets }: Owner,
  { scope, user: login }: { readonly scope?: string | undefined; readonly user?: string | undefined },
): Listing<Budget> {
  const user = login === undefined ? undefined : platform.accounts.user(login);
  const known = login === undefined || user !== undefined;
  const all = budgets.values().filter((budget) => known && (scope === undefined || budget.budget_scope === scope));
  const view = (budget: BudgetState): Budget => ({
    ...budget,
    budget_product_skus: [budget.budget_product_sku],
    consumed_amount: consumed(platform, budget, user),
  });
  const envelope = { user: login, ...(user && effective(platform, budgets, user)) };
  return { ...mapped(listing(all), view), ...(login !== undefined && { envelope }) };
}

/** The budget that applies to one user: their own, else the one for every user. */
function effective(platform: SandboxPlatform, budgets: Collection<BudgetState>, user: User): Record<string, unknown> {
  const all = budgets.values();
  const found =
    all.find((budget) => isFor(budget, user)) ?? all.find(({ budget_scope: scope }) => scope === 'multi_user_customer');
  if (!found) return {};
  const { id, budget_amount } = found;
  return { effective_budget: { id, budget_amount, consumed_amount: consumed(platform, found, user) } };
}

const isFor = ({ budget_scope: scope, user }: BudgetState, { login }: User): boolean =>
  scope === 'user' && user?.toLowerCase() === login;

/** Total consumption, or that of one user; a budget for one user is consumed only by that user. */
function consumed({ accounts, chance }: SandboxPlatform, budget: BudgetState, user?: User): number {
  const total = Math.floor(budget.budget_amount * chance('consumed', budget.id, ''));
  if (!user || isFor(budget, user)) return total;
  if (budget.budget_scope === 'user') return 0;
  const weight = ({ login }: User) => chance('consumed', budget.id, login);
  const all = accounts.users.reduce((sum, each) => sum + weight(each), 0);
  return Math.floor((total * weight(user)) / all);
}

const find = ({ budgets }: Owner, id: string): BudgetState => found(budgets.get(id));

type Fields = Partial<Omit<BudgetState, 'budget_alerting'>> & {
  readonly budget_alerting?: {
    readonly will_alert?: boolean | undefined;
    readonly alert_recipients?: string[] | undefined;
  };
};

function create(platform: SandboxPlatform, owner: Owner, fields: Fields) {
  const id = uuid(`${platform.seed}/created budget/${platform.store.next('budgets', 1)}`);
  const budget = merge({ ...blank, id }, fields);
  requireKnown(platform, owner, budget);
  owner.budgets.set(id, budget);
  return { message: 'Budget successfully created.', budget };
}

function update(platform: SandboxPlatform, owner: Owner, id: string, fields: Fields) {
  const budget = merge(find(owner, id), fields);
  requireUser({ ...budget });
  // The alerts of budgets for one user cannot be set.
  const { budget_alerting: alerting, ...rest } = budget;
  requireValid(owner.creation, budget.budget_scope === 'user' ? rest : { ...rest, budget_alerting: alerting });
  requireKnown(platform, owner, budget);
  owner.budgets.set(id, budget);
  return { message: 'Budget successfully updated.', budget };
}

/**
 * Throws 404 for a user, organization or repository that does not exist, or that does not belong to the budget's
 * organization. Specification, Errors, 6.
 */
function requireKnown({ accounts, repositories }: SandboxPlatform, { organization }: Owner, budget: BudgetState): void {
  const { budget_scope: scope, budget_entity_name: name, budget_alerting: alerting, user } = budget;
  const logins = [...(user ? [user] : []), ...alerting.alert_recipients];
  for (const login of logins) if (!accounts.user(login)) throw new Refusal(404, `The user ${login} does not exist.`);
  if (name === '' || (scope !== 'organization' && scope !== 'repository')) return;
  const [login = '', repository = ''] = scope === 'repository' ? name.split(/\/(.*)/s) : [name];
  const named = scope === 'repository' ? accounts.account(login) : accounts.organization(login);
  const isThere = named && (scope === 'organization' || repositories.find(named, repository));
  if (!isThere || (organization && named.id !== organization.id))
    throw new Refusal(404, `The ${scope} ${name} does not exist${organization ? ` in ${organization.login}` : ''}.`);
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

/** The last two seeded budgets of an enterprise are for every user and for one user. */
function seededBudgets(platform: SandboxPlatform, entity: string, count: number): [string, BudgetState][] {
  const entityNames: Readonly<Record<string, string>> = {
    organization: entity === 'enterprise' ? organizationNames[0] : entity,
    repository: `${entity}/site`,
  };
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
      budget_entity_name: entityNames[scope] ?? '',
      budget_amount: between(1, 50, chance('amount')) * 100,
      prevent_further_usage: scope === 'user' || scope === 'multi_user_customer' || chance('stop') < 0.5,
      budget_alerting: scope === 'user' ? silent : { will_alert: true, alert_recipients: ['admin'] },
      ...(scope === 'user' && { user: 'riverotter' }),
    };
    return [id, budget];
  });
}
