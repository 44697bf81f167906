/** Converts declared fields to flags. */
import * as Flags from '@oclif/core/flags';
import type { BooleanFlag, OptionFlag } from '@oclif/core/interfaces';
import type * as v from 'valibot';
import { optionalFields } from '../../platform/schema.ts';
import { type FieldShape, fieldShape } from './field-shape.ts';
import { fileOrStdin, jsonOrFile } from './file-flags.ts';

type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}-${Kebab<Tail>}` : S;

type BaseOf<S> = S extends { readonly wrapped: infer W } ? BaseOf<W> : S;

type FlagOf<S> = BaseOf<S> extends v.GenericSchema<boolean> ? BooleanFlag<boolean | undefined> : OptionFlag<TypedText>;

/** The text given for a flag, once for each occurrence if it is repeatable. */
type TypedText = string | string[] | undefined;

/** One flag for each field, in kebab-case. */
type FieldFlags<E extends v.ObjectEntries> = { [K in keyof E & string as Kebab<K>]: FlagOf<E[K]> };

/** The flag of a field, without its hyphens. */
export const flagName = (name: string): string => name.replaceAll('_', '-');

/** The flags for the fields of a body, with their words, limits and defaults in the help. */
export function fieldFlags<const E extends v.ObjectEntries>(entries: E): FieldFlags<E> {
  return flagsFor(entries, { helpGroup: 'BODY' });
}

/** Returns the flags for query parameters, none of which is required. */
export function queryFlags<const E extends v.ObjectEntries>(query: E): FieldFlags<E> {
  return flagsFor(optionalFields(query).entries, {}) as unknown as FieldFlags<E>;
}

/** The group of a flag in help; absent for the command's own flags. */
interface Place {
  readonly helpGroup?: string;
}

function flagsFor<const E extends v.ObjectEntries>(entries: E, place: Place): FieldFlags<E> {
  const flags = Object.entries(entries).flatMap(([name, schema]) => {
    const shape = fieldShape(schema as v.GenericSchema);
    if (shape.notes.prose)
      return [
        [flagName(name), fieldFlag(shape, place, `required unless --${fileFlagOf(name)} is given`)] as const,
        [fileFlagOf(name), proseFlag(name, place)] as const,
      ];
    return [[flagName(name), fieldFlag(shape, shape.required ? { helpGroup: 'REQUIRED' } : place)] as const];
  });
  return Object.fromEntries(flags) as FieldFlags<E>;
}

function fieldFlag(
  shape: FieldShape,
  place: Place,
  required = '',
): BooleanFlag<boolean | undefined> | OptionFlag<TypedText> {
  const remarks = [
    manyWords(shape) ? `one of ${shape.words.join(', ')}` : '',
    shape.limits,
    shape.notes.default === undefined ? '' : `default: ${shape.notes.default === '' ? 'empty' : shape.notes.default}`,
    shape.notes.closingDown ? `deprecated: ${shape.notes.closingDown}` : '',
    shape.required ? required : '',
  ].filter(Boolean);
  const description = remarks.length ? `${shape.description} (${remarks.join('; ')})` : shape.description;
  if (shape.kind === 'boolean')
    return Flags.boolean({ ...place, description, allowNo: true }) as BooleanFlag<boolean | undefined>;
  const words = shape.words.length ? { options: shape.words } : {};
  const form = shape.kind === 'json' ? jsonOrFile : { helpValue: helpValue(shape) };
  const shown = { ...place, description, ...form, ...words };
  const repeatable = shape.kind === 'strings' || shape.kind === 'integers';
  return (
    repeatable ? Flags.string({ ...shown, multiple: true, multipleNonGreedy: true }) : Flags.string(shown)
  ) as OptionFlag<TypedText>;
}

/** Text is sent unchanged: it may start with an @ that mentions someone. */
const proseFlag = (name: string, place: Place) =>
  Flags.string({
    ...place,
    ...fileOrStdin,
    description: `File to read --${flagName(name)} from (- for standard input)`,
  });

/** Returns the name of the flag for a text's file, without hyphens. */
export const fileFlagOf = (name: string) => `${flagName(name)}-file`;

/** If there are too many words for the flag’s name, the description lists them. */
const manyWords = ({ words }: FieldShape) => words.join('|').length > 40;

function helpValue(shape: FieldShape): string {
  switch (shape.kind) {
    case 'word':
      return manyWords(shape) ? 'WORD' : shape.words.join('|');
    case 'integer':
      return 'NUMBER';
    case 'strings':
      return 'TEXT,…';
    case 'integers':
      return 'NUMBER,…';
    default:
      return 'TEXT';
  }
}
