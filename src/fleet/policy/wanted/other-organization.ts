/** The policy of an organization, for another one. */
import type { Given } from '../../../platform/validate.ts';
import type { Absent, BudgetKey, OwnerPolicy, WantedBudget } from './model.ts';
import { member, type Placed, withParts } from './placed.ts';

/** Returns the policy of an organization as that of another: budgets that name the one, or its repositories, name the other. */
export function asPolicyOf(organization: string, owner: OwnerPolicy): OwnerPolicy {
  const entityOf = ({ budget_scope: scope, budget_entity_name: entity }: BudgetKey): string => {
    const [login = '', ...repository] = entity.split('/');
    const isNamed = (scope === 'organization' || scope === 'repository') && isSameName(login, owner.name);
    return isNamed ? [organization, ...repository].join('/') : entity;
  };
  const keyOf = (key: BudgetKey): BudgetKey => ({ ...key, budget_entity_name: entityOf(key) });
  const budgets = owner.budgets.map(({ key, body }): WantedBudget => {
    const other = keyOf(key);
    if (other.budget_entity_name === key.budget_entity_name) return { key, body };
    return { key: other, body: withEntity(body, other.budget_entity_name), isRenamed: true };
  });
  const absent = owner.absent.map(
    (each): Absent => (each.kind === 'budgets' ? { ...each, key: keyOf(each.key) } : each),
  );
  return { ...owner, name: organization, budgets, absent };
}

const isSameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function withEntity(body: Placed<Given>, name: string): Placed<Given> {
  const entity = member(body, 'budget_entity_name');
  return entity ? withParts(body, [...body.parts, ['budget_entity_name', { ...entity, value: name }]]) : body;
}
