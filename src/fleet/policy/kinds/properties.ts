/** The custom property values of a repository. */
import {
  listPropertyValues,
  listRepositoryPropertyValues,
  setPropertyValues,
} from '../../../platform/endpoints/properties.ts';
import type { PropertyValue } from '../../../platform/records.ts';
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
  hasId: false,
  plan: planProperties,
  async live({ target, before = {} }, reader) {
    const path = pathOf(target) as { owner: string; repo: string };
    const values = await reader.get(listRepositoryPropertyValues, { path });
    if ('unreadable' in values) return values;
    const live = byName(values.value as unknown as readonly PropertyValue[]);
    return { value: Object.fromEntries(Object.keys(before).map((name) => [name, live[name] ?? null])) };
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

const byName = (values: readonly PropertyValue[]): Given =>
  Object.fromEntries(values.map(({ property_name, value }) => [property_name, value]));

async function planProperties(
  { target, properties: wanted }: WantedTarget,
  { propertyValues }: OwnerReadings,
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
  const update = fieldUpdate(all, before, properties.effect, { sets: Object.keys(all) });
  return update ? [{ action: 'update', ...common, source, ...update }] : [];
}
