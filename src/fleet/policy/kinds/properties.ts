/** The custom property values of a repository. */
import {
  listProperties,
  listPropertyValues,
  listRepositoryPropertyValues,
  setPropertyValues,
} from '../../../platform/endpoints/properties.ts';
import type { CustomProperty, PropertyValue } from '../../../platform/records.ts';
import type { Given } from '../../../platform/validate.ts';
import type { PlannedChange } from '../change.ts';
import { sourceText } from '../placed.ts';
import type { Reader, Reading } from '../requests.ts';
import { pathOf, type WantedTarget } from '../target.ts';
import { fieldUpdate, sourceOf, valuesOf } from './field-update.ts';
import type { KindDeclaration, OwnerReadings, PropertyValues } from './kind.ts';

export const properties: KindDeclaration = {
  section: 'properties',
  targets: ['repository'],
  actions: ['update'],
  hasId: false,
  isNamed: ({ name }) => name === '',
  plan: planProperties,
  async live({ target, before, body }, reader) {
    const path = pathOf(target) as { owner: string; repo: string };
    const values = await reader.get(listRepositoryPropertyValues, { path });
    if ('unreadable' in values) return values;
    const live = byName(values.value as unknown as readonly PropertyValue[]);
    return { value: Object.fromEntries(Object.keys({ ...before, ...body }).map((name) => [name, live[name] ?? null])) };
  },
  request({ target, body = {} }) {
    const [org = '', repo = ''] = target.split('/');
    const values = Object.entries(body).map(([property_name, value]) => ({ property_name, value }));
    return {
      endpoint: setPropertyValues,
      input: { path: { org }, body: { repository_names: [repo], properties: values } },
    };
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

/** Returns the lower-case names of the custom properties of an organization. */
export async function propertyNames(reader: Reader, org: string): Promise<Reading<ReadonlySet<string>>> {
  const defined = await reader.get(listProperties, { path: { org } });
  if ('unreadable' in defined) return defined;
  const properties = defined.value as unknown as readonly CustomProperty[];
  return { value: new Set(properties.map(({ property_name: name }) => name.toLowerCase())) };
}

const byName = (values: readonly PropertyValue[]): Given =>
  Object.fromEntries(values.map(({ property_name, value }) => [property_name, value]));

async function planProperties(
  { target, properties: wanted }: WantedTarget,
  { propertyValues, propertyNames }: OwnerReadings,
): Promise<PlannedChange[]> {
  const [first] = wanted.values();
  if (!first) return [];
  const values = await propertyValues();
  const common = { kind: 'properties', target, name: '' } as const;
  const source = sourceOf([...wanted.keys()], wanted) ?? sourceText(first.place);
  if ('unreadable' in values)
    return [{ action: 'unreadable', ...common, source, changes: [], reason: values.unreadable }];
  const all = valuesOf(wanted);
  const live = values.value.get(target.toLowerCase()) ?? {};
  const before = Object.fromEntries(Object.keys(all).map((name) => [name, live[name] ?? null]));
  // Platforms list a property without a value or not at all.
  const isNew = (name: string) => all[name] !== null && live[name] === undefined;
  const names = Object.keys(all).some(isNew) ? await propertyNames() : undefined;
  const isUndefined = (name: string) =>
    names !== undefined && 'value' in names && isNew(name) && !names.value.has(name.toLowerCase());
  const refused = Object.keys(all).filter(isUndefined);
  const [org] = target.split('/');
  const unresolved = refused.map(
    (name): PlannedChange => ({
      action: 'unresolved',
      ...common,
      name,
      source: sourceOf([name], wanted) ?? source,
      changes: [],
      reason: `no property “${name}” in ${org}`,
    }),
  );
  const defined = Object.fromEntries(Object.entries(all).filter(([name]) => !refused.includes(name)));
  const update = fieldUpdate(defined, before, properties.effect, { sets: Object.keys(all) });
  return [...(update ? [{ action: 'update', ...common, source, ...update } as const] : []), ...unresolved];
}
