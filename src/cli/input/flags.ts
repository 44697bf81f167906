/** The flags that commands share. */
import * as Flags from '@oclif/core/flags';
import type { OptionFlag } from '@oclif/core/interfaces';
import { formats } from '../../output/render.ts';
import { type Convert, collecting } from './args.ts';
import { parseDuration, parseTimeout } from './duration.ts';
import { fileOrStdin } from './file-flags.ts';
import { BadValue, filledText, oneOf, wholeNumber } from './values.ts';

const listOfPaths = (text: string) => {
  const paths = text.split(',').map((path) => path.trim());
  if (paths.some((path) => path === '' || path.split('.').includes('')))
    throw new BadValue('must be comma-separated field paths, such as login,plan.name');
  return paths;
};

interface Shown {
  readonly description: string;
  /** The prompt, if it differs from the description. */
  readonly question?: string;
  readonly helpValue?: string;
  readonly helpGroup?: string;
  readonly char?: 'o' | 'q' | 'L' | 'i' | 'H' | 'f' | 'F' | 'X';
}

/**
 * A flag with a value. An invalid one is recorded, so that one message can list all of them, and the flag has no value.
 */
export function valueFlag<T>(name: string, convert: Convert<T>, shown: Shown): OptionFlag<T | undefined> {
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

/** A flag that takes text. Empty text comes from an unset variable. */
export const textFlag = (name: string, shown: Shown): OptionFlag<string | undefined> =>
  valueFlag(name, filledText, shown);

/** A flag that takes one of a fixed set of words, listed in help and completion. */
export const wordFlag = <const W extends string>(name: string, words: readonly W[], shown: Shown) => ({
  ...valueFlag(name, oneOf(words), { helpValue: words.join('|'), ...shown }),
  options: words,
});

/** Groups of shared flags in help. */
const ofOutput = { helpGroup: 'OUTPUT' } as const;
const ofPlatform = { helpGroup: 'PLATFORM' } as const;
const global = { helpGroup: 'COMMON' } as const;
const ofLists = { helpGroup: 'LIST' } as const;
const ofRequests = { helpGroup: 'REQUEST' } as const;

/** Flags of every command. */
export const commonFlags = {
  output: wordFlag('--output', formats, {
    ...ofOutput,
    char: 'o',
    description: 'Output format (default: table on a terminal; in a pipe tsv, or a line per field for one record)',
  }),
  json: Flags.boolean({ ...ofOutput, description: 'Shorthand for --output json' }),
  fields: valueFlag('--fields', listOfPaths, {
    ...ofOutput,
    helpValue: 'a,b.c',
    description:
      'Fields to show, by path: columns in table, tsv and csv, nested in JSON and YAML (--fields help lists them)',
  }),
  jq: textFlag('--jq', {
    ...ofOutput,
    char: 'q',
    helpValue: 'EXPR',
    description:
      'Filter the JSON with a jq expression (with -o ndjson, each record on its own); strings are printed without quotes, and with -o table, tsv or csv flat results become rows',
  }),
  quiet: Flags.boolean({
    ...ofOutput,
    description: 'Print only IDs, one per line, in the form that other commands accept (such as OWNER/NAME)',
  }),
  'csv-safe': Flags.boolean({
    ...ofOutput,
    description: 'In csv, prefix values that a spreadsheet would evaluate as formulas with an apostrophe',
  }),
  'show-secrets': Flags.boolean({ ...ofOutput, description: 'Show secrets in records instead of masking them' }),
  profile: textFlag('--profile', { ...ofPlatform, helpValue: 'NAME', description: 'Profile to use' }),
  anonymous: Flags.boolean({ ...ofPlatform, description: 'Send no token' }),
  'base-url': textFlag('--base-url', { ...ofPlatform, helpValue: 'URL', description: 'Base URL of the platform' }),
  'api-version': textFlag('--api-version', {
    ...ofPlatform,
    helpValue: 'VERSION',
    description: 'API version (default: 2022-11-28)',
  }),
  timeout: valueFlag('--timeout', parseTimeout, {
    ...ofPlatform,
    helpValue: 'DURATION',
    description: 'Timeout of each request, such as 500ms or 2m (default: 30s)',
  }),
  'max-wait': valueFlag('--max-wait', parseDuration, {
    ...ofPlatform,
    helpValue: 'DURATION',
    description: 'Limit on all waits and retries together (default: 60s)',
  }),
  'no-cache': Flags.boolean({ ...ofPlatform, description: 'Do not read or write the response cache' }),
  'no-input': Flags.boolean({ ...global, description: 'Disable prompts' }),
  plain: Flags.boolean({
    ...global,
    description: 'Print plain lines of text for screen readers, with numbered choices',
  }),
  debug: Flags.boolean({ ...global, description: 'Print requests and responses on stderr, with secrets masked' }),
};

/** Returns the flag of every command whose result is a list; `example` is an expression about its records. */
export const whereFlag = (example = '.archived') => ({
  where: textFlag('--where', {
    ...ofLists,
    helpValue: 'EXPR',
    description: `Show only the items for which a jq expression is true, such as ${example}; --limit counts those`,
  }),
});

/** Returns the flags of every list command; `example` is an expression about its records. */
export const listFlags = (example?: string) => ({
  ...whereFlag(example),
  limit: valueFlag('--limit', wholeNumber(1), {
    ...ofLists,
    char: 'L',
    helpValue: 'NUMBER',
    description: 'Maximum number of items (default: 30)',
  }),
  all: Flags.boolean({ ...ofLists, description: 'Show all items' }),
  'per-page': valueFlag('--per-page', wholeNumber(1, 100), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'Items per request, 1 to 100',
  }),
  page: valueFlag('--page', wholeNumber(1), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'Page to show; the first page with --limit or --all',
  }),
  concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
    ...ofLists,
    helpValue: 'NUMBER',
    description: 'Pages to fetch in parallel, 1 to 100',
  }),
});

/** Flags of every command that changes something and asks for confirmation, always or for some values. */
export const confirmedWriteFlags = {
  'dry-run': Flags.boolean({ ...ofRequests, description: 'Print the request without sending it' }),
  yes: Flags.boolean({ ...ofRequests, description: 'Skip the confirmation prompt' }),
};

/** Flags of every other command that changes something: scripts may pass `--yes` to all of them. */
export const writeFlags = {
  ...confirmedWriteFlags,
  yes: Flags.boolean({
    ...ofRequests,
    hidden: true,
    description: 'Accepted; the command does not prompt for confirmation',
  }),
};

/** The flag of every command that checks enumerations in files. */
export const unknownFlag = {
  'allow-unknown': Flags.boolean({
    ...ofRequests,
    description: 'Accept values that only a newer platform knows; misspellings are still errors',
  }),
};

/** Returns the flag for a whole body, which the fields or flags of the command override. */
export const bodyFlag = (place: { readonly helpGroup?: string }, overriding: 'flags' | 'fields') => {
  const question = 'File with the request body as JSON or YAML (- for standard input)';
  const description = `${question}; ${overriding} override it`;
  return Flags.string({ ...place, ...fileOrStdin, question, description });
};

/** Flags of every command whose request has a body. */
export const inputFlags = {
  input: bodyFlag(ofRequests, 'flags'),
  ...unknownFlag,
};

/** The flag of every command whose record has a web page. */
export const webFlag = { web: Flags.boolean({ description: 'Open the page in the browser' }) };

/** The flag of every list whose records have web pages. */
export const webListFlag = { web: Flags.boolean({ description: 'Open the pages in the browser (at most 5)' }) };
