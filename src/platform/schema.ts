/**
 * The vocabulary in which endpoints describe their query parameters and body fields: valibot schemas that carry, beside
 * the type and its limits, the words that help and messages use.
 */
import * as v from 'valibot';
import { isExactInteger } from '../json/exact-json.ts';

/** What a field's schema says beyond its type and limits. */
export interface FieldNotes {
  /** The value that the platform applies when the field is left out. It is shown in help and never sent. */
  readonly default?: string | number | boolean;
  /** The length that a text may have. */
  readonly maxCharacters?: number;
  /** True for text that may be empty, which is none. */
  readonly mayBeEmpty?: true;
  /** True for text that people write in files: it has a flag that takes one, too. */
  readonly prose?: true;
  /** Set when the specification calls the field closing down: what replaces it. */
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

/** Text that is not empty: where a platform would take it for all or none, a variable of a script was not set. */
const filled = v.pipe(v.string('must be text'), v.nonEmpty('is empty'));

/**
 * A string, not empty unless it may be, of at most `maxCharacters` where there is a limit: code points, so that an emoji
 * counts one.
 */
export function string(description: string, notes: FieldNotes = {}) {
  const { maxCharacters: max, mayBeEmpty } = notes;
  const text: v.GenericSchema<string> = mayBeEmpty ? v.string('must be text') : filled;
  const schema: v.GenericSchema<string> =
    max === undefined
      ? text
      : v.pipe(
          text,
          v.check((given) => [...given].length <= max, `must be at most ${max} characters`),
        );
  return describe(schema, description, notes);
}

/** A string, or null to clear it. */
export function nullableString(description: string) {
  return describe(v.nullable(v.pipe(v.string('must be text or null'), v.nonEmpty('is empty'))), description);
}

/** The message for what is no number, or for one whose digits JavaScript cannot hold. */
const unlessTooLarge =
  (message: string) =>
  ({ input }: { readonly input: unknown }) => {
    if (!isExactInteger(input)) return message;
    return input.rawJSON.startsWith('-')
      ? `is less than ${Number.MIN_SAFE_INTEGER}`
      : `is larger than ${Number.MAX_SAFE_INTEGER}`;
  };

/** A whole number within `min` and `max`, both inclusive. */
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

/** True or false. */
export function boolean(description: string, notes: FieldNotes = {}) {
  return describe(v.boolean('must be true or false'), description, notes);
}

/** One of a fixed set of words. */
export function oneOf<const V extends readonly string[]>(values: V, description: string, notes: FieldNotes = {}) {
  return describe(v.picklist(values, `must be one of ${values.join(', ')}`), description, notes);
}

/** A list of texts. */
export function strings(description: string) {
  return describe(v.array(filled, 'must be a list'), description);
}

/** A list of whole numbers, of at most `max` where there is a limit. */
export function integers(description: string, { max }: { max?: number } = {}) {
  const list = v.array(
    v.pipe(v.number(unlessTooLarge('must be a whole number')), v.safeInteger('must be a whole number')),
    'must be a list of whole numbers',
  );
  const schema: v.GenericSchema<number[]> =
    max === undefined ? list : v.pipe(list, v.maxLength(max, `must hold at most ${max}`));
  return describe(schema, description);
}

/** A nested value: an object or a list of objects, with its own schema. */
export function nested<S extends v.GenericSchema>(schema: S, description: string) {
  return describe(schema, description);
}

/** An object whose members nobody here names. A list is none, though JavaScript takes it for an object. */
export function anyObject() {
  return v.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value),
    'must be an object',
  );
}

/** A set of named fields. Fields it does not name are not an error here: a newer platform may know them. */
export function fields<const E extends v.ObjectEntries>(entries: E) {
  return v.object(entries, 'must be an object');
}

/** A field of which the platform takes null for none. */
export const nullable = <S extends v.GenericSchema>(schema: S) => v.nullable(schema);

export const optional = <S extends v.GenericSchema>(schema: S) => v.optional(schema);

/** A set of named fields, none of them required. */
export function optionalFields<const E extends v.ObjectEntries>(entries: E) {
  return v.partial(fields(entries));
}

/** What is said of an object of a kind that `kinds` does not know. */
export interface KindNotes {
  readonly unknown: string;
  /** True where a newer platform may well know more kinds. */
  readonly isOpen: boolean;
}

/**
 * An object of one of several kinds, told apart by the word at `key`. `checkValue` names a word that none of them has apart
 * from what is wrong everywhere.
 */
export function kinds<
  const K extends string,
  const O extends readonly v.ObjectSchema<v.ObjectEntries & Record<K, v.GenericSchema>, string>[],
>(key: K, options: O, notes: KindNotes) {
  const schema = v.variant(key, options, ({ path }) => (path ? 'must be text' : 'must be an object'));
  return v.pipe(schema, v.metadata({ ...notes }));
}
