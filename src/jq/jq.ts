/** jq, compiled to WebAssembly. It has access to the document only: no environment, no files, no other input. */
import type { Jq } from 'jq-wasm';
import { restoreDefaultInterrupt } from '../disk/interrupt.ts';

/** A filter that does not compile, or that failed; `record` names the record that it failed for. */
export class JqError extends Error {
  constructor(filter: string, reason: string, record?: string) {
    super(`The jq filter “${filter}” failed${record === undefined ? '' : ` for ${record}`}: ${reason}`);
  }
}

/** The output of a filter: results as lines of JSON, and jq's messages. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  /** The limit that ended the filter, in words. */
  readonly exceeded?: string | undefined;
}

export interface JqLimits {
  /** In milliseconds; without it, a filter runs until it ends or the process is interrupted. */
  readonly timeoutMs?: number | undefined;
}

/** In milliseconds: limit on expressions that select records, for each page. */
export const selectionTimeoutMs = 10_000;

let loaded: Promise<Jq> | undefined;

/** Runs a filter on one document. Never throws: a filter that fails has an exit code, and its reason on `stderr`. */
export function runJq(program: string, document: unknown, limits: JqLimits = {}): Promise<JqRun> {
  return run(program, wellFormedJson(document), limits);
}

/** Compiles a filter. Returns why it does not compile; undefined if it does. */
export async function jqProblem(program: string, limits: JqLimits = {}): Promise<string | undefined> {
  // Without a document, jq executes nothing.
  const { stderr, exceeded } = await run(program, '', limits);
  return exceeded ?? (/^jq: \d+ compile errors?$/m.test(stderr) ? reasonOf(stderr) : undefined);
}

async function run(program: string, json: string, { timeoutMs }: JqLimits): Promise<JqRun> {
  loaded ??= import('jq-wasm').then(({ loadJq }) => loadJq());
  const loading = loaded;
  const jq = await loading;
  // Stopped by another run meanwhile.
  if (loading !== loaded) return run(program, json, { timeoutMs });
  const listenAgain = restoreDefaultInterrupt();
  const { error } = console;
  // jq prints “Aborted()” there when it runs out of memory.
  console.error = () => {};
  try {
    // Results stay JSON (no `-r`), so that each is one line and strings are recognizable.
    return within(timeoutMs, () => jq.raw(json, program, ['-c', '--']));
  } catch (failure) {
    // An interrupted instance is not used again.
    loaded = undefined;
    const exceeded = isTimeout(failure) ? timedOut(timeoutMs) : outOfMemory;
    return { stdout: '', stderr: exceeded, exitCode: 1, exceeded };
  } finally {
    console.error = error;
    listenAgain();
  }
}

/** jq has 256 MB of memory and aborts when they are exhausted, by about 60 MB of JSON or by the filter itself. */
const outOfMemory =
  'jq ran out of memory. Select fewer fields or records, or filter one record at a time with -o ndjson.';

const timedOut = (timeoutMs = 0): string =>
  `it did not end within ${timeoutMs / 1000} s. Simplify it, or allow more time with --timeout.`;

const isTimeout = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/**
 * Runs synchronous work, which is stopped when its time is over, also within WebAssembly: no timer and no listener would
 * run meanwhile. Throws an error for which `isTimeout` holds.
 */
function within<T>(timeoutMs: number | undefined, work: () => T): T {
  if (timeoutMs === undefined) return work();
  const { runInNewContext } = process.getBuiltinModule('node:vm');
  return runInNewContext('work()', { work }, { timeout: timeoutMs });
}

/**
 * Returns JSON with replacement characters for lone surrogates, which jq rejects. `JSON.stringify` writes only those as
 * `\udXXX`.
 */
function wellFormedJson(document: unknown): string {
  const json = JSON.stringify(document);
  return json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json;
}

/** “input” fails with “break”: the JSON is the only input, and has been read already. */
const nothingLeft = 'input and inputs are not available, as the JSON is the only input';

/** Extracts jq's message, without its name, the excerpts of the filter, and the count. */
export function reasonOf(stderr: string): string {
  const reasons = [...stderr.matchAll(/^jq: (?:parse )?error(?: \(at [^)]*\))?:? (.+?):?$/gm)].map(
    ([, reason]) => reason,
  );
  return reasons.map((reason) => (reason === 'break' ? nothingLeft : reason)).join('; ') || stderr || 'no reason given';
}
