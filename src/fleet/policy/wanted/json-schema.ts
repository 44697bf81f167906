/** The JSON Schema of policy files, for editors. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { kinds } from '../kinds/index.ts';
import { referenceKinds, referenceTo } from './references.ts';
import { enterpriseDocument, organizationDocument } from './schema.ts';
import { closedMappings, jsonForms, type JsonForm as Schema } from './schema-parts.ts';

/** Returns the JSON Schema of a policy file. A file that names an enterprise has a form of its own. */
export function policySchema(): Schema {
  const { $schema, ...organization } = schemaOf(organizationDocument);
  const { $schema: _same, ...enterprise } = schemaOf(enterpriseDocument);
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { $schema, title: 'Policy', if: { required: ['enterprise'] }, then: enterprise, else: organization };
}

function schemaOf(document: v.GenericSchema): Schema {
  const schema = toJsonSchema(document, {
    errorMode: 'ignore',
    overrideSchema: ({ valibotSchema, jsonSchema }) => {
      const form = jsonForms.get(valibotSchema as v.GenericSchema);
      if (form) return form;
      return closedMappings.has(valibotSchema as v.GenericSchema)
        ? { ...jsonSchema, additionalProperties: false }
        : null;
    },
  });
  return withReferences(schema as Schema);
}

/** The short forms of the elements of lists, by the field of the list. */
const shortForms = new Map(kinds.flatMap((kind) => Object.entries(kind.shortForms ?? {})));

/** The IDs that names may replace. Those of registries are text. */
const ids: ReadonlySet<string> = new Set(['actor_id', 'id', 'integration_id', 'repository_id']);

/** Adds the names that may replace IDs, and the short forms of the elements of lists. */
function withReferences(schema: Schema, name = ''): Schema {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, copied(value, key === 'properties')]),
  );
  const reference = referenceTo(referenceKinds);
  if (ids.has(name)) return { anyOf: [copy, reference] };
  if (name === 'repository_ids') return { ...copy, items: { anyOf: [copy.items, reference] } };
  const short = shortForms.get(name);
  return short ? { ...copy, items: { anyOf: [...short(copy.items as Schema), copy.items] } } : copy;
}

function copied(value: unknown, areProperties: boolean): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each, false));
  if (typeof value !== 'object' || value === null) return value;
  if (!areProperties) return withReferences(value as Schema);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withReferences(each as Schema, name)]));
}
