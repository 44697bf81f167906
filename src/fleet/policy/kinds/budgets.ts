/** The budgets of an organization or enterprise. */
import type { Budget } from '../../../platform/records.ts';
import { bodyOfRecord } from '../../../platform/resource.ts';
import { budgets as declared } from '../../../platform/resources/budgets.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical, type FieldChange, fieldsOf, merge } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { combined, type Effect, ranked, rising } from '../live/effects.ts';
import { type Names, UnresolvedError } from '../live/names.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { type BudgetKey, budgetName, type WantedBudget } from '../wanted/model.ts';
import { type Place, sourceText } from '../wanted/placed.ts';
import { enterpriseOf, type WantedTarget } from '../wanted/target.ts';
import { creationProblems } from './creation.ts';
import { fieldUpdate, keptFields, touchedFields } from './field-update.ts';
import { type ExportReadings, isCalled, type KindDeclaration, type OwnerReadings, ownName } from './kind.ts';

export const budgets: KindDeclaration = {
  section: 'budgets',
  targets: ['organization', 'enterprise'],
  actions: ['create', 'update', 'delete'],
  hasId: true,
  isNamed({ action, name, id, before, body }) {
    const own = action === 'create' ? body : before;
    return action === 'update' || isCalled(nameOf(name), nameOf(keyOf(own as unknown as Budget)), id);
  },
  plan: planBudgets,
  async live(change, reader) {
    const { target, name, id } = change;
    const listed = await listBudgets(reader, target);
    if ('unreadable' in listed) return listed;
    const isSame = (budget: LiveBudget) => (id === undefined ? nameOf(budget.key) === nameOf(name) : budget.id === id);
    const [only, ...others] = listed.value.filter(isSame);
    if (others.length) return { ambiguous: true };
    if (!only) return { value: undefined };
    if (!isCalled(nameOf(name), nameOf(only.key), id)) return { ambiguous: true };
    return { value: touchedFields(only.body, change), id: only.id };
  },
  request({ action, target, id: budget_id = '', body = {} }) {
    const endpoints = endpointsOf(target);
    const owner = pathOf(target);
    if (action === 'create') return { endpoint: endpoints.create, input: { path: owner, body } };
    const path = { ...owner, budget_id };
    return action === 'delete'
      ? { endpoint: endpoints.delete, input: { path } }
      : { endpoint: endpoints.update, input: { path, body } };
  },
  kept: ({ body = {} }, { budget }) => keptFields(budget ? bodyOf(budget as Budget) : {}, body),
  comparison: () => comparison,
  effect: (changes) => combined(changes.map(budgetEffect)),
  creation: () => 'tightens',
  deletion: 'loosens',
  async listed(target, reader) {
    const listed = await listBudgets(reader, target);
    if ('unreadable' in listed) return listed;
    return { value: listed.value.map(({ id, key }) => ({ id, name: budgetName(key) })) };
  },
  export: exportBudgets,
};

const comparison: Comparison = { sets: declared.sets ?? [] };

/** Budgets protect from spending: one that blocks usage, and a smaller one, protect more. */
function budgetEffect(change: FieldChange): Effect | undefined {
  if (change.path === 'prevent_further_usage') return ranked([false, true], change);
  return change.path === 'budget_amount' ? rising(Number(change.to), Number(change.from)) : 'neutral';
}

interface LiveBudget {
  readonly id: string;
  readonly key: BudgetKey;
  /** The part of the record that a body can set. */
  readonly body: Given;
}

const endpointsOf = (target: string) =>
  enterpriseOf(target) === undefined ? declared.owners.organization : declared.owners.enterprise;

function pathOf(target: string): Readonly<Record<string, string>> {
  const enterprise = enterpriseOf(target);
  return enterprise === undefined ? { org: target } : { enterprise };
}

async function listBudgets(reader: Reader, target: string): Promise<Reading<readonly LiveBudget[]>> {
  const listed = await reader.list(endpointsOf(target).list, { path: pathOf(target) as never });
  if ('unreadable' in listed) return listed;
  return {
    value: listed.value.map((budget) => ({ id: budget.id, key: keyOf(budget), body: bodyOf(budget) })),
  };
}

/** Lists have an array of the one product or SKU. */
const skuOf = ({ budget_product_sku: sku, budget_product_skus: skus = [] }: Budget): string => sku ?? skus.join(',');

const keyOf = (budget: Budget): BudgetKey => ({
  budget_scope: budget.budget_scope,
  budget_entity_name: budget.budget_entity_name ?? '',
  budget_type: budget.budget_type,
  budget_product_sku: skuOf(budget),
  user: budget.user ?? '',
});

const keyText = 'scope, entity, type, SKU and user';

/** Logins and names of repositories ignore case. */
const nameOf = (key: BudgetKey | string): string => (typeof key === 'string' ? key : budgetName(key)).toLowerCase();

function bodyOf(budget: Budget): Given {
  const { body } = bodyOfRecord(declared, declared.owners.enterprise.create, {
    ...budget,
    budget_product_sku: skuOf(budget),
  });
  return canonical(body, comparison) as Given;
}

async function planBudgets(wanted: WantedTarget, { reader, names }: OwnerReadings): Promise<PlannedChange[]> {
  const { target } = wanted;
  const absent = wanted.absent.flatMap((each) => (each.kind === 'budgets' ? [each] : []));
  const managed = wanted.managed.get('budgets');
  if (wanted.budgets.length === 0 && absent.length === 0 && !managed) return [];
  const change = (action: PlannedChange['action'], name: string, place: Place, rest: Partial<PlannedChange>) =>
    ({ action, kind: 'budget', target, name, source: sourceText(place), changes: [], ...rest }) as const;
  const listed = await listBudgets(reader, target);
  if ('unreadable' in listed) {
    const reason = listed.unreadable;
    return [
      ...wanted.budgets.map(({ key, body }) => change('unreadable', budgetName(key), body.place, { reason })),
      ...absent.map(({ key, place }) => change('unreadable', budgetName(key), place, { reason })),
      ...(managed ? [change('unreadable', '', managed, { reason })] : []),
    ];
  }
  const liveOf = (key: BudgetKey) => listed.value.filter((budget) => nameOf(budget.key) === nameOf(key));
  const changes: PlannedChange[] = [];
  for (const budget of wanted.budgets) {
    const name = budgetName(budget.key);
    const [live, ...others] = liveOf(budget.key);
    const { place } = budget.body;
    if (others.length) {
      const reason = `${others.length + 1} budgets have this ${keyText}`;
      changes.push(change('ambiguous', name, place, { reason }));
    } else if (live) {
      const update = updateOf(budget, live);
      if (update) changes.push(change('update', name, place, { id: live.id, ...update }));
    } else {
      const body = canonical(declared.toBody?.(budget.body.value) ?? {}, comparison) as Given;
      const reason = creationProblems(endpointsOf(target).create, body) ?? (await unknownEntity(budget, names));
      changes.push(
        reason === undefined
          ? change('create', name, place, { changes: fieldsOf(body), effect: 'tightens', body })
          : change('unresolved', name, place, { reason }),
      );
    }
  }
  const isNamed = (names: readonly { readonly key: BudgetKey }[], budget: LiveBudget) =>
    names.some(({ key }) => nameOf(key) === nameOf(budget.key));
  for (const budget of listed.value) {
    if (isNamed(wanted.budgets, budget)) continue;
    const named = absent.find(({ key }) => nameOf(key) === nameOf(budget.key));
    const place = named?.place ?? managed;
    if (!place) continue;
    changes.push(
      change('delete', ownName(budgetName(budget.key), budget.id, liveOf(budget.key)), place, {
        effect: 'loosens',
        ...(!named && { undeclared: true as const }),
        of: listed.value.length,
        id: budget.id,
        before: budget.body,
      }),
    );
  }
  return changes;
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

/** Returns the change of the wanted fields other than the key. Alert settings are sent as a whole. */
function updateOf({ key, body }: WantedBudget, live: LiveBudget) {
  const fields = Object.entries(body.value).filter(([name]) => !(name in key));
  // Budgets for one user never alert, and their bodies have no alert settings.
  const managed = fields.filter(([name]) => name !== 'budget_alerting' || key.budget_scope !== 'user');
  const update = fieldUpdate(Object.fromEntries(managed), live.body, budgets.effect, comparison);
  return update && { ...update, body: merge(update.body, update.before, comparison).value as Given };
}

async function exportBudgets(target: string, { reader, notExported, warn }: ExportReadings): Promise<readonly Given[]> {
  const listed = await listBudgets(reader, target);
  if ('unreadable' in listed) {
    notExported('budgets', target, listed);
    return [];
  }
  const byName = Map.groupBy(
    listed.value.toSorted((a, b) => (nameOf(a.key) < nameOf(b.key) ? -1 : 1)),
    ({ key }) => nameOf(key),
  );
  return [...byName.values()].flatMap(([budget, ...twins]): readonly Given[] => {
    if (!budget) return [];
    const { key, body } = budget;
    if (twins.length === 0)
      return [Object.fromEntries(Object.entries({ ...key, ...body }).filter(([, value]) => value !== ''))];
    warn(`Budgets ${budgetName(key)} of ${target} were not exported: ${twins.length + 1} have this ${keyText}.`);
    return [];
  });
}
