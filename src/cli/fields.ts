/** Declared fields → flags, and what the user typed → the values that are sent. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import * as Flags from '@oclif/core/flags';
import type { BooleanFlag, OptionFlag } from '@oclif/core/interfaces';
import type * as v from 'valibot';
import { whyUnreadable } from '../client/system-errors.ts';
import { letInterruptEnd } from '../output/interrupt.ts';
import { parseJson } from '../platform/exact-json.ts';
import { type FieldNotes, optionalFields } from '../platform/schema.ts';
import { checkValue, type Given, invalid, type Problem } from '../platform/validate.ts';
import { mostInputBytes, readAll, readSource } from './body-input.ts';
import { jsonErrorLine } from './json-line.ts';
import { deepest, isTooDeep } from './nesting.ts';
import { didYouMean } from './suggest.ts';
import { BadValue } from './values.ts';

type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}-${Kebab<Tail>}` : S;

type BaseOf<S> = S extends { readonly wrapped: infer W } ? BaseOf<W> : S;

type FlagOf<S> = BaseOf<S> extends v.GenericSchema<boolean> ? BooleanFlag<boolean | undefined> : OptionFlag<TypedText>;

/** What was typed for one flag: the text, once for each time the flag was given where it may be repeated. */
type TypedText = string | string[] | undefined;

/** One flag for each field, in kebab-case. */
type FieldFlags<E extends v.ObjectEntries> = { [K in keyof E & string as Kebab<K>]: FlagOf<E[K]> };

/** The flag of a field, without its hyphens. */
export const flagName = (name: string): string => name.replaceAll('_', '-');

type Kind = 'boolean' | 'string' | 'integer' | 'word' | 'strings' | 'integers' | 'json';

/** What a field's schema says, found by looking through its wrappers. */
export interface FieldShape {
  readonly kind: Kind;
  readonly required: boolean;
  readonly description: string;
  readonly notes: FieldNotes;
  /** The words that a word field takes. */
  readonly words: readonly string[];
  /** Limits as help tells them, such as `at most 160 characters`. */
  readonly limits: string;
}

interface Introspected {
  readonly type: string;
  readonly wrapped?: Introspected;
  readonly options?: readonly string[];
  readonly item?: Introspected;
  readonly pipe?: readonly {
    readonly type: string;
    readonly description?: string;
    readonly metadata?: object;
    readonly requirement?: unknown;
  }[];
}

/** Reads a field's kind, words and limits off its schema. */
export function fieldShape(schema: v.GenericSchema): FieldShape {
  let current = schema as unknown as Introspected;
  let required = true;
  let description = '';
  let notes: FieldNotes = {};
  const limits: string[] = [];
  for (;;) {
    for (const action of current.pipe ?? []) {
      description = action.description ?? description;
      notes = { ...notes, ...action.metadata };
    }
    limits.push(...limitsOf(current));
    if (current.type === 'optional') required = false;
    const inner = current.wrapped ?? (current.pipe?.[0] as Introspected | undefined);
    if (!inner || inner === current) break;
    current = inner;
  }
  if (notes.maxCharacters !== undefined) limits.push(`at most ${notes.maxCharacters} characters`);
  return {
    kind: kindOf(current),
    required,
    description,
    notes,
    words: current.options ?? [],
    limits: [...new Set(limits)].join(', '),
  };
}

function kindOf({ type, item }: Introspected): Kind {
  if (type === 'boolean' || type === 'string') return type;
  if (type === 'number') return 'integer';
  if (type === 'picklist') return 'word';
  const element = item?.pipe?.[0] ?? item;
  if (type === 'array' && element?.type === 'string') return 'strings';
  if (type === 'array' && element?.type === 'number') return 'integers';
  return 'json';
}

function limitsOf({ pipe }: Introspected): string[] {
  const limit = (type: string) => pipe?.find((action) => action.type === type)?.requirement as number | undefined;
  const said: string[] = [];
  const longest = limit('max_length');
  const least = limit('min_value');
  const most = limit('max_value');
  if (longest !== undefined) said.push(`at most ${longest}`);
  if (least !== undefined && least > Number.MIN_SAFE_INTEGER && most !== undefined && most < Number.MAX_SAFE_INTEGER)
    said.push(`${least} to ${most}`);
  else if (least !== undefined && least > 1) said.push(`at least ${least}`);
  return said;
}

/** The flags for the fields of a body, with their words, limits and defaults in the help. */
export function fieldFlags<const E extends v.ObjectEntries>(entries: E): FieldFlags<E> {
  return flagsFor(entries, { helpGroup: 'BODY' });
}

/** The flags for query parameters, of which none is required. */
export function queryFlags<const E extends v.ObjectEntries>(query: E): FieldFlags<E> {
  return flagsFor(optionalFields(query).entries, {}) as unknown as FieldFlags<E>;
}

/** Where help shows a flag; absent among the command's own. */
interface Place {
  readonly helpGroup?: string;
}

function flagsFor<const E extends v.ObjectEntries>(entries: E, place: Place): FieldFlags<E> {
  const flags = Object.entries(entries).flatMap(([name, schema]) => {
    const shape = fieldShape(schema as v.GenericSchema);
    if (shape.notes.prose)
      return [
        [flagName(name), fieldFlag(shape, place, `required, or --${fileFlagOf(name)}`)] as const,
        [fileFlagOf(name), proseFlag(name, place)] as const,
      ];
    return [[flagName(name), fieldFlag(shape, shape.required ? { helpGroup: 'REQUIRED' } : place)] as const];
  });
  return Object.fromEntries(flags) as FieldFlags<E>;
}

function fieldFlag(
  shape: FieldShape,
  place: Place,
  required = 'required',
): BooleanFlag<boolean | undefined> | OptionFlag<TypedText> {
  const remarks = [
    manyWords(shape) ? `one of ${shape.words.join(', ')}` : '',
    shape.limits,
    shape.notes.default === undefined
      ? ''
      : `the platform’s default: ${shape.notes.default === '' ? 'empty' : shape.notes.default}`,
    shape.notes.closingDown ? `closing down: ${shape.notes.closingDown}` : '',
    shape.required ? required : '',
  ].filter(Boolean);
  const description = remarks.length ? `${shape.description} (${remarks.join('; ')})` : shape.description;
  if (shape.kind === 'boolean')
    return Flags.boolean({ ...place, description, allowNo: true }) as BooleanFlag<boolean | undefined>;
  const words = shape.words.length ? { options: shape.words } : {};
  const shown = { ...place, description, helpValue: helpValue(shape), ...words };
  const repeatable = shape.kind === 'strings' || shape.kind === 'integers';
  return (
    repeatable ? Flags.string({ ...shown, multiple: true, multipleNonGreedy: true }) : Flags.string(shown)
  ) as OptionFlag<TypedText>;
}

/** A text itself is sent as it is: it may well begin with an @, which calls somebody. */
const proseFlag = (name: string, place: Place) =>
  Flags.string({
    ...place,
    helpValue: 'FILE|-',
    description: `In place of --${flagName(name)}: take the text from a file, or from standard input with -`,
  });

const fileFlagOf = (name: string) => `${flagName(name)}-file`;

/** More words than fit beside the flag's name go into its description. */
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
    case 'json':
      return 'JSON|@FILE';
    default:
      return 'TEXT';
  }
}

/** What flags say about declared fields. Only what was typed is in `values`. */
export interface TypedFields {
  readonly values: Given;
  readonly problems: readonly Problem[];
}

/**
 * Reads the values of declared fields off parsed flags: numbers, lists (commas, repeated flags or JSON) and nested JSON
 * (or `@FILE`, or `@-`). A word that the field does not take is a problem here, because it was typed for this version.
 * Throws UsageError for a file that cannot be read.
 */
export async function typedFields(entries: v.ObjectEntries, flags: Given, stdin: Readable): Promise<TypedFields> {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [name, schema] of Object.entries(entries)) {
    const file = flags[fileFlagOf(name)];
    const typed = flags[flagName(name)];
    if (typeof file === 'string' && typed === undefined)
      values[name] = await readSource(file, stdin, `--${fileFlagOf(name)}`);
    else if (file !== undefined)
      problems.push(invalid(`--${fileFlagOf(name)}`, `does not go with --${flagName(name)}`));
    if (typed === undefined) continue;
    const isPiped = typed === '@-' && fieldShape(schema as v.GenericSchema).kind === 'json';
    const piped = isPiped ? await readAll(stdin) : undefined;
    const field = typedField(name, schema as v.GenericSchema, typed as TypedWord, piped);
    Object.assign(values, field.values);
    problems.push(...field.problems);
  }
  return { values, problems };
}

/** What was typed for one flag, or asked for in its place. */
type TypedWord = boolean | string | string[];

/** Reads the value of one field. `piped` is what standard input held, where the word is `@-`. */
export function typedField(name: string, schema: v.GenericSchema, typed: TypedWord, piped?: string): TypedFields {
  const { kind, words } = fieldShape(schema);
  try {
    const value = piped === undefined ? readValue(kind, typed) : toJson(piped, 'standard input');
    const { unknown } = checkValue(schema, value);
    const known = kind === 'word' ? unknown : [];
    const problems = known.map(({ message }) => invalid(name, message + didYouMean(String(value), words)));
    return { values: { [name]: value }, problems };
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return { values: {}, problems: [invalid(name, error.message)] };
  }
}

function readValue(kind: Kind, typed: TypedWord): unknown {
  if (typeof typed === 'boolean') return typed;
  switch (kind) {
    case 'integer':
      return toInteger(typed as string);
    case 'strings':
      return [typed].flat().flatMap((text) => toList(text));
    case 'integers':
      return [typed].flat().flatMap((text) => toList(text).map(toInteger));
    case 'json':
      return jsonOf(typed as string);
    default:
      return typed;
  }
}

function toInteger(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (!/^-?\d+$/.test(value.trim())) throw new BadValue(`must be a whole number, not “${value}”`);
  return Number(value);
}

function toList(text: string): unknown[] {
  if (text.trimStart().startsWith('[')) {
    const value = toJson(text);
    if (Array.isArray(value)) return value;
  }
  return text === '' ? [] : text.split(',').map((element) => element.trim());
}

function toJson(text: string, file?: string): unknown {
  const value = parsed(text, file);
  if (isTooDeep(value)) throw new BadValue(`must not be nested more than ${deepest} deep`);
  return value;
}

function parsed(text: string, file: string | undefined): unknown {
  const line = jsonErrorLine(text);
  if (line === undefined) return parseJson(text);
  throw new BadValue(file === undefined ? 'must be JSON' : `must be JSON, and ${file} is not, line ${line}`);
}

/** JSON as it was typed, or from the file that was named with `@FILE`, or from standard input with `@-`. */
export async function readJson(typed: string, stdin: Readable): Promise<unknown> {
  return typed === '@-' ? toJson(await readAll(stdin), 'standard input') : jsonOf(typed);
}

function jsonOf(typed: string): unknown {
  return typed.startsWith('@') ? toJson(readGiven(typed.slice(1)), typed.slice(1)) : toJson(typed);
}

function readGiven(file: string): string {
  const listenAgain = letInterruptEnd();
  try {
    return textOf(file);
  } catch (error) {
    if (error instanceof BadValue) throw error;
    throw new BadValue(`cannot be read from ${file}: ${whyUnreadable(error) ?? (error as Error).message}`);
  } finally {
    listenAgain();
  }
}

/** Node's own reading of a file does not end with files that do not, such as /dev/zero. */
function textOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(handle, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks).toString('utf8');
      bytes += read;
      if (bytes > mostInputBytes)
        throw new BadValue(`must be JSON, and ${file} holds more than ${mostInputBytes / 1024 / 1024} MiB`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
}

/** The fields among `values` that the specification calls closing down, each with what replaces it. */
export function closingDownFields(
  entries: v.ObjectEntries,
  values: Given,
): readonly { name: string; replacement: string }[] {
  return Object.entries(entries).flatMap(([name, schema]) => {
    const replacement = fieldShape(schema as v.GenericSchema).notes.closingDown;
    return replacement && values[name] !== undefined ? [{ name, replacement }] : [];
  });
}
