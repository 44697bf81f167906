/** The lines of a journal, as JSON has them. `schemas/journal.json` follows from these types. */
import { isObject, type JsonObject } from '../../json/exact-json.ts';

/** The version of the format that this forgectl writes and reads. */
export const journalVersion = 2;

/** How a run was started. */
export interface RunHeader {
  /** Base URL of the platform. */
  readonly platform: string;
  /** Arguments and flags of the command line that started the run, without its command, journal and shard. */
  readonly line?: readonly string[];
  /** The command that keeps the journal; absent for each and policy apply. */
  readonly kept_by?: 'properties set';
  /** The command that runs on each target, with secrets masked. */
  readonly command?: readonly string[];
  /** Masked parts of the command, which must be given again. */
  readonly masked?: readonly string[];
  /** True if the command reads standard input, which must be given again. */
  readonly stdin?: true;
  /** Digest of the plan that is applied. */
  readonly plan?: string;
  /** Digest of the policy that the plan is made from. */
  readonly policy_digest?: string;
  /** The shard of the targets that the run covers, as I/N. Absent for all targets. */
  readonly shard?: string;
}

/** The first line: identifies the run. A journal continues only a run with the same header. */
export interface JournalHeader extends RunHeader {
  /** Version of the format. */
  readonly journal: 2;
}

/** Targets of the run. Those of several such lines add up. */
export interface TargetsLine {
  readonly targets: readonly JournalTarget[];
  /** The number of targets of all shards. Absent for a run without shards. */
  readonly of?: number;
}

/** A target as listed when the run started. */
export interface JournalTarget {
  readonly name: string;
  /** The ID of the repository or organization, if it is known: a different one with the same name is not changed. */
  readonly id?: number;
}

/** A write that is about to be sent. The line is on disk before the request is sent. */
export interface SendingLine {
  readonly target: string;
  /** Identifies the write among those of its target. */
  readonly sending: string;
  /** Timestamp in ISO 8601. */
  readonly at: string;
  /** True for a create with a unique key: it may be sent again if nothing with that key exists. */
  readonly creates?: boolean;
  /** The value before the write, with secrets masked. */
  readonly before?: unknown;
}

/** The response to a write. */
export interface ResponseLine {
  readonly target: string;
  readonly received: string;
  readonly status: number;
  /** The ID of what the write created. */
  readonly id?: number;
  readonly at: string;
}

/** A write that was announced, but did not reach the platform. */
export interface UnsentLine {
  readonly target: string;
  readonly unsent: string;
  readonly at: string;
}

/**
 * The state of a write: without a response, as verified later; or with one, if the platform stored something else
 * (`other`), so that it is not done.
 */
export interface VerifiedLine {
  readonly target: string;
  readonly verified: string;
  readonly found: Finding;
  readonly at: string;
}

/** The outcome of a target. The last such line counts. */
export interface OutcomeLine {
  readonly target: string;
  readonly outcome: 'ok' | 'failed' | 'unknown';
  readonly at: string;
  readonly error?: RecordedError;
}

export interface RecordedError {
  /** The exit code that forgectl would have ended with. */
  readonly exit: number;
  readonly code: string;
  readonly message: string;
}

/**
 * The result of verifying a write: it happened (`wanted`); it did not, because nothing exists or the value is unchanged
 * (`absent`, `before`); or it cannot be determined (`other`).
 */
export type Finding = 'wanted' | 'absent' | 'before' | 'other';

export type EntryLine = SendingLine | ResponseLine | UnsentLine | VerifiedLine | OutcomeLine;

export type JournalLine = JournalHeader | TargetsLine | EntryLine;

const isText = (value: unknown): value is string => typeof value === 'string';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isWholeOrNone = (value: unknown) => value === undefined || isWhole(value);
const isTime = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const findings: readonly unknown[] = ['wanted', 'absent', 'before', 'other'] satisfies Finding[];
const outcomes: readonly unknown[] = ['ok', 'failed', 'unknown'] satisfies OutcomeLine['outcome'][];

/** Returns whether a line is a header, of a known version or not, so that its version can be reported. */
export const isHeader = (line: JsonObject): line is JsonObject & { readonly journal: unknown } => 'journal' in line;

/** Returns whether a header of this version is complete. */
export function isCurrentHeader(line: JsonObject): boolean {
  const { journal, platform, line: words, kept_by: keeper, command, masked, stdin, plan, policy_digest, shard } = line;
  const isTextOrNone = (value: unknown) => value === undefined || isText(value);
  const isListOrNone = (value: unknown) => value === undefined || (Array.isArray(value) && value.every(isText));
  return (
    journal === journalVersion &&
    isText(platform) &&
    (keeper === undefined || keeper === 'properties set') &&
    [words, command, masked].every(isListOrNone) &&
    (stdin === undefined || stdin === true) &&
    [plan, policy_digest, shard].every(isTextOrNone)
  );
}

/** Returns whether a value is a line that may follow the header. Unknown fields are ignored. */
export function isEntry(line: unknown): line is TargetsLine | EntryLine {
  if (!isObject(line)) return false;
  if ('targets' in line)
    return isWholeOrNone(line.of) && Array.isArray(line.targets) && line.targets.every(isJournalTarget);
  if (!isText(line.target) || !isTime(line.at)) return false;
  if ('sending' in line) return isText(line.sending) && ['undefined', 'boolean'].includes(typeof line.creates);
  if ('received' in line) return isText(line.received) && isWhole(line.status) && isWholeOrNone(line.id);
  if ('unsent' in line) return isText(line.unsent);
  if ('verified' in line) return isText(line.verified) && findings.includes(line.found);
  return outcomes.includes(line.outcome) && (line.error === undefined || isRecordedError(line.error));
}

const isJournalTarget = (target: unknown): boolean =>
  isObject(target) && isText(target.name) && isWholeOrNone(target.id);

const isRecordedError = (error: unknown): boolean =>
  isObject(error) && isWhole(error.exit) && isText(error.code) && isText(error.message);
