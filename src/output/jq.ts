/** jq, compiled to WebAssembly. It has access to the document only: no environment, no files, no other input. */
import { restoreDefaultInterrupt } from './interrupt.ts';
import { jsonText } from './json.ts';
import { collected, type ListFormat } from './list-format.ts';
import { escapeHazards, safeLines, safeText } from './safe-text.ts';
import { maskSecrets } from './secrets.ts';
import type { Terminal } from './terminal.ts';
import { write } from './writer.ts';

/** A filter that does not compile, or that failed. Contains jq's message, without secrets of the data. */
export class JqError extends Error {
  override readonly name = 'JqError';
  constructor(filter: string, reason: string) {
    super(`The jq filter “${safeText(filter)}” failed: ${safeText(shortened(reason, maxReasonLength))}`);
  }
}

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
  /** Whether the records still contain their secrets. */
  readonly showSecrets: boolean;
}

type JqTerminal = Pick<Terminal, 'stdoutIsTTY' | 'stderr'>;

/** Throws `JqError` if the filter does not compile; checked before any request is sent. */
export async function checkJq(filter: string): Promise<void> {
  const { stderr } = await run(filter, 'null');
  if (/^jq: \d+ compile errors?$/m.test(stderr)) throw new JqError(filter, reasonIn(stderr));
}

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

/** Applies the filter to each record, page by page. */
export function jqEach(options: JqOptions, terminal: JqTerminal): ListFormat {
  // One run per page, as each takes a millisecond to start. The newline ends a comment at the end of the filter.
  const program = `.[] | (${options.filter}\n)`;
  return { page: (records) => results(program, records, options, terminal), end: () => '' };
}

async function results(
  program: string,
  document: unknown,
  { filter, showSecrets }: JqOptions,
  terminal: JqTerminal,
): Promise<string> {
  const { stdout, stderr, exitCode } = await run(program, wellFormedJson(document));
  if (exitCode !== 0) {
    // jq quotes truncated data in its messages, so they are only free of secrets if the data is.
    const said = showSecrets ? (await run(program, wellFormedJson(maskSecrets(document)))).stderr : stderr;
    throw new JqError(filter, reasonIn(said));
  }
  if (stderr !== '') await write(terminal.stderr, `${safeLines(shortened(stderr, maxDebugLength))}\n`);
  const lines = stdout === '' ? [] : stdout.split('\n');
  return lines.map((line) => `${resultText(line, terminal.stdoutIsTTY)}\n`).join('');
}

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

async function run(program: string, json: string): Promise<Run> {
  const { raw } = await import('jq-wasm');
  const listenAgain = restoreDefaultInterrupt();
  const { error } = console;
  // jq prints “Aborted()” there when it runs out of memory.
  console.error = () => {};
  try {
    // Results stay JSON (no `-r`), so that each is one line and strings are recognizable.
    return await raw(json, program, ['-c', '--']);
  } catch {
    // jq has 256 MB of memory and aborts when they are exhausted, by about 60 MB of JSON or by the filter itself.
    const stderr =
      'jq ran out of memory. Select fewer fields or records, or filter one record at a time with -o ndjson.';
    return { stdout: '', stderr, exitCode: 1 };
  } finally {
    console.error = error;
    listenAgain();
  }
}

/**
 * Returns JSON with replacement characters for lone surrogates, which jq rejects. `JSON.stringify` writes only those as
 * `\udXXX`.
 */
function wellFormedJson(document: unknown): string {
  const json = jsonText(document, 0, false);
  return json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json;
}

function resultText(json: string, onTerminal: boolean): string {
  if (!json.startsWith('"')) return onTerminal ? escapeHazards(json) : json;
  const text = JSON.parse(json) as string;
  return onTerminal ? safeLines(text) : text;
}

/** Extracts jq's message, without its name, the excerpts of the filter, and the count. */
function reasonIn(stderr: string): string {
  const reasons = [...stderr.matchAll(/^jq: (?:parse )?error(?: \(at [^)]*\))?:? (.+?):?$/gm)].map(
    ([, reason]) => reason,
  );
  return reasons.join('; ') || stderr || 'no reason given';
}
