/** The JSON Schema of policy files, for editors. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { referenceKinds } from './references.ts';
import { enterpriseDocument, organizationDocument } from './schema.ts';
import { closedMappings, jsonForms } from './schema-parts.ts';

type Schema = Readonly<Record<string, unknown>>;

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

const referenceTo = (kinds: readonly string[]): Schema => ({ type: 'string', pattern: `^(${kinds.join('|')}):\\S` });

const actorReference = referenceTo(['team', 'app', 'role']);

/** The short forms of bypass actors. */
const shortActors = (mode: unknown): readonly Schema[] => [
  { ...actorReference, description: 'Team, app or role' },
  {
    type: 'object',
    properties: { actor: actorReference, mode: mode ?? {} },
    required: ['actor'],
    additionalProperties: false,
  },
];

/** The IDs that names may replace. Those of registries are text. */
const ids: ReadonlySet<string> = new Set(['actor_id', 'id', 'integration_id', 'repository_id']);

/** Adds the names that may replace IDs, and the short forms of bypass actors. */
function withReferences(schema: Schema, name = ''): Schema {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, copied(value, key === 'properties')]),
  );
  const reference = referenceTo(referenceKinds);
  if (ids.has(name)) return { anyOf: [copy, reference] };
  if (name === 'repository_ids') return { ...copy, items: { anyOf: [copy.items, reference] } };
  if (name === 'bypass_actors') return { ...copy, items: { anyOf: [...shortActors(modeOf(copy.items)), copy.items] } };
  return copy;
}

function copied(value: unknown, areProperties: boolean): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => copied(each, false));
  if (typeof value !== 'object' || value === null) return value;
  if (!areProperties) return withReferences(value as Schema);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withReferences(each as Schema, name)]));
}

/** Returns the schema of the platform's bypass modes. */
function modeOf(actors: unknown): unknown {
  const { oneOf = [] } = actors as { readonly oneOf?: readonly { readonly properties?: Schema }[] };
  return oneOf[0]?.properties?.bypass_mode;
}
