/** The lines of a journal, as JSON has them. `schemas/journal.json` follows from these types. */
import { isObject, type JsonObject } from '../../json/exact-json.ts';

/** The version of the format that this forgectl writes and reads. */
export const journalVersion = 1;

/** The first line: what the run is. A journal continues only a run of the same header. */
export interface JournalHeader {
  /** Version of the format. */
  readonly journal: 1;
  /** Base URL of the platform. */
  readonly platform: string;
  /** The words of the command that runs on each target. */
  readonly command?: readonly string[];
  /** Digest of the plan that is applied. */
  readonly plan?: string;
  /** The part of the targets that the run takes, as I/N. Absent: all of them. */
  readonly shard?: string;
}

/** How many targets the run has. The last such line counts. */
export interface TargetsLine {
  readonly targets: number;
}

/** A write that is about to be sent. The line is on disk before the request goes out. */
export interface SendingLine {
  readonly target: string;
  /** Names the write among those of its target. */
  readonly sending: string;
  /** When, in ISO 8601. */
  readonly at: string;
  /** True for a create whose key is unique: it may be sent again where nothing with that key exists. */
  readonly creates?: boolean;
  /** The value before the write, with secrets masked. */
  readonly before?: unknown;
}

/** The response to such a write. */
export interface ResponseLine {
  readonly target: string;
  readonly received: string;
  readonly status: number;
  readonly at: string;
}

/** What the platform has of a write without a response, as a later run found it. */
export interface VerifiedLine {
  readonly target: string;
  readonly verified: string;
  readonly found: Finding;
  readonly at: string;
}

/** What became of a target. The last such line counts. */
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
 * What looking at the platform tells of a write: it has happened (`wanted`); there is nothing, or the value is still the one
 * from before, so that it has not happened (`absent`, `before`); or neither can be said (`other`).
 */
export type Finding = 'wanted' | 'absent' | 'before' | 'other';

export type EntryLine = SendingLine | ResponseLine | VerifiedLine | OutcomeLine;

/** A line of a journal. */
export type JournalLine = JournalHeader | TargetsLine | EntryLine;

const isText = (value: unknown): value is string => typeof value === 'string';
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
const findings: readonly unknown[] = ['wanted', 'absent', 'before', 'other'] satisfies Finding[];
const outcomes: readonly unknown[] = ['ok', 'failed', 'unknown'] satisfies OutcomeLine['outcome'][];

/** Returns whether a value is the line of a version that is known or not, so that its version can be told. */
export const isHeader = (line: JsonObject): line is JsonObject & { readonly journal: unknown } => 'journal' in line;

/** Returns whether a header of this version is complete. */
export function isCurrentHeader(line: JsonObject): boolean {
  const { journal, platform, command, plan, shard } = line;
  return (
    journal === journalVersion &&
    isText(platform) &&
    (command === undefined || (Array.isArray(command) && command.every(isText))) &&
    (plan === undefined || isText(plan)) &&
    (shard === undefined || isText(shard))
  );
}

/** Returns whether a value is a line that may follow the header. Members that are unknown are ignored. */
export function isEntry(line: unknown): line is TargetsLine | EntryLine {
  if (!isObject(line)) return false;
  if ('targets' in line) return isWhole(line.targets);
  if (!isText(line.target) || !isTime(line.at)) return false;
  if ('sending' in line) return isText(line.sending) && ['undefined', 'boolean'].includes(typeof line.creates);
  if ('received' in line) return isText(line.received) && isWhole(line.status);
  if ('verified' in line) return isText(line.verified) && findings.includes(line.found);
  return outcomes.includes(line.outcome) && (line.error === undefined || isRecordedError(line.error));
}

const isRecordedError = (error: unknown): boolean =>
  isObject(error) && isWhole(error.exit) && isText(error.code) && isText(error.message);
