/** Formats the results of jq filters. */
import { JqError, jqProblem, reasonOf, runJq } from '../jq/jq.ts';
import { parseJson } from '../json/exact-json.ts';
import { type JqRows, jqRows, NotFlatError } from './jq-rows.ts';
import { collected, type ListFormat } from './list-format.ts';
import { escapeHazards, safeLines, safeText } from './safe-text.ts';
import { type MaskText, maskSecrets } from './secrets.ts';
import type { Terminal } from './terminal.ts';
import { withoutCommands } from './workflow-commands.ts';
import { write } from './writer.ts';

/** In characters: a filter can put all of its data into an error. */
const maxReasonLength = 1000;

/** In characters: limit for a filter's debug output. */
const maxDebugLength = 65_536;

const shortened = (text: string, longest: number): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest).toWellFormed()}… (${(text.length - longest).toLocaleString('en-US')} more characters)`;

export interface JqOptions {
  readonly filter: string;
  /** Masks the secrets that the run knows in what messages quote. */
  readonly maskQuoted?: MaskText | undefined;
  /** True in a workflow job, whose runner executes commands in messages. */
  readonly inWorkflow?: boolean | undefined;
  /** In milliseconds: limit on each run of the filter (default: none). */
  readonly timeoutMs?: number | undefined;
}

type JqTerminal = Pick<Terminal, 'stdoutIsTTY' | 'stderr'>;

/** Throws `JqError` if the filter does not compile; checked before any request is sent. */
export async function checkJq(filter: string): Promise<void> {
  const problem = await jqProblem(filter);
  if (problem !== undefined) throw failure(filter, problem);
}

const failure = (filter: string, reason: string): JqError =>
  new JqError(safeText(filter), safeText(shortened(reason, maxReasonLength)));

/**
 * Returns the filter's results for one document, one per line: strings as plain text, everything else as compact JSON;
 * escaped for a terminal. Output of `debug` and `stderr` is written to standard error. Throws `JqError`, and then shows
 * no results.
 */
export function jqRecord(record: unknown, options: JqOptions, terminal: JqTerminal): Promise<string> {
  return results(options.filter, record, options, terminal);
}

/** Applies the filter to the whole list as one document. */
export function jqList(options: JqOptions, terminal: JqTerminal): ListFormat {
  return collected((records) => results(options.filter, records, options, terminal));
}

/** Returns the filter's results for one document as rows. Throws `JqError`, also for results that are not rows. */
export async function jqTable(document: unknown, options: JqOptions, terminal: JqTerminal): Promise<JqRows> {
  const lines = await resultLines(options.filter, document, options, terminal);
  try {
    return jqRows(lines.map(parseJson));
  } catch (error) {
    throw error instanceof NotFlatError ? failure(options.filter, error.message) : error;
  }
}

/** Applies the filter to each record, page by page. */
export function jqEach(options: JqOptions, terminal: JqTerminal): ListFormat {
  // One run per page, as each takes a millisecond to start. The newline ends a comment at the end of the filter.
  const program = `.[] | (${options.filter}\n)`;
  return { page: (records) => results(program, records, options, terminal), end: () => '' };
}

async function results(program: string, document: unknown, options: JqOptions, terminal: JqTerminal): Promise<string> {
  const lines = await resultLines(program, document, options, terminal);
  return lines.map((line) => `${resultText(line, terminal.stdoutIsTTY)}\n`).join('');
}

async function resultLines(
  program: string,
  document: unknown,
  { filter, maskQuoted, inWorkflow, timeoutMs }: JqOptions,
  terminal: JqTerminal,
): Promise<readonly string[]> {
  const { stdout, stderr, exitCode, exceeded } = await runJq(program, document, { timeoutMs });
  if (exceeded !== undefined) throw failure(filter, exceeded);
  // jq quotes truncated data in its messages, so they are only free of secrets if the data is, also the shorter ones.
  const said = stderr && (await runJq(program, maskSecrets(document, maskQuoted), { timeoutMs })).stderr;
  if (exitCode !== 0) throw failure(filter, reasonOf(said));
  if (said !== '') {
    const text = safeLines(shortened(said, maxDebugLength));
    await write(terminal.stderr, `${inWorkflow ? withoutCommands(text) : text}\n`);
  }
  return stdout === '' ? [] : stdout.split('\n');
}

function resultText(json: string, onTerminal: boolean): string {
  if (!json.startsWith('"')) return onTerminal ? escapeHazards(json) : json;
  const text = JSON.parse(json) as string;
  return onTerminal ? safeLines(text) : text;
}
