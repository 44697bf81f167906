/** The state of the embedded platform, read from its store: what policies manage there, and what protects a repository. */
import type { PlannedKind } from '../../../src/fleet/policy/kinds/names.ts';
import { budgetsOf } from '../../../src/sandbox/routes/budgets.ts';
import { labelsOf } from '../../../src/sandbox/routes/labels.ts';
import { registriesOf } from '../../../src/sandbox/routes/registries.ts';
import type { OrganizationState } from '../../../src/sandbox/state/accounts.ts';
import { definitionsOf, valuesOf } from '../../../src/sandbox/state/properties.ts';
import type { RepositoryState } from '../../../src/sandbox/state/repositories.ts';
import { type RulesetState, rulesetsOf } from '../../../src/sandbox/state/rulesets.ts';
import { isEnabled } from '../../../src/sandbox/state/security.ts';
import type { embeddedPlatform } from '../../support/embedded-platform.ts';

type Platform = ReturnType<typeof embeddedPlatform>['platform'];

export interface Stored {
  /** acme, acme/site or enterprise:sandbox. */
  readonly target: string;
  readonly kind: PlannedKind;
  /** As plans name it, in lower case; empty for settings and properties. */
  readonly name: string;
  readonly id?: string | number;
  /** Of a hook: the target's own setting; empty if it inherits one. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The fields as they apply, if they may be inherited. */
  readonly effective?: Readonly<Record<string, unknown>>;
}

export const keyOf = ({ target, kind, name }: Pick<Stored, 'target' | 'kind' | 'name'>): string =>
  [target, kind, name].join(' ').toLowerCase();

function accounts(platform: Platform) {
  const [organization, other] = ['acme', 'globex'].map((login) => platform.accounts.organization(login));
  const repository = organization && platform.repositories.find(organization, 'site');
  if (!organization || !other || !repository) throw new Error('There is no acme/site.');
  return { organization, other, repository };
}

/** Returns everything that policies manage. */
export function storedObjects(platform: Platform): readonly Stored[] {
  const { organization, other, repository } = accounts(platform);
  const { updated_at: _, custom_properties: __, topics, ...settings } = repository;
  return [
    { target: 'acme', kind: 'settings', name: '', fields: organization.settings },
    { target: 'globex', kind: 'settings', name: '', fields: other.settings },
    { target: 'acme/site', kind: 'settings', name: '', fields: { ...settings } },
    { target: 'acme/site', kind: 'properties', name: '', fields: valuesOf(platform, repository) },
    ...storedRulesets(platform).map(({ owner: target, ruleset: { id, created_at, updated_at, ...fields } }): Stored => {
      return { target, kind: 'ruleset', name: fields.name, id, fields: inOrder(fields) };
    }),
    ...registriesOf(platform, organization)
      .values()
      .map(({ created_at, updated_at, name: id, ...fields }): Stored => {
        return { target: 'acme', kind: 'registry', name: `${fields.registry_type} ${fields.url}`, id, fields };
      }),
    ...storedBudgets(platform, 'acme', organization),
    ...storedBudgets(platform, 'enterprise:sandbox'),
    ...storedHooks(platform),
    { target: 'acme/site', kind: 'topics', name: '', fields: { topics: inOrder(topics) } },
    ...storedAlerts(platform, repository),
    ...labelsOf(platform, repository)
      .values()
      .map(({ id, name, color, description }): Stored => {
        return {
          target: 'acme/site',
          kind: 'label',
          name,
          id,
          fields: { name, color, description: description ?? '' },
        };
      }),
    ...definitionsOf(platform, organization.id)
      .values()
      .map((definition): Stored => {
        const {
          property_name: name,
          value_type: type,
          allowed_values,
          default_value,
          description,
          required,
        } = definition;
        const { values_editable_by: editable_by } = definition;
        const fields = { type, allowed: allowed_values, default: default_value, required, editable_by };
        return { target: 'acme', kind: 'property', name, fields: { ...fields, description: description ?? '' } };
      }),
  ];
}

const storedAlerts = (platform: Platform, repository: RepositoryState): readonly Stored[] =>
  (
    [
      ['vulnerability', 'dependabot_alerts'],
      ['fixes', 'dependabot_security_updates'],
    ] as const
  ).map(([name, feature]) => ({
    ...{ target: 'acme/site', kind: 'alerts', name },
    fields: { [name]: isEnabled(platform, repository, feature) },
  }));

export function storedRulesets(
  platform: Platform,
): readonly { readonly owner: string; readonly ruleset: RulesetState }[] {
  const { organization, repository } = accounts(platform);
  const of = (owner: string, all: readonly RulesetState[]) => all.map((ruleset) => ({ owner, ruleset }));
  return [
    ...of('acme', rulesetsOf(platform, { organization }).values()),
    ...of('acme/site', rulesetsOf(platform, { repository }).values()),
  ];
}

function storedBudgets(platform: Platform, target: string, organization?: OrganizationState): Stored[] {
  return budgetsOf(platform, organization)
    .values()
    .map(({ id, ...fields }) => {
      const {
        budget_scope: scope,
        budget_entity_name: entity,
        budget_type: type,
        budget_product_sku: sku,
        user,
      } = fields;
      const name = [scope, entity, type, sku, user].filter(Boolean).join(' ').toLowerCase();
      return {
        target,
        kind: 'budget',
        name,
        id,
        fields: inOrder({ ...fields, budget_entity_name: entity.toLowerCase() }),
      };
    });
}

/** The hooks of the installation, by ID. */
const hooks = [
  { id: 1, name: 'Check commit messages', enforcement: 'enabled' },
  { id: 3, name: 'Require signed commits', enforcement: 'testing' },
  { id: 4, name: 'Block secrets', enforcement: 'disabled' },
] as const;

interface OwnSetting {
  readonly enforcement?: string;
}

function hookSettings(platform: Platform) {
  const { organization, repository } = accounts(platform);
  return {
    ofOrganization: platform.store.collection<OwnSetting>('hooks of organization', organization.id),
    ofRepository: platform.store.collection<OwnSetting>('hooks of repository', repository.id),
  };
}

/** Returns the hooks of acme and acme/site. */
function storedHooks(platform: Platform): readonly Stored[] {
  const { ofOrganization, ofRepository } = hookSettings(platform);
  return hooks.flatMap(({ id, name, enforcement }) => {
    const [its, own] = [ofOrganization.get(id), ofRepository.get(id)];
    const inherited = { enforcement, allow_downstream_configuration: true, ...its };
    const effective = { enforcement: inherited.enforcement, ...own };
    return [
      { target: 'acme', kind: 'hook', name, id, fields: its ? inherited : {}, effective: inherited },
      { target: 'acme/site', kind: 'hook', name, id, fields: { ...own }, effective },
    ] as const;
  });
}

/** Returns all fields, by target, kind, name and field. */
export const fieldsOf = (objects: readonly Stored[]): Record<string, unknown> =>
  Object.fromEntries(
    objects.flatMap((object) =>
      Object.entries(object.fields).map(([field, value]) => [`${keyOf(object)} ${field}`, value]),
    ),
  );

/** Returns a value with sorted lists: the lists in rulesets and budgets are sets. */
export function inOrder<T>(value: T): T {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(inOrder(each))).sort() as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  ) as T;
}

const pushers = ['RepositoryRole 5', 'RepositoryRole 2', 'DeployKey null', 'OrganizationAdmin null', 'anyone'];

/**
 * Returns what protects acme/site: who is bound by which part of a rule where, by a direct push and in a pull request, and
 * how far hooks are enforced.
 */
export function protection(platform: Platform): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const { target, name, effective } of storedHooks(platform)) {
    if (target === 'acme') continue;
    const enforcement = effective?.enforcement;
    if (enforcement !== 'disabled') facts.add(`${name} tests`);
    if (enforcement === 'enabled') facts.add(`${name} refuses`);
  }
  for (const { ruleset } of storedRulesets(platform)) {
    const { enforcement, conditions, bypass_actors: bypass, rules } = ruleset;
    if (enforcement !== 'active') continue;
    for (const pattern of conditions.ref_name?.include ?? [])
      for (const part of rules.flatMap(partsOf))
        for (const pusher of pushers) {
          const { bypass_mode: mode } =
            bypass.find(({ actor_type, actor_id }) => `${actor_type} ${actor_id}` === pusher) ?? {};
          if (mode === undefined) facts.add(`${pattern}: ${part} binds ${pusher} in a pull request`);
          if (mode !== 'always') facts.add(`${pattern}: ${part} binds ${pusher} in a push`);
        }
  }
  return facts;
}

function partsOf({ type, parameters = {} }: RulesetState['rules'][number]): readonly string[] {
  const { required_status_checks: checks, strict_required_status_checks_policy: strict } = parameters as Record<
    string,
    unknown
  >;
  if (!Array.isArray(checks)) return [type];
  return [...checks.map(({ context }) => `check ${context}`), ...(strict ? ['strict checks'] : [])];
}
