/** Converts the flags of declared fields to the values that are sent. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import { restoreDefaultInterrupt } from '../../disk/interrupt.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { ownMember, parseJson } from '../../json/exact-json.ts';
import { jsonErrorLine } from '../../json/json-error.ts';
import { isJsonTooDeep, tooDeep } from '../../json/nesting.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { fieldShape, type Kind } from './field-shape.ts';
import { fileFlagOf, flagName } from './fields.ts';
import { isReadOnce, largestInput, notUtf8, readSource, tooLarge, utf8Text } from './sources.ts';
import { BadValue, exactInteger } from './values.ts';

/** The fields given by flags; `values` contains only those. */
export interface TypedFields {
  readonly values: Given;
  readonly problems: readonly Problem[];
}

/**
 * Reads the values of declared fields from parsed flags: numbers, lists (commas, repeated flags or JSON) and nested
 * JSON (or `@FILE`, or `@-`). Whether they are allowed is checked against the declaration later. Throws UsageError for
 * a file that cannot be read.
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
      problems.push(invalid(`--${fileFlagOf(name)}`, `cannot be used with --${flagName(name)}`));
    if (typed === undefined) continue;
    const source = fieldShape(schema as v.GenericSchema).kind === 'json' ? sourceIn(typed as TypedWord) : undefined;
    const isPiped = source === '-' || (source !== undefined && (await isReadOnce(source)));
    const piped = isPiped ? await readSource(source, stdin, `--${flagName(name)}`) : undefined;
    const field = typedField(name, schema as v.GenericSchema, typed as TypedWord, piped);
    Object.assign(values, field.values);
    problems.push(...field.problems);
  }
  return { values, problems };
}

/** The value of one flag, or the answer to its prompt. */
type TypedWord = boolean | string | string[];

/** Returns the file in `@FILE`; undefined for anything else. */
const sourceIn = (typed: TypedWord): string | undefined =>
  typeof typed === 'string' && typed.startsWith('@') ? typed.slice(1) : undefined;

/** Reads the value of one field. `piped` is the content of standard input for `@-`, or of a file that can be read only once. */
export function typedField(name: string, schema: v.GenericSchema, typed: TypedWord, piped?: string): TypedFields {
  const { kind } = fieldShape(schema);
  try {
    return {
      values: {
        [name]:
          piped === undefined
            ? readValue(kind, typed)
            : toJson(piped, typed === '@-' ? 'standard input' : sourceIn(typed)),
      },
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return { values: {}, problems: [invalid(name, error.message)] };
  }
}

/**
 * Returns problems with the names of the typed flags instead of those of the fields that they set. `parts` are the
 * nested fields that have their own flags.
 */
export function underFlags(
  problems: readonly Problem[],
  flags: Given,
  parts: Readonly<Record<string, v.ObjectEntries>> = {},
): readonly Problem[] {
  return problems.map((problem) => {
    const { field, message, code } = problem;
    const [path = '', top = '', member = ''] = /^([\w-]+)(?:\.([\w-]+))?/.exec(field) ?? [];
    const ofPart =
      Object.hasOwn(parts, top) && Object.hasOwn(parts[top] ?? {}, member) ? typedFlag(member, flags) : undefined;
    const ofField = typedFlag(top, flags);
    const named = ofPart ? ofPart + field.slice(path.length) : ofField ? ofField + field.slice(top.length) : field;
    return { ...problem, field: named, message: code === 'unknown_word' ? message : flagsInText(message, flags) };
  });
}

/** Replaces the names of other typed fields in a message. Elsewhere, a name of one word may be a value. */
const flagsInText = (message: string, flags: Given): string =>
  message.replace(
    /(?<![\w“"])(?:(?<=\b(?:when|with) )[a-z]+|[a-z]+(?:_[a-z]+)+)(?![\w”"])/g,
    (name) => typedFlag(name, flags) ?? name,
  );

/** Returns the flag that has set a field, as typed. */
function typedFlag(name: string, flags: Given): string | undefined {
  const flag = flagName(name);
  const typed = (given: string) => ownMember(flags, given);
  if (typed(flag) !== undefined) return typed(flag) === false ? `--no-${flag}` : `--${flag}`;
  return typed(fileFlagOf(name)) === undefined ? undefined : `--${fileFlagOf(name)}`;
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
  return typeof value === 'string' ? exactInteger(value) : value;
}

function toList(text: string): unknown[] {
  if (text.trimStart().startsWith('[')) {
    const value = toJson(text);
    if (Array.isArray(value)) return value;
  }
  if (text.trim() === '') throw new BadValue('is empty; use [] for an empty list');
  return text.split(',').map((element) => element.trim());
}

function toJson(text: string, file?: string): unknown {
  if (isJsonTooDeep(text)) throw new BadValue(tooDeep());
  const line = jsonErrorLine(text);
  if (line === undefined) return parseJson(text);
  throw new BadValue(file === undefined ? 'must be JSON' : `must be JSON, but ${file} is not (line ${line})`);
}

function jsonOf(typed: string): unknown {
  const file = sourceIn(typed);
  return file === undefined ? toJson(typed) : toJson(readGiven(file), file);
}

function readGiven(file: string): string {
  const listenAgain = restoreDefaultInterrupt();
  try {
    const text = utf8Text(bytesOf(file));
    if (text === undefined) throw new BadValue(`must be JSON, but ${file} ${notUtf8}`);
    return text;
  } catch (error) {
    if (error instanceof BadValue) throw error;
    throw new BadValue(`cannot be read from ${file}: ${whyUnreadable(error) ?? (error as Error).message}`);
  } finally {
    listenAgain();
  }
}

/** Node's own file reading never ends for endless files, such as /dev/zero. */
function bytesOf(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const chunks: Buffer[] = [];
    for (let bytes = 0; ; ) {
      const chunk = Buffer.alloc(65_536);
      const read = readSync(handle, chunk, 0, chunk.length, null);
      if (read === 0) return Buffer.concat(chunks);
      bytes += read;
      if (bytes > largestInput) throw new BadValue(`must be JSON, but ${file} ${tooLarge(largestInput)}`);
      chunks.push(chunk.subarray(0, read));
    }
  } finally {
    closeSync(handle);
  }
}
