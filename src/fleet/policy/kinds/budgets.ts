/** The budgets of an organization or enterprise. */
import * as v from 'valibot';
import { isObject } from '../../../json/exact-json.ts';
import { updateEnterpriseBudget, updateOrganizationBudget } from '../../../platform/endpoints/budgets.ts';
import type { Budget } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { budgets as declared } from '../../../platform/resources/budgets.ts';
import { fields } from '../../../platform/schema.ts';
import { type Given, invalid, type Problem } from '../../../platform/validate.ts';
import { type Comparison, canonical, merge } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { effectRows } from '../live/effects.ts';
import { type Names, UnresolvedError } from '../live/names.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader, Reading } from '../live/requests.ts';
import type { Wanted } from '../wanted/model.ts';
import { member, type Placed, textOf, withParts } from '../wanted/placed.ts';
import { list, mapping } from '../wanted/schema-parts.ts';
import { pathOf } from '../wanted/target.ts';
import { fieldUpdate, isWholeRemoval } from './field-update.ts';
import { isCalled } from './kind.ts';
import type { ExportContext } from './object-declaration.ts';
import { objectKind } from './objects.ts';

/** The fields that identify a budget among those of its owner. Absent fields are empty. */
interface BudgetKey {
  readonly budget_scope: string;
  readonly budget_entity_name: string;
  readonly budget_type: string;
  readonly budget_product_sku: string;
  readonly user: string;
}

const keyFields = [
  'budget_scope',
  'budget_entity_name',
  'budget_type',
  'budget_product_sku',
  'user',
] as const satisfies readonly (keyof BudgetKey)[];

interface Keyed {
  readonly key: BudgetKey;
}

/** A budget; the body is that of the endpoint that creates it. */
interface WantedBudget extends Keyed, Wanted {
  readonly body: Placed<Given>;
  /** True if the policy names an entity of another organization, so that the one in the key may not exist. */
  readonly isRenamed?: true;
}

interface LiveBudget extends Keyed {
  readonly id: string;
  readonly name: string;
  /** The part of the record that a body can set. */
  readonly body: Given;
}

type BudgetFields = typeof updateEnterpriseBudget.body.entries | typeof updateOrganizationBudget.body.entries;

const scopeOf = ({ budget_scope: scope }: BudgetFields) =>
  v.unwrap(scope as typeof updateEnterpriseBudget.body.entries.budget_scope);

const budgetList = (entries: BudgetFields, description: string) =>
  list(fields({ ...entries, budget_scope: scopeOf(entries), budget_type: v.unwrap(entries.budget_type) }), description);

const budgetKeys = (entries: BudgetFields) => {
  const { budget_entity_name, budget_type, budget_product_sku, user } = updateEnterpriseBudget.body.entries;
  return list(
    mapping({
      budget_scope: scopeOf(entries),
      budget_type: v.unwrap(budget_type),
      budget_entity_name,
      budget_product_sku,
      user,
    }),
    'Budgets by the fields that identify them',
  );
};

const keyText = 'scope, entity, type, SKU and user';

const comparison: Comparison = { sets: declared.sets ?? [] };

export const budgets = objectKind<WantedBudget, Keyed, LiveBudget>({
  name: 'budget',
  targets: ['organization', 'enterprise'],
  schema: {
    organization: budgetList(updateOrganizationBudget.body.entries, 'Budgets of the organizations'),
    enterprise: budgetList(updateEnterpriseBudget.body.entries, 'Budgets of the enterprise'),
  },
  absentSchema: {
    organization: budgetKeys(updateOrganizationBudget.body.entries),
    enterprise: budgetKeys(updateEnterpriseBudget.body.entries),
  },
  isInEveryDigest: true,
  checkedAs: { organization: updateOrganizationBudget, enterprise: updateEnterpriseBudget },
  rules: budgetRules,
  parseObject: (budget) =>
    isObject(budget.value) ? { key: writtenKey(budget), body: budget as Placed<Given> } : undefined,
  parseKey: (budget) => (isObject(budget.value) ? { key: writtenKey(budget) } : undefined),
  nameOf: ({ key }) => budgetName(key),
  labelOf: ({ key }) => `budget ${budgetName(key)}`,
  // Logins and names of repositories ignore case.
  ignoresCase: true,
  keyFields,
  bodyComparison: comparison,
  belongsTo: isOfOwner,
  asOf: (budget, from, to) => {
    const key = keyFor(budget.key, from, to);
    if (key.budget_entity_name === budget.key.budget_entity_name) return budget;
    if (!('body' in budget)) return { ...budget, key };
    return { ...budget, key, body: withEntity(budget.body as Placed, key.budget_entity_name), isRenamed: true };
  },
  isNamed({ action, name, id, before, body }) {
    // Another key would be that of another budget.
    if (action === 'update') return !keyFields.some((field) => field in (body ?? {}));
    const own = budgetName(keyOf((action === 'create' ? body : before) as unknown as Budget));
    return isCalled(name.toLowerCase(), own.toLowerCase(), id);
  },
  resource: declared,
  idParameter: 'budget_id',
  list: listBudgets,
  bodyOf: ({ body }) => body,
  seen: wholeFields,
  keyText,
  deletesTwins: true,
  createdBody: ({ body }) => canonical(declared.toBody?.(body.value) ?? {}, comparison) as Given,
  whyNotCreated: (budget, { names }) => unknownEntity(budget, names),
  updateOf,
  stored: (_change, { budget }) => (budget ? bodyOf(budget as Budget) : {}),
  // Budgets protect against spending.
  effects: effectRows({
    neutral: { 'budget_alerting.alert_recipients[]': 'Array of user login names who will receive alerts' },
    'larger loosens': { budget_amount: 'The budget amount in whole dollars.' },
    'true tightens': {
      'budget_alerting.will_alert': 'Whether alerts are enabled for this budget.',
      prevent_further_usage: 'Whether to prevent additional spending once the budget is exceeded.',
    },
  }),
  creation: () => 'tightens',
  exported,
});

/** Budgets for one user never alert; the platform ignores alert settings in updates of them. */
function budgetRules({ budget_scope: scope, budget_alerting: alerting }: Given): Problem[] {
  if (scope !== 'user' || !isObject(alerting)) return [];
  const { will_alert: alerts, alert_recipients: recipients } = alerting;
  return alerts === true || (Array.isArray(recipients) && recipients.length > 0)
    ? [invalid('budget_alerting', 'is not supported with budget_scope user: these budgets never alert')]
    : [];
}

/** Returns the key of a budget as text, such as organization acme ProductPricing actions. */
function budgetName(key: BudgetKey): string {
  return Object.values(key).filter(Boolean).join(' ');
}

const writtenKey = (budget: Placed): BudgetKey => ({
  budget_scope: textOf(budget, 'budget_scope') ?? '',
  budget_entity_name: textOf(budget, 'budget_entity_name') ?? '',
  budget_type: textOf(budget, 'budget_type') ?? '',
  budget_product_sku: textOf(budget, 'budget_product_sku') ?? '',
  user: textOf(budget, 'user') ?? '',
});

/** Returns the login of the organization that a budget refers to, directly or by a repository; undefined for others. */
const loginIn = ({ budget_scope: scope, budget_entity_name: entity }: BudgetKey): string | undefined =>
  scope === 'organization' || scope === 'repository' ? entity.split('/', 1)[0]?.toLowerCase() : undefined;

/** A budget that refers to one of a document's organizations, or to a repository of it, belongs only to that one. */
function isOfOwner({ key }: Keyed, owner: string, owners: readonly string[]): boolean {
  const login = loginIn(key);
  return login === undefined || login === owner.toLowerCase() || !owners.some((other) => other.toLowerCase() === login);
}

/** Returns the key for another organization, which replaces the organization in references. */
function keyFor(key: BudgetKey, from: string, to: string): BudgetKey {
  if (loginIn(key) !== from.toLowerCase()) return key;
  const [, ...repository] = key.budget_entity_name.split('/');
  return { ...key, budget_entity_name: [to, ...repository].join('/') };
}

function withEntity(body: Placed, name: string): Placed {
  const entity = member(body, 'budget_entity_name');
  return entity ? withParts(body, [...body.parts, ['budget_entity_name', { ...entity, value: name }]]) : body;
}

const { organization, enterprise } = declared.owners;
const budgetFields = {
  id: v.string(),
  budget_scope: v.string(),
  budget_type: v.string(),
  budget_product_skus: v.optional(v.array(v.string())),
  budget_amount: v.number(),
};

/** The scopes of budgets for something that has a name, which identifies them. */
const namedScopes: readonly string[] = ['organization', 'repository', 'cost_center'];
const ofOrganization = checked(organization.list, shape<Budget>(budgetFields, organization.create));
const ofEnterprise = checked(enterprise.list, shape<Budget>(budgetFields, enterprise.create));

async function listBudgets(target: string, reader: Reader): Promise<Reading<readonly LiveBudget[]>> {
  const path = pathOf(target);
  const listed =
    'enterprise' in path
      ? await reader.list(ofEnterprise, { path })
      : await reader.list(ofOrganization, { path: { org: target } });
  if ('unreadable' in listed) return listed;
  const nameless = listed.value.find(
    ({ budget_scope: scope, budget_entity_name: name }) => namedScopes.includes(scope) && typeof name !== 'string',
  );
  if (nameless)
    return { unreadable: `the platform does not return which ${nameless.budget_scope} budget ${nameless.id} is for` };
  return {
    value: listed.value.map((budget) => {
      const key = keyOf(budget);
      return { id: budget.id, name: budgetName(key), key, body: bodyOf(budget) };
    }),
  };
}

/** Lists have an array of the one product or SKU. */
const skuOf = ({ budget_product_sku: sku, budget_product_skus: skus = [] }: Budget): string => sku ?? skus.join(',');

function keyOf(budget: Budget): BudgetKey {
  return {
    budget_scope: budget.budget_scope,
    budget_entity_name: budget.budget_entity_name ?? '',
    budget_type: budget.budget_type,
    budget_product_sku: skuOf(budget),
    user: budget.user ?? '',
  };
}

function bodyOf(budget: Budget): Given {
  const { body } = bodyOfRecord(declared, declared.owners.enterprise.create, {
    ...budget,
    budget_product_sku: skuOf(budget),
  });
  return canonical(body, comparison) as Given;
}

/** Returns why the repository of a budget that was written for another organization is unknown; undefined if it is not. */
async function unknownEntity({ key, isRenamed }: WantedBudget, names: Names): Promise<string | undefined> {
  const [, repository] = key.budget_entity_name.split('/');
  if (!isRenamed || repository === undefined) return undefined;
  try {
    await names.idOf('repository', repository);
    return undefined;
  } catch (error) {
    if (error instanceof UnresolvedError) return error.message;
    throw error;
  }
}

/** Returns the fields that a change starts from or sends, each as a whole: a part that its value lacks may be reset. */
function wholeFields(live: Given, change: PlannedChange): Given {
  const { before, body = {} } = change;
  if (!before || isWholeRemoval(change)) return live;
  const isTouched = (name: string) => Object.hasOwn(before, name) || Object.hasOwn(body, name);
  return Object.fromEntries(Object.entries(live).filter(([name]) => isTouched(name)));
}

/** Returns the change of the wanted fields other than the key. Alert settings are sent as a whole. */
function updateOf({ key, body }: WantedBudget, live: LiveBudget) {
  const fields = Object.entries(body.value).filter(([name]) => !Object.hasOwn(key, name));
  // Budgets for one user never alert, and their bodies have no alert settings.
  const managed = fields.filter(([name]) => name !== 'budget_alerting' || key.budget_scope !== 'user');
  const update = fieldUpdate(Object.fromEntries(managed), live.body, budgets, comparison);
  return update && { ...update, body: merge(update.body, update.before, comparison).value as Given };
}

function exported(
  { name, key, body }: LiveBudget,
  { target, readings, twins }: ExportContext<LiveBudget>,
): Given | undefined {
  if (twins.length === 1)
    return Object.fromEntries(Object.entries({ ...key, ...body }).filter(([, value]) => value !== ''));
  readings.warn(`Budgets ${name} of ${target} were not exported: ${twins.length} have this ${keyText}.`);
  return undefined;
}
