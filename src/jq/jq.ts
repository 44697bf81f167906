/** jq, compiled to WebAssembly. It has access to the document only: no environment, no files, no other input. */
import { restoreDefaultInterrupt } from './interrupt.ts';

/** A filter that does not compile, or that failed; `record` names the record that it failed for. */
export class JqError extends Error {
  override readonly name = 'JqError';
  constructor(filter: string, reason: string, record?: string) {
    super(`The jq filter “${filter}” failed${record === undefined ? '' : ` for ${record}`}: ${reason}`);
  }
}

/** The output of a filter: results as lines of JSON, and jq's messages. */
export interface JqRun {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Runs a filter on one document. Never throws: a filter that fails has an exit code, and its reason on `stderr`. */
export async function runJq(program: string, document: unknown): Promise<JqRun> {
  const { raw } = await import('jq-wasm');
  const listenAgain = restoreDefaultInterrupt();
  const { error } = console;
  // jq prints “Aborted()” there when it runs out of memory.
  console.error = () => {};
  try {
    // Results stay JSON (no `-r`), so that each is one line and strings are recognizable.
    return await raw(wellFormedJson(document), program, ['-c', '--']);
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
  const json = JSON.stringify(document);
  return json.includes('\\ud') ? json.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\ufffd') : json;
}

/** Extracts jq's message, without its name, the excerpts of the filter, and the count. */
export function reasonOf(stderr: string): string {
  const reasons = [...stderr.matchAll(/^jq: (?:parse )?error(?: \(at [^)]*\))?:? (.+?):?$/gm)].map(
    ([, reason]) => reason,
  );
  return reasons.join('; ') || stderr || 'no reason given';
}
