/** The parts of the schemas of policy files. Bodies sent to the platform are declared with their endpoints. */
import * as v from 'valibot';
import { fields, nested, oneOf, optional, string } from '../../../platform/schema.ts';

/** Mappings that exist only in policies, so that all of their keys are known. */
export const closedMappings = new Set<v.GenericSchema>();

export function mapping<const E extends v.ObjectEntries>(entries: E) {
  const schema = fields(entries);
  closedMappings.add(schema);
  return schema;
}

export const list = <S extends v.GenericSchema>(item: S, description: string) =>
  optional(nested(v.array(item, 'must be a list'), description));

export const optionalText = (description: string) => optional(string(description));

/** The value of a kind in `manage`. */
export const extent = optional(
  oneOf(['declared', 'all'], 'Keep undeclared objects (declared), or delete them with --prune (all)', {
    default: 'declared',
  }),
);

/** Public platform, Usernames: letters, digits and hyphens; underscores before the shortcode of an enterprise. */
const loginPattern = /^[A-Za-z\d][\w-]*$/;

/** Declares a list of logins of people. */
export const logins = (description: string) =>
  nested(
    v.array(v.pipe(v.string('must be a string'), v.regex(loginPattern, 'must be a login')), 'must be a list'),
    description,
  );

/** A part of a JSON Schema. */
export type JsonForm = Readonly<Record<string, unknown>>;

/** Parts whose JSON Schema does not follow from their declaration. */
export const jsonForms = new Map<v.GenericSchema, JsonForm>();

/** Declares a value with a check of its own, and its JSON Schema. */
export function custom<T>(is: (value: unknown) => boolean, message: string, jsonForm: JsonForm) {
  const schema = v.custom<T>(is, message);
  jsonForms.set(schema, jsonForm);
  return schema;
}
