/**
 * The vocabulary of query parameters and body fields: valibot schemas with types, limits, and the descriptions and
 * messages shown to users.
 */
import * as v from 'valibot';
import { isExactInteger } from '../json/exact-json.ts';

/** Metadata of a field beyond its type and limits. */
export interface FieldNotes {
  /** The platform's default. Help shows it; requests never contain it. */
  readonly default?: string | number | boolean;
  /** The value that prompts preselect, where it is safer than the first one. */
  readonly preselected?: string;
  /** The maximum length of the string. */
  readonly maxCharacters?: number;
  /** True if an empty string is valid and means no value. */
  readonly mayBeEmpty?: true;
  /** True for longer text, which also gets a flag that reads it from a file. */
  readonly prose?: true;
  /** The replacement of a field that is closing down. */
  readonly closingDown?: string;
}

type Described<S extends v.GenericSchema> = v.SchemaWithPipe<
  readonly [
    S,
    v.DescriptionAction<v.InferOutput<S>, string>,
    v.MetadataAction<v.InferOutput<S>, FieldNotes & Record<string, unknown>>,
  ]
>;

function describe<S extends v.GenericSchema>(schema: S, description: string, notes: FieldNotes = {}): Described<S> {
  return v.pipe(
    schema,
    v.description<v.InferOutput<S>, string>(description),
    v.metadata<v.InferOutput<S>, FieldNotes & Record<string, unknown>>({ ...notes }),
  ) as unknown as Described<S>;
}

/**
 * A non-empty string. An empty one usually comes from an unset shell variable, and platforms may read it as all or
 * none.
 */
const filled = v.pipe(v.string('must be a string'), v.nonEmpty('is empty'));

/**
 * Declares a string of at most `maxCharacters` code points, so that an emoji counts as one; empty only with
 * `mayBeEmpty`.
 */
export function string(description: string, notes: FieldNotes = {}) {
  const { maxCharacters: max, mayBeEmpty } = notes;
  const text: v.GenericSchema<string> = mayBeEmpty ? v.string('must be a string') : filled;
  const schema: v.GenericSchema<string> =
    max === undefined
      ? text
      : v.pipe(
          text,
          v.check((given) => [...given].length <= max, `must be at most ${max} characters`),
        );
  return describe(schema, description, notes);
}

/** Declares a string, or null to clear it. */
export function nullableString(description: string) {
  return describe(v.nullable(v.pipe(v.string('must be a string or null'), v.nonEmpty('is empty'))), description);
}

/** Returns the message for a value that is not a number, or for a number that JavaScript cannot represent exactly. */
const unlessTooLarge =
  (message: string) =>
  ({ input }: { readonly input: unknown }) => {
    if (!isExactInteger(input)) return message;
    return input.rawJSON.startsWith('-')
      ? `is less than ${Number.MIN_SAFE_INTEGER}`
      : `is larger than ${Number.MAX_SAFE_INTEGER}`;
  };

/** Declares a whole number between `min` and `max`, both inclusive. */
export function integer(description: string, notes: FieldNotes & { min?: number; max?: number } = {}) {
  const { min, max, ...rest } = notes;
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : '';
  const message = `must be a whole number${range}`;
  const schema: v.GenericSchema<number> = v.pipe(
    v.number(unlessTooLarge(message)),
    v.safeInteger(message),
    v.minValue(min ?? Number.MIN_SAFE_INTEGER, range ? message : `must be at least ${min}`),
    v.maxValue(max ?? Number.MAX_SAFE_INTEGER, range ? message : `must be at most ${max}`),
  );
  return describe(schema, description, rest);
}

export function boolean(description: string, notes: FieldNotes = {}) {
  return describe(v.boolean('must be true or false'), description, notes);
}

/** Declares one of a fixed set of words. */
export function oneOf<const V extends readonly string[]>(values: V, description: string, notes: FieldNotes = {}) {
  return describe(v.picklist(values, `must be one of ${values.join(', ')}`), description, notes);
}

/** Declares a list of non-empty strings. */
export function strings(description: string) {
  return describe(v.array(filled, 'must be a list'), description);
}

/** Declares a list of whole numbers, with at most `max` items if given. */
export function integers(description: string, { max }: { max?: number } = {}) {
  const list = v.array(
    v.pipe(v.number(unlessTooLarge('must be a whole number')), v.safeInteger('must be a whole number')),
    'must be a list of whole numbers',
  );
  const schema: v.GenericSchema<number[]> =
    max === undefined
      ? list
      : v.pipe(list, v.maxLength(max, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`));
  return describe(schema, description);
}

/** Declares a nested value: an object or a list of objects with its own schema. */
export function nested<S extends v.GenericSchema>(schema: S, description: string) {
  return describe(schema, description);
}

/** Declares an object with arbitrary fields. Lists are rejected, although JavaScript treats them as objects. */
export function anyObject() {
  return v.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value),
    'must be an object',
  );
}

/**
 * Declares an object with named fields. Unknown fields are not an error here, because a newer platform may support
 * them.
 */
export function fields<const E extends v.ObjectEntries>(entries: E) {
  return v.object(entries, 'must be an object');
}

/** Declares a field that accepts null for no value. */
export const nullable = <S extends v.GenericSchema>(schema: S) => v.nullable(schema);

export const optional = <S extends v.GenericSchema>(schema: S) => v.optional(schema);

/** Declares an object with named fields, all optional. */
export function optionalFields<const E extends v.ObjectEntries>(entries: E) {
  return v.partial(fields(entries));
}

/** Metadata of `kinds` for unknown words. */
export interface KindNotes {
  readonly unknown: string;
  /** True if a newer platform may support more kinds. */
  readonly isOpen: boolean;
}

/**
 * Declares an object of one of several kinds, distinguished by the word at `key`. `checkValue` reports unknown words
 * separately from invalid values.
 */
export function kinds<
  const K extends string,
  const O extends readonly v.ObjectSchema<v.ObjectEntries & Record<K, v.GenericSchema>, string>[],
>(key: K, options: O, notes: KindNotes) {
  const schema = v.variant(key, options, ({ path }) => (path ? 'must be a string' : 'must be an object'));
  return v.pipe(schema, v.metadata({ ...notes }));
}
