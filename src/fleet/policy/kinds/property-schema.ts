/** The custom properties that an organization defines. */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { asText, ownMember } from '../../../json/exact-json.ts';
import { propertyNameForm } from '../../../platform/custom-properties.ts';
import { defineProperty, listProperties } from '../../../platform/endpoints/properties.ts';
import type { CustomProperty } from '../../../platform/records.ts';
import { customProperties } from '../../../platform/resources/properties.ts';
import { fields, optional, string, strings } from '../../../platform/schema.ts';
import { checkBody, type Given, type Problem } from '../../../platform/validate.ts';
import { type Comparison, canonical, fieldsOf } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { effectRows } from '../live/effects.ts';
import { type Declarations, type Wanted, wantedOf } from '../wanted/model.ts';
import { type Placed, textOf, without } from '../wanted/placed.ts';
import { list } from '../wanted/schema-parts.ts';
import { fieldUpdate, isWholeRemoval, touchedFields } from './field-update.ts';
import type { ObjectContext } from './object-declaration.ts';
import { objectKind } from './objects.ts';
import { type PropertyDefinitions, propertyDefinitions } from './property-definitions.ts';

interface PropertyName {
  readonly name: string;
}

/** The definition of a custom property, with the fields of `renamed`. */
interface WantedProperty extends PropertyName, Wanted {
  readonly body: Placed<Given>;
}

interface LiveProperty extends PropertyName {
  readonly id: string;
  readonly body: Given;
  readonly isOfEnterprise: boolean;
}

/** The fields of definitions by the keys of policies. Others have the same name in both. */
const renamed = {
  type: 'value_type',
  allowed: 'allowed_values',
  default: 'default_value',
  editable_by: 'values_editable_by',
} as const;

const keys = new Map<string, string>(Object.entries(renamed).map(([key, field]) => [field, key]));

const { value_type, default_value, values_editable_by, required } = defineProperty.body.entries;

const name = v.pipe(
  string('Name, which identifies the property whatever its case'),
  v.regex(propertyNameForm, 'must have 1 to 75 letters, digits, and the characters _ - $ #'),
);

/** The values of a property that selects several have no order; those that are allowed do. */
const comparison: Comparison = { sets: ['default'] };

export const propertySchema = objectKind<WantedProperty, PropertyName, LiveProperty>({
  name: 'property',
  plural: 'properties',
  targets: ['organization'],
  schema: {
    organization: list(
      fields({
        name,
        type: optional(value_type),
        allowed: optional(strings('Allowed values in their order, at most 200; select properties only')),
        default: default_value,
        required,
        description: optional(string('Description', { mayBeEmpty: true })),
        editable_by: optional(v.unwrap(v.unwrap(values_editable_by))),
      }),
      'Custom properties that the organizations define',
    ),
  },
  absentSchema: { organization: optional(strings('Names of custom properties')) },
  isManageable: false,
  unmanageable: [
    [/^manage\.property_schema$/, 'is not supported; list the properties to delete under absent'],
    ...[...keys, ['property_name', 'name'] as const].map(
      ([field, key]) => [new RegExp(`^property_schema\\[\\d+\\]\\.${field}$`), `is not supported; use ${key}`] as const,
    ),
  ],
  checkedAs: {},
  rules: (body) => (body.type === undefined ? [] : problemsOf(body).filter(({ code }) => code !== 'missing_field')),
  bodyComparison: comparison,
  ignoresCase: true,
  parseObject: (property) => {
    const called = textOf(property, 'name');
    return called === undefined ? undefined : { name: called, body: without<Given>(property, ['name']) };
  },
  parseKey: ({ value }) => (typeof value === 'string' ? { name: value } : undefined),
  resource: customProperties,
  reads: [listProperties.route],
  idParameter: 'custom_property_name',
  idValue: ({ id, name: planned }) => id ?? planned,
  updatesReplace: true,
  sentBody: ({ body = {} }) => endpointBody(body),
  isNamed: ({ action, name: planned, id, before, between = before, body = {} }) =>
    (id === undefined || isSame(planned, String(id))) &&
    !Object.keys(body).some((field) => keys.has(field) || field === 'property_name') &&
    // Another type would lose the values.
    (action !== 'update' || [before, between].every((from) => from?.type === body.type)),
  async list(target, reader, planned) {
    const defined = await (planned?.readings.shared(propertyDefinitions) ?? propertyDefinitions(reader, target));
    return 'unreadable' in defined ? defined : { value: [...defined.value.values()].map(liveProperty) };
  },
  bodyOf: ({ body }) => body,
  seen: (live, change) => (change.action === 'update' || isWholeRemoval(change) ? live : touchedFields(live, change)),
  isOwn: ({ isOfEnterprise }) => !isOfEnterprise,
  changesOf,
  stored: (_change, data) => bodyOf(data as never),
  madeFirst,
  effects: effectRows({
    neutral: { description: 'Short description of the property' },
    'more loosens': {
      allowed: 'An ordered list of the allowed values of the property. The property can have up to 200 allowed values.',
    },
    'org_and_repo_actors < org_actors': { editable_by: 'Who can edit the values of the property' },
    'true tightens': { required: 'Whether the property is required.' },
  }),
  creation: () => 'neutral',
  lostWith: 'the values of deleted properties',
  exported: ({ name: exported, body: { type, allowed, ...others } }) => ({
    name: exported,
    type,
    ...(isSelect(type) && { allowed }),
    ...others,
  }),
});

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isSelect = (type: unknown): boolean => type === 'single_select' || type === 'multi_select';

function liveProperty(property: CustomProperty): LiveProperty {
  const { property_name: id, source_type: source } = property;
  return { id, name: id, body: bodyOf(property), isOfEnterprise: source === 'enterprise' };
}

/** Returns the fields of a definition that a policy can declare, all of which each update sends. */
function bodyOf({ property_name: _name, source_type: _source, url: _url, ...definition }: CustomProperty): Given {
  const given: Given = {
    ...definition,
    allowed_values: definition.allowed_values ?? [],
    description: definition.description ?? '',
    values_editable_by: definition.values_editable_by ?? 'org_actors',
  };
  return canonical(
    withKeys(given, (field) => keys.get(field) ?? field),
    comparison,
  ) as Given;
}

function endpointBody({ allowed, ...body }: Given): Given {
  const sent = { ...body, ...(allowed !== undefined && { allowed: isDeepStrictEqual(allowed, []) ? null : allowed }) };
  return withKeys(sent, (key) => ownMember<string>(renamed, key) ?? key);
}

const withKeys = (given: Given, keyOf: (key: string) => string): Given =>
  Object.fromEntries(Object.entries(given).map(([key, value]) => [keyOf(key), value]));

/** Returns what the endpoint would refuse in a definition. */
const problemsOf = (body: Given): readonly Problem[] =>
  checkBody(defineProperty, endpointBody(body)).problems.map((problem) => ({
    ...problem,
    field: keys.get(problem.field) ?? problem.field,
  }));

function changesOf(
  { name: declared, body: { value, place } }: WantedProperty,
  live: LiveProperty | undefined,
  { change }: ObjectContext<LiveProperty>,
): readonly PlannedChange[] {
  const update = fieldUpdate(value, live?.body ?? {}, propertySchema, comparison);
  if (live && !update) return [];
  const body = canonical({ ...live?.body, ...value }, comparison) as Given;
  const reason = live ? whyNotUpdated(live, body) : refusal('created', body);
  if (reason !== undefined) return [change('unresolved', declared, place, { reason })];
  if (!live) return [change('create', declared, place, { changes: fieldsOf(body), effect: 'neutral', body })];
  return [change('update', declared, place, { id: live.id, ...update, before: live.body, body })];
}

function whyNotUpdated({ body: { type }, isOfEnterprise }: LiveProperty, body: Given): string | undefined {
  if (isOfEnterprise) return 'is defined by the enterprise and cannot be changed here';
  if (body.type !== type)
    return `type cannot be changed from ${asText(type)} to ${asText(body.type)}: delete and define the property again`;
  return refusal('changed', body);
}

function refusal(how: string, body: Given): string | undefined {
  const problems = problemsOf(body);
  if (problems.length === 0) return undefined;
  return `cannot be ${how}: ${problems.map(({ field, message }) => `${field} ${message}`).join('; ')}`;
}

/**
 * Repositories may have values that are no longer allowed until they change, and may need those that are allowed from now on.
 * More people may set values only once all is done.
 */
function madeFirst(before: Given, body: Given): Given {
  const [from, to] = [before.allowed, body.allowed].map((allowed) => (Array.isArray(allowed) ? allowed : []));
  const removed = from?.filter((value) => !to?.includes(value)) ?? [];
  return {
    ...body,
    ...(removed.length > 0 && { allowed: [...(to ?? []), ...removed] }),
    ...(body.editable_by === 'org_and_repo_actors' && { editable_by: before.editable_by }),
  };
}

/** Returns whether the policy of an organization defines a property. */
export const declaresProperty = (declarations: Declarations, called: string): boolean =>
  wantedOf<WantedProperty>(declarations, 'property_schema').some((property) => isSame(property.name, called));

/** Returns definitions as they are once the planned changes of their organization are made. */
export function definitionsAfter(
  definitions: PropertyDefinitions,
  ofOwner: readonly PlannedChange[],
): PropertyDefinitions {
  const after = new Map(definitions);
  for (const { kind, action, name: planned, id, body, undeclared } of ofOwner) {
    if (kind !== 'property' || undeclared) continue;
    const key = planned.toLowerCase();
    if (action === 'delete') after.delete(key);
    else if (body) after.set(key, { property_name: String(id ?? planned), ...endpointBody(body) } as CustomProperty);
  }
  return after;
}

/** Returns definitions as they were before changes of their organization, which may have been made. */
export const definitionsBefore = (
  definitions: PropertyDefinitions,
  ofOwner: readonly PlannedChange[],
): PropertyDefinitions =>
  definitionsAfter(
    definitions,
    ofOwner.map(
      (change) =>
        ({ ...change, action: change.action === 'create' ? 'delete' : 'update', body: change.before }) as PlannedChange,
    ),
  );
