/** The JSON Schema of policy files, for editors. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { kinds } from '../kinds/index.ts';
import { misspellings } from './misspellings.ts';
import { referenceKinds, referenceTo } from './references.ts';
import { enterpriseDocument, organizationDocument, repositoryEntry } from './schema.ts';
import { closedMappings, jsonForms, type JsonForm as Schema } from './schema-parts.ts';

/** Returns the JSON Schema of a policy file. A file that names an enterprise has a form of its own. */
export function policySchema(): Schema {
  const { $schema, ...organization } = schemaOf(organizationDocument);
  const { $schema: _same, ...enterprise } = schemaOf(enterpriseDocument);
  return {
    $schema,
    title: 'Policy',
    type: 'object',
    if: { properties: { enterprise: {} }, required: ['enterprise'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: enterprise,
    else: organization,
  };
}

function schemaOf(document: v.GenericSchema): Schema {
  const schema = toJsonSchema(document, {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const given = valibotSchema as v.GenericSchema & { readonly key?: string };
      if (given.type === 'variant') return { ...jsonSchema, key: given.key } as typeof jsonSchema;
      if (given === repositoryEntry)
        return { ...jsonSchema, additionalProperties: false, anyOf: selections } as typeof jsonSchema;
      const closed = closedMappings.has(given) ? { ...jsonSchema, additionalProperties: false } : null;
      return jsonForms.get(given) ?? closed;
    },
  });
  const { required, ...form } = formOf(schema as Schema, '');
  // A file with only define needs no owner.
  return {
    ...form,
    if: { ...requiring(['define']), maxProperties: 1 },
    else: requiring(required as readonly string[]),
  };
}

/** Returns a schema that requires fields. Validators in strict mode expect them to be declared beside. */
const requiring = (names: readonly string[]): Schema => ({
  properties: Object.fromEntries(names.map((name) => [name, {}])),
  required: names,
});

/** The short forms of the elements of lists, by the field of the list. */
const shortForms = new Map(kinds.flatMap((kind) => Object.entries(kind.shortForms ?? {})));

/** The IDs that names may replace. Those of registries are text. */
const ids: ReadonlySet<string> = new Set(['actor_id', 'id', 'integration_id', 'repository_id']);

/** Notes of fields that are not part of JSON Schema. */
const notes: ReadonlySet<string> = new Set([
  'closingDown',
  'isOpen',
  'key',
  'maxCharacters',
  'mayBeEmpty',
  'preselected',
  'prose',
  'unknown',
]);

/** What says which repositories an entry is for; a piece may. */
const selections = ['select', 'create', 'use'].map((name) => requiring([name]));

const use = { type: 'string', description: 'Piece of define that has the other keys' } as const;

/** An element of a list that stands for the elements of a piece. */
const usedElements = { type: 'object', properties: { use }, required: ['use'], additionalProperties: false };

/** Returns the schema of a part of a document, which may use a piece. */
function forEditors(schema: Schema, name = ''): Schema {
  const form = formOf(schema, name);
  const { type } = (schema.items ?? {}) as Schema;
  if (type === 'string' || type === 'integer') return { ...form, items: { anyOf: [form.items, usedElements] } };
  if (!form.properties) return form;
  const { required, ...rest } = form;
  // The piece may have what is required.
  const unless = required ? { if: requiring(['use']), else: requiring(required as readonly string[]) } : {};
  return { ...rest, properties: { ...form.properties, use }, ...unless };
}

/**
 * Returns a schema with the names that may replace IDs, the short forms of the elements of lists, objects of several kinds
 * in a form that editors complete, and without misspelled fields.
 */
function formOf(schema: Schema, name: string): Schema {
  const copy = Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !notes.has(key))
      .map(([key, value]) => [key, copied(value, key === 'properties')]),
  );
  const reference = referenceTo(referenceKinds);
  if (ids.has(name) && schema.type !== 'object') return { anyOf: [copy, reference] };
  if (name === 'repository_ids') return { ...copy, items: { anyOf: [copy.items, reference] } };
  const short = shortForms.get(name);
  if (short) return { ...copy, items: { anyOf: [...short(schema.items as Schema), copy.items] } };
  if (typeof schema.key === 'string') return byKind(copy, schema.key, schema.isOpen === true);
  return schema.properties && schema.additionalProperties === undefined
    ? { ...copy, patternProperties: { [`^${misspellings(Object.keys(schema.properties), ['use'])}$`]: false } }
    : copy;
}

function copied(value: unknown, areProperties: boolean): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each, false));
  if (typeof value !== 'object' || value === null) return value;
  if (!areProperties) return forEditors(value as Schema);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, forEditors(each as Schema, name)]));
}

/** Returns the schema of an object of one of several kinds. Of the kinds in a `oneOf`, editors complete only some. */
function byKind({ oneOf, ...rest }: Schema, key: string, isOpen: boolean): Schema {
  const options = (oneOf as readonly Schema[]).map((option) => {
    const { [key]: word = {}, ...properties } = option.properties as Readonly<Record<string, Schema>>;
    const words = (word.enum ?? [word.const]) as readonly string[];
    return { option, properties, words, description: option.description ?? word.description };
  });
  const known = options.flatMap(({ words, description }) => words.map((word) => ({ const: word, description })));
  const others = { type: 'string', not: { pattern: `^${misspellings(known.map((word) => word.const))}$` } };
  return {
    ...rest,
    type: 'object',
    properties: { [key]: { anyOf: [...known, ...(isOpen ? [others] : [])] } },
    required: [key],
    allOf: options.map(({ option, properties, words }) => ({
      if: { properties: { [key]: { enum: words } }, required: [key] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { ...option, properties: { [key]: {}, ...properties } },
    })),
  };
}
