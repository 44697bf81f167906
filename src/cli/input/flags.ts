/** The flags that commands share. */
import * as Flags from '@oclif/core/flags';
import type { OptionFlag } from '@oclif/core/interfaces';
import { formats } from '../../output/render.ts';
import { collecting } from './args.ts';
import { parseDuration, parseTimeout } from './duration.ts';
import { fileOrStdin } from './file-flags.ts';
import { BadValue, filledText, oneOf, wholeNumber } from './values.ts';

const listOfPaths = (text: string) => {
  const paths = text.split(',').map((path) => path.trim());
  if (paths.some((path) => path === '' || path.split('.').includes('')))
    throw new BadValue('must be field paths with commas between them, such as login,plan.name');
  return paths;
};

interface Shown {
  readonly description: string;
  /** What it is asked for with, where that is not the description. */
  readonly question?: string;
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly char?: 'o' | 'q' | 'L' | 'i' | 'H' | 'f' | 'F';
}

/** A flag with a value; a bad one is noted, so that one message can name all of them, and the flag has none. */
export function valueFlag<T>(name: string, convert: (text: string) => T, shown: Shown): OptionFlag<T | undefined> {
  const collect = collecting(name, convert);
  const parse = async (text: string, context: unknown) => (await collect(text, context)) ?? undefined;
  return {
    ...shown,
    name: name.replace(/^--/, ''),
    type: 'option',
    input: [],
    multiple: false,
    parse: parse as OptionFlag<T | undefined>['parse'],
  };
}

/** A flag that takes text. An empty one comes from a variable that is not set. */
export const textFlag = (name: string, shown: Shown): OptionFlag<string | undefined> =>
  valueFlag(name, filledText, shown);

/** A flag that takes one of a fixed set of words, which help shows and completion offers. */
export const wordFlag = <const W extends string>(name: string, words: readonly W[], shown: Shown) => ({
  ...valueFlag(name, oneOf(words), { helpValue: words.join('|'), ...shown }),
  options: words,
});

/** The groups in which help shows what many commands take. */
const ofOutput = { helpGroup: 'OUTPUT' } as const;
const ofPlatform = { helpGroup: 'PLATFORM' } as const;
const global = { helpGroup: 'COMMON' } as const;
const ofLists = { helpGroup: 'LIST' } as const;
const ofRequests = { helpGroup: 'REQUEST' } as const;

/** What every command takes. */
export const commonFlags = {
  output: wordFlag('--output', formats, {
    ...ofOutput,
    char: 'o',
    description: 'How to print the result; the default is a table on a terminal and tsv in a pipe',
  }),
  json: Flags.boolean({ ...ofOutput, description: 'The same as --output json' }),
  fields: valueFlag('--fields', listOfPaths, {
    ...ofOutput,
    helpValue: 'a,b.c',
    description:
      'Only these fields, by path: the columns of table, tsv and csv; in JSON and YAML the same fields, nested as they are; help lists them',
  }),
  jq: textFlag('--jq', {
    ...ofOutput,
    char: 'q',
    helpValue: 'EXPR',
    description:
      'Filter the JSON with a jq expression, with -o ndjson that of each record by itself; text is printed without quotes',
  }),
  quiet: Flags.boolean({
    ...ofOutput,
    description: 'Print ids alone, one a line: what the next command takes, such as OWNER/NAME of a repository',
  }),
  'csv-safe': Flags.boolean({
    ...ofOutput,
    description: 'In csv, put an apostrophe before what a spreadsheet would take for a formula',
  }),
  'show-secrets': Flags.boolean({ ...ofOutput, description: 'Do not mask secrets inside records' }),
  profile: textFlag('--profile', { ...ofPlatform, helpValue: 'NAME', description: 'Use this profile' }),
  anonymous: Flags.boolean({ ...ofPlatform, description: 'Send no token' }),
  'base-url': textFlag('--base-url', { ...ofPlatform, helpValue: 'URL', description: 'Talk to this platform' }),
  'api-version': textFlag('--api-version', {
    ...ofPlatform,
    helpValue: 'VERSION',
    description: 'Ask for this version of the API',
  }),
  timeout: valueFlag('--timeout', parseTimeout, {
    ...ofPlatform,
    helpValue: 'DURATION',
    description: 'How long one request may take, such as 30s (the default) or 2m',
  }),
  'max-wait': valueFlag('--max-wait', parseDuration, {
    ...ofPlatform,
    helpValue: 'DURATION',
    description: 'How long all waiting and retrying may take together; the default is 60s',
  }),
  'no-cache': Flags.boolean({ ...ofPlatform, description: 'Do not keep answers, nor use kept ones' }),
  'no-input': Flags.boolean({ ...global, description: 'Never ask anything' }),
  plain: Flags.boolean({
    ...global,
    description: 'Only lines of plain text, as a screen reader reads them best: choices are numbers, nothing is drawn',
  }),
  debug: Flags.boolean({ ...global, description: 'Print requests and answers on stderr, with secrets masked' }),
};

/** What every command that lists takes. */
export const listFlags = {
  limit: valueFlag('--limit', wholeNumber(1), {
    ...ofLists,
    char: 'L',
    helpValue: 'NUMBER',
    description: 'Show at most this many; the default is 30',
  }),
  all: Flags.boolean({ ...ofLists, description: 'Show all of them' }),
  'per-page': valueFlag('--per-page', wholeNumber(1, 100), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'Ask for this many at once, 1 to 100',
  }),
  page: valueFlag('--page', wholeNumber(1), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'Start at this page, and show that page alone unless --limit or --all says otherwise',
  }),
  concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'How many pages to ask for side by side, 1 to 100',
  }),
};

/** What every command that changes something takes. */
export const writeFlags = {
  'dry-run': Flags.boolean({ ...ofRequests, description: 'Print the request that would be sent, and change nothing' }),
  yes: Flags.boolean({ ...ofRequests, description: 'Do not ask for confirmation' }),
};

/** What every command takes that checks words of enumerations in files. */
export const unknownFlag = {
  'allow-unknown': Flags.boolean({
    ...ofRequests,
    description: 'Accept words that this version does not know, for a newer platform; misspelled ones are still errors',
  }),
};

/** Returns the flag for a whole body, which the fields or flags of the command override. */
export const bodyFlag = (place: { readonly helpGroup?: string }, overriding: 'flags' | 'fields') => {
  const question = 'Take the body from a file, or from standard input with -, as JSON or YAML';
  const description = `${question}; ${overriding} override what it says`;
  return Flags.string({ ...place, ...fileOrStdin, question, description });
};

/** What every command whose request has a body takes. */
export const inputFlags = {
  input: bodyFlag(ofRequests, 'flags'),
  ...unknownFlag,
};

/** What every command takes whose record has a page on the web. */
export const webFlag = { web: Flags.boolean({ description: 'Open the page in the browser instead' }) };

/** What every list takes whose records have pages on the web. */
export const webListFlag = { web: Flags.boolean({ description: 'Open the pages in the browser instead, up to five' }) };
