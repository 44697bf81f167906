/** The custom property values of a repository. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { propertyNameForm, propertyProblem, valueNamed } from '../../../platform/custom-properties.ts';
import {
  listProperties,
  listPropertyValues,
  listRepositoryPropertyValues,
  mostRepositories,
  setPropertyValues,
} from '../../../platform/endpoints/properties.ts';
import type { CustomProperty, PropertyValue, RepositoryPropertyValues } from '../../../platform/records.ts';
import { nested, optional } from '../../../platform/schema.ts';
import type { Given } from '../../../platform/validate.ts';
import { canonical, merge } from '../../diff.ts';
import type { PlannedChange, Step } from '../live/change.ts';
import { jointEffect } from '../live/effects.ts';
import type { OwnerReadings } from '../live/owner-readings.ts';
import { checked, shape } from '../live/record-shapes.ts';
import type { Reader, Reading } from '../live/requests.ts';
import { type WantedTarget, wantedOf } from '../wanted/model.ts';
import { sourceText } from '../wanted/placed.ts';
import { ownerOf, pathOf } from '../wanted/target.ts';
import { fieldsKind, sourceOf, type WantedField } from './fields.ts';
import { type PropertyDefinitions, propertyDefinitions } from './property-definitions.ts';
import { definitionsAfter, definitionsBefore } from './property-schema.ts';

const propertyValue = v.nullable(
  v.union([v.string(), v.array(v.string())], 'must be a string, a list of strings, or null'),
);

export const properties = fieldsKind({
  name: 'properties',
  targets: ['repository'],
  schema: {
    repository: optional(
      nested(
        v.record(v.string(), propertyValue, 'must be an object'),
        'Custom property values by name; null unsets one',
      ),
    ),
  },
  // Names ignore case, and values that are lists have no order.
  combinedName: ({ name }) => name.toLowerCase(),
  isInEveryDigest: true,
  selectable: (declared) => ({
    custom_properties: Object.fromEntries(declared.map(({ name, body }) => [name, body.value])),
  }),
  bodyComparison: { sets: [''] },
  // A value that is sent again may set what was only a default, or unset what equals one, and has no row.
  isNamed: ({ name, before, between = before, body = {} }) =>
    name === '' &&
    Object.entries(body).every(
      ([field, value]) =>
        propertyNameForm.test(field) &&
        [before, between].some((from) => !isDeepStrictEqual(inOrder(from?.[field]), inOrder(value))),
    ),
  reads: [listPropertyValues.route, listProperties.route],
  writes: [setPropertyValues.route],
  plan: planProperties,
  async live({ target, before, between, body = {} }, reader) {
    const path = pathOf(target) as { owner: string; repo: string };
    const values = await reader.get(valuesOfOne, { path });
    if ('unreadable' in values) return values;
    const live = byName(values.value as unknown as readonly PropertyValue[]);
    const value = Object.fromEntries(Object.keys({ ...before, ...body }).map((name) => [name, valueNamed(name, live)]));
    // With a new default, the change starts from that.
    const isNewDefault = (name: string) => between !== undefined && isDeepStrictEqual(between[name], value[name]);
    const mayBeDefault = (name: string) =>
      value[name] !== null && (body[name] === null || (before?.[name] === null && !isNewDefault(name)));
    if (!Object.keys(value).some(mayBeDefault)) return { value };
    const definitions = await propertyDefinitions(reader, path.owner);
    return { value: 'value' in definitions ? withoutDefaults(value, definitions.value, mayBeDefault) : value };
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
  ownValues: (values, definitions) => withoutDefaults(values, definitions),
  async export(target, readings) {
    const values = await readings.shared(propertyValues);
    if ('unreadable' in values) {
      readings.lacks(`The property values of ${ownerOf(target)} were not exported: ${values.unreadable}.`);
      return {};
    }
    const own = values.value.get(target.toLowerCase()) ?? {};
    return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== null));
  },
});

/** The property values of repositories, by lower-case full name. */
export type PropertyValues = ReadonlyMap<string, Given>;

/** The shape of one of the values of a repository. */
export const valueShape = { property_name: v.string(), value: v.nullable(v.union([v.string(), v.array(v.string())])) };
const valuesOfAll = checked(
  listPropertyValues,
  shape<RepositoryPropertyValues>({
    repository_full_name: v.string(),
    properties: v.array(v.object(valueShape)),
  }),
);
const valuesOfOne = checked(listRepositoryPropertyValues, shape<PropertyValue>(valueShape));

/** Returns the property values of all repositories of an organization. */
export async function propertyValues(reader: Reader, org: string): Promise<Reading<PropertyValues>> {
  const listed = await reader.list(valuesOfAll, { path: { org } });
  if ('unreadable' in listed) return listed;
  return {
    value: new Map(
      listed.value.map(({ repository_full_name: name, properties }) => [name.toLowerCase(), byName(properties)]),
    ),
  };
}

/** Returns the custom properties of the organizations of steps before these were made, as far as they can be read. */
export async function definitionsFor(
  steps: readonly Step[],
  reader: Reader,
): Promise<ReadonlyMap<string, PropertyDefinitions>> {
  const all = new Map<string, PropertyDefinitions>();
  for (const { kind, target } of steps) {
    const org = ownerOf(target);
    if (kind !== 'properties' || all.has(org)) continue;
    const read = await propertyDefinitions(reader, org);
    // The second of two steps starts from the first.
    const ofOwner = steps.filter((step) => step.target === org && !step.after);
    all.set(org, 'value' in read ? definitionsBefore(read.value, ofOwner) : new Map());
  }
  return all;
}

/**
 * Returns values with null for each that is the default of its property, as it is if a repository has none of its own;
 * `mayBe`: returns whether a value may be one (default: each may).
 */
export const withoutDefaults = (
  values: Given,
  definitions: PropertyDefinitions,
  mayBe: (name: string) => boolean = () => true,
): Given =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { default_value } = definitions.get(name.toLowerCase()) ?? {};
      const isDefault = mayBe(name) && isDeepStrictEqual(value, default_value);
      return [name, isDefault ? null : value];
    }),
  );

const refusal = (definition: CustomProperty, value: PropertyValue['value']): string | undefined => {
  const problem = propertyProblem(definition, value);
  return problem && `${definition.property_name} ${problem}`;
};

const byName = (values: readonly PropertyValue[]): Given =>
  Object.fromEntries(values.map(({ property_name, value }) => [property_name, value]));

async function planProperties(
  policy: WantedTarget,
  { shared }: OwnerReadings,
  ofOwner: readonly PlannedChange[],
): Promise<PlannedChange[]> {
  const { target } = policy;
  const wanted = wantedOf<WantedField>(policy, 'properties');
  const source = sourceOf(wanted);
  if (source === undefined) return [];
  const common = { kind: 'properties', target, name: '' } as const;
  const [values, definitions] = [await shared(propertyValues), await shared(propertyDefinitions)];
  const unreadable = (reason: string) => [{ action: 'unreadable', ...common, source, changes: [], reason } as const];
  if ('unreadable' in values) return unreadable(values.unreadable);
  if ('unreadable' in definitions) return unreadable(definitions.unreadable);
  const later = definitionsAfter(definitions.value, ofOwner);
  const unresolved: PlannedChange[] = [];
  const accepted: Record<string, unknown> = {};
  for (const { name: written, body } of wanted) {
    const name = written.toLowerCase();
    const value = body.value as PropertyValue['value'];
    const definition = later.get(name);
    // A property that does not exist has no value.
    if (!definition && value === null) continue;
    const reason = definition ? refusal(definition, value) : `no property “${name}” in ${ownerOf(target)}`;
    if (definition && reason === undefined) accepted[definition.property_name] = value;
    else {
      const change = { ...common, name, source: sourceText(body.place), changes: [], reason: reason as string };
      unresolved.push({ action: 'unresolved', ...change });
    }
  }
  const live = values.value.get(target.toLowerCase()) ?? {};
  const now = Object.fromEntries(Object.keys(accepted).map((name) => [name, valueNamed(name, live)]));
  const then = withNewDefaults(now, definitions.value, later);
  const differs = (name: string, from: Given) => !isDeepStrictEqual(inOrder(accepted[name]), inOrder(from[name]));
  // A value that is only a default may change with that.
  const names = Object.keys(accepted).filter((name) => differs(name, now) || differs(name, then));
  if (names.length === 0) return unresolved;
  const only = (given: Given) =>
    canonical(Object.fromEntries(names.map((name) => [name, given[name]])), { sets: names }) as Given;
  const [before, between, body] = [only(now), only(then), only(accepted)];
  const changesFrom = (from: Given) => merge(body, from, { sets: names }).changes;
  const changes = changesFrom(before);
  const others = changesFrom(between).filter((each) => !changes.some((other) => isDeepStrictEqual(each, other)));
  const undoing = isDeepStrictEqual(between, before) ? {} : ({ sent: true, between } as const);
  const all = [...changes, ...others];
  const effect = jointEffect(properties, all);
  return [
    { action: 'update', ...common, source, changes: all, ...(effect && { effect }), before, body, ...undoing },
    ...unresolved,
  ];
}

/** Returns a value with its list sorted. */
const inOrder = (value: unknown): unknown => canonical(value, { sets: [''] });

/** Returns values as they are once definitions have changed: those that are not set, as far as that shows, have new defaults. */
const withNewDefaults = (values: Given, now: PropertyDefinitions, later: PropertyDefinitions): Given => {
  const defaultIn = (definitions: PropertyDefinitions, name: string) =>
    inOrder(definitions.get(name.toLowerCase())?.default_value ?? null);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isDeepStrictEqual(value, defaultIn(now, name)) ? defaultIn(later, name) : value,
    ]),
  );
};
