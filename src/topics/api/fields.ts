/** The `-f` and `-F` flags of `api`, in the form of `gh`: `key=value`, `key[sub]=value`, `key[]=value`. */
import type { Readable } from 'node:stream';
import { readSource } from '../../cli/input/sources.ts';
import { shortened } from '../../client/redact.ts';
import { asText, integerOf, isExactInteger, isObject } from '../../json/exact-json.ts';
import { maxJsonDepth, tooDeep } from '../../json/nesting.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import type { Fill } from './placeholders.ts';

type Branch = Record<string, unknown>;

type ApiFlag = '--raw-field' | '--field';

interface ApiFields {
  readonly values: Readonly<Branch>;
  readonly problems: readonly Problem[];
  /** Notices about values that were probably not meant as text. */
  readonly notices: readonly string[];
}

export interface FieldSources {
  readonly stdin: Readable;
  /** Replaces placeholders such as `{owner}`. */
  readonly fill: Fill;
}

/**
 * Reads the fields in the order of `gh`: all raw ones first. The last value of a repeated key wins, and `key[]` adds to a
 * list. Throws UsageError for a file that cannot be read.
 */
export async function apiFields(
  raw: readonly string[] = [],
  typed: readonly string[] = [],
  sources: FieldSources,
): Promise<ApiFields> {
  const values = newBranch();
  const problems: Problem[] = [];
  const notices: string[] = [];
  const add = (flag: ApiFlag, word: string, value: unknown) => {
    const key = word.split('=', 1)[0] ?? '';
    const problem = pathProblem(key, word) ?? place(values, namesIn(key), value);
    if (problem) problems.push(invalid(flag, problem));
  };
  for (const word of raw) add('--raw-field', word, textIn(word));
  for (const word of typed) {
    const text = textIn(word);
    if (text !== undefined && looksLikeJson(text)) notices.push(textNotice(word));
    add('--field', word, text === undefined ? undefined : await typedValue(text, sources));
  }
  return { values, problems, notices };
}

/** Returns the value; undefined for `key[]` without one, which is an empty list. */
function textIn(word: string): string | undefined {
  const at = word.indexOf('=');
  return at === -1 ? undefined : word.slice(at + 1);
}

/** Converts a value of `-F`: true, false, null, integers and files, otherwise text with its placeholders replaced. */
async function typedValue(text: string, { stdin, fill }: FieldSources): Promise<unknown> {
  if (text.startsWith('@')) return readSource(text.slice(1), stdin, '--field');
  if (/^[+-]?\d+$/.test(text)) return integerOf(BigInt(text.replace(/^\+/, '')));
  const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
  return Object.hasOwn(words, text) ? words[text] : fill(text);
}

function looksLikeJson(text: string): boolean {
  if (!/^[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const textNotice = (word: string) =>
  `--field ${word.split('=', 1)[0]} is sent as text. For lists and objects, use key[]=value, key[sub]=value or --input.`;

/** Returns the problem with the syntax of a key; undefined for a valid one. */
function pathProblem(key: string, word: string): string | undefined {
  if (!/^[^[\]]+(?:\[[^[\]]*\])*$/.test(key)) return 'must have the form key=value, key[sub]=value or key[]=value';
  if (key.split('[').length > maxJsonDepth) return `${shortened(key, 20)} ${tooDeep()}`;
  if (key.includes('[][]')) return `${key} is a list of lists; use --input`;
  return word === key && !key.endsWith('[]') ? 'must have the form key=value' : undefined;
}

/** Returns the names in a key; deeper ones, which no field has, are left out. */
const namesIn = (key: string): string[] => key.split('[', maxJsonDepth).map((name) => name.replace(/\]$/, ''));

/**
 * Sets the value at a path, where an empty name appends to a list. Returns a problem if another field has given part of
 * the path another type.
 */
function place(root: Branch, [name = '', ...rest]: readonly string[], value: unknown): string | undefined {
  const isList = rest[0] === '';
  const below = isList ? rest.slice(1) : rest;
  if (!isList && below.length === 0) {
    root[name] = value;
    return undefined;
  }
  if (!(name in root)) root[name] = isList ? [] : newBranch();
  const found = root[name];
  if (isList ? !Array.isArray(found) : !isObject(found))
    return `${name} cannot be both ${isList ? 'a list' : 'an object'} and another value`;
  if (!isList) return place(found as Branch, below, value);
  const list = found as unknown[];
  if (below.length > 0) return place(elementFor(list, below[0] ?? ''), below, value);
  if (value === undefined) root[name] = [];
  else list.push(value);
  return undefined;
}

/** Returns the fields of a query or a form. */
export function formFields(pairs: URLSearchParams): Branch {
  const values = newBranch();
  for (const [key, value] of pairs) place(values, namesIn(key), value);
  return values;
}

const newBranch = (): Branch => Object.create(null);

/** Returns the last element, or a new one if the last already has a value of this name. */
function elementFor(list: unknown[], name: string): Branch {
  const last = list.at(-1);
  if (isObject(last) && (!(name in last) || Array.isArray(last[name]))) return last as Branch;
  const added = newBranch();
  list.push(added);
  return added;
}

/** Returns fields as query parameters: `a[b]` for an object, lists for `a[]`. */
export function queryOf(fields: Readonly<Branch>): { query: Record<string, string | string[]>; problems: Problem[] } {
  const query: Record<string, string | string[]> = {};
  const problems: Problem[] = [];
  const add = (name: string, value: unknown) => {
    if (isObject(value)) for (const [key, below] of Object.entries(value)) add(`${name}[${key}]`, below);
    else if (!Array.isArray(value)) query[name] = queryText(value);
    else if (value.some(isObject)) problems.push(invalid(name, 'is a list of objects, which a query cannot contain'));
    else query[name] = value.map(queryText);
  };
  for (const [name, value] of Object.entries(fields)) add(name, value);
  return { query, problems };
}

const queryText = (value: unknown): string => {
  if (value === null) return '';
  return isExactInteger(value) ? value.rawJSON : asText(value);
};
