/** The custom property values of a repository. */
import { isDeepStrictEqual } from 'node:util';
import { propertyProblem, valueNamed } from '../../../platform/custom-properties.ts';
import {
  listProperties,
  listPropertyValues,
  listRepositoryPropertyValues,
  mostRepositories,
  setPropertyValues,
} from '../../../platform/endpoints/properties.ts';
import type { CustomProperty, PropertyValue } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import type { PlannedChange } from '../live/change.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { type Placed, sourceText } from '../wanted/placed.ts';
import { pathOf, type WantedTarget } from '../wanted/target.ts';
import { fieldUpdate, sourceOf, valuesOf } from './field-update.ts';
import type { KindDeclaration, OwnerReadings, PropertyDefinitions, PropertyValues } from './kind.ts';

export const properties: KindDeclaration = {
  section: 'properties',
  targets: ['repository'],
  actions: ['update'],
  hasId: false,
  isNamed: ({ name }) => name === '',
  plan: planProperties,
  async live({ target, before, body = {} }, reader) {
    const path = pathOf(target) as { owner: string; repo: string };
    const values = await reader.get(listRepositoryPropertyValues, { path });
    if ('unreadable' in values) return values;
    const live = byName(values.value as unknown as readonly PropertyValue[]);
    const value = Object.fromEntries(Object.keys({ ...before, ...body }).map((name) => [name, valueNamed(name, live)]));
    const mayBeDefault = Object.keys(value).some((name) => body[name] === null && value[name] !== null);
    if (!mayBeDefault) return { value };
    const definitions = await propertyDefinitions(reader, path.owner);
    return { value: 'value' in definitions ? withoutDefaults(value, definitions.value, body) : value };
  },
  mostTargets: mostRepositories,
  request({ target, body = {} }, targets) {
    const [org = ''] = target.split('/');
    const repository_names = targets.map((each) => each.slice(org.length + 1));
    const values = Object.entries(body).map(([property_name, value]) => ({ property_name, value }));
    return { endpoint: setPropertyValues, input: { path: { org }, body: { repository_names, properties: values } } };
  },
  // The platform returns nothing.
  kept: ({ body = {} }) => body,
  comparison: ({ body = {} }) => ({ sets: Object.keys(body) }),
  effect: () => undefined,
  creation: () => undefined,
  deletion: 'loosens',
  async export(target, readings) {
    const values = await readings.propertyValues();
    if ('unreadable' in values) {
      readings.warn(`The property values of ${target.split('/')[0]} were not exported: ${values.unreadable}.`);
      return {};
    }
    const own = values.value.get(target.toLowerCase()) ?? {};
    return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  },
};

/** Returns the property values of all repositories of an organization. */
export async function propertyValues(reader: Reader, org: string): Promise<Reading<PropertyValues>> {
  const listed = await reader.list(listPropertyValues, { path: { org } });
  if ('unreadable' in listed) return listed;
  return {
    value: new Map(
      listed.value.map(({ repository_full_name: name, properties }) => [name.toLowerCase(), byName(properties)]),
    ),
  };
}

/** Returns the custom properties of an organization. */
export async function propertyDefinitions(reader: Reader, org: string): Promise<Reading<PropertyDefinitions>> {
  const defined = await reader.get(listProperties, { path: { org } });
  if ('unreadable' in defined) return defined;
  const all = defined.value as unknown as readonly CustomProperty[];
  return { value: new Map(all.map((each) => [each.property_name.toLowerCase(), each])) };
}

/** Returns the custom properties of the organizations of changes, as far as they can be read. */
export async function definitionsFor(
  changes: readonly Pick<PlannedChange, 'kind' | 'target'>[],
  reader: Reader,
): Promise<ReadonlyMap<string, PropertyDefinitions>> {
  const all = new Map<string, PropertyDefinitions>();
  for (const { kind, target } of changes) {
    const [org = ''] = target.split('/');
    if (kind !== 'properties' || all.has(org)) continue;
    const read = await propertyDefinitions(reader, org);
    all.set(org, 'value' in read ? read.value : new Map());
  }
  return all;
}

/**
 * Returns values with null for each that is the default of its property, as it is if a repository has none of its own;
 * only of those that are null in `only`, if given.
 */
export const withoutDefaults = (values: Given, definitions: PropertyDefinitions, only?: Given): Given =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { default_value } = definitions.get(name.toLowerCase()) ?? {};
      const isDefault = (!only || only[name] === null) && isDeepStrictEqual(value, default_value);
      return [name, isDefault ? null : value];
    }),
  );

const refusal = (definition: CustomProperty, value: string | readonly string[] | null): string | undefined => {
  const problem = propertyProblem(definition, value as PropertyValue['value']);
  return problem && `${definition.property_name} ${problem}`;
};

const byName = (values: readonly PropertyValue[]): Given =>
  Object.fromEntries(values.map(({ property_name, value }) => [property_name, value]));

async function planProperties(
  { target, properties: wanted }: WantedTarget,
  { propertyValues, propertyDefinitions }: OwnerReadings,
): Promise<PlannedChange[]> {
  const [first] = wanted.values();
  if (!first) return [];
  const common = { kind: 'properties', target, name: '' } as const;
  const source = sourceOf([...wanted.keys()], wanted) ?? sourceText(first.place);
  const [values, definitions] = [await propertyValues(), await propertyDefinitions()];
  const unreadable = (reason: string) => [{ action: 'unreadable', ...common, source, changes: [], reason } as const];
  if ('unreadable' in values) return unreadable(values.unreadable);
  if ('unreadable' in definitions) return unreadable(definitions.unreadable);
  const [org = ''] = target.split('/');
  const unresolved: PlannedChange[] = [];
  const accepted = new Map<string, Placed>();
  for (const [name, placed] of wanted) {
    const definition = definitions.value.get(name.toLowerCase());
    // A property that does not exist has no value.
    if (!definition && placed.value === null) continue;
    const reason = definition ? refusal(definition, placed.value) : `no property “${name}” in ${org}`;
    if (definition && reason === undefined) accepted.set(definition.property_name, placed);
    else {
      const change = { ...common, name, source: sourceText(placed.place), changes: [], reason: reason as string };
      unresolved.push({ action: 'unresolved', ...change });
    }
  }
  const all = valuesOf(accepted);
  const live = values.value.get(target.toLowerCase()) ?? {};
  const before = Object.fromEntries(Object.keys(all).map((name) => [name, valueNamed(name, live)]));
  const update = fieldUpdate(all, before, properties.effect, { sets: Object.keys(all) });
  return [...(update ? [{ action: 'update', ...common, source, ...update } as const] : []), ...unresolved];
}
