/** Reads journals: all complete lines, each checked. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isPrivateFile, notPrivate } from '../../disk/private-files.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { isObject, parseJson } from '../../json/exact-json.ts';
import { JournalError } from '../errors.ts';
import {
  type EntryLine,
  isCurrentHeader,
  isEntry,
  isHeader,
  type JournalHeader,
  journalVersion,
  type TargetsLine,
} from './lines.ts';
import { JournalState } from './state.ts';

const newline = 0x0a;

/** The first bytes of a journal, even of one whose header was cut off. */
const beginning = Buffer.from('{"journal":');
const chunkBytes = 65_536;

interface ReadJournal {
  /** Undefined for a journal that is missing, or has no complete line. */
  readonly state: JournalState | undefined;
  /** The length of its complete lines in bytes. At most one incomplete line, cut off by a crash, follows them. */
  readonly bytes: number;
}

/**
 * Reads a journal, and passes on each line after the header. Throws JournalError if it is damaged or cannot be read.
 */
export function readJournal(path: string, take: (line: TargetsLine | EntryLine) => void = () => {}): ReadJournal {
  let state: JournalState | undefined;
  let bytes = 0;
  let number = 0;
  for (const line of linesOf(path)) {
    number++;
    bytes += line.length + 1;
    const value = parseLine(line);
    if (state) {
      if (!isEntry(value) || !state.apply(value)) throw damaged(path, number);
      take(value);
    } else state = new JournalState(headerOf(value, path));
  }
  return { state, bytes };
}

/** Reads the journal of a run. Returns undefined for one that is missing, empty, or without targets. */
export function begunRun(path: string): JournalState | undefined {
  const { state } = readJournal(path);
  return state?.hasBegun ? state : undefined;
}

/** Reads the journal of a run to continue. Throws JournalError if there is none. */
export function requireBegunRun(path: string): JournalState {
  const state = begunRun(path);
  if (state) return state;
  throw new JournalError(
    `${path} is missing or contains no run. Nothing was sent.`,
    'To start one there, use --resume-or-start.',
  );
}

/** Reads a journal as `readJournal` does. Also throws JournalError if it is missing or empty. */
export function requireJournal(path: string, take?: (line: TargetsLine | EntryLine) => void): JournalState {
  const { state } = readJournal(path, take);
  if (!state) throw new JournalError(`${path} is missing or empty.`);
  return state;
}

function headerOf(value: unknown, path: string): JournalHeader {
  if (!isObject(value) || !isHeader(value)) throw noHeader(path);
  if (typeof value.journal === 'number' && value.journal !== journalVersion)
    throw new JournalError(
      `${path} is a journal of version ${value.journal}, and this forgectl reads version ${journalVersion}. Nothing was sent.`,
      `Begin a new one with: forgectl ${'plan' in value ? 'policy apply --journal FILE' : 'each TARGETS --journal FILE -- COMMAND'}`,
    );
  if (!isCurrentHeader(value)) throw damaged(path, 1);
  return value as unknown as JournalHeader;
}

function parseLine(line: Buffer): unknown {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(line));
  } catch {
    return undefined;
  }
}

const noHeader = (path: string) => new JournalError(`${path} is not a journal: line 1 is not a header.`);

const beginsLikeJournal = (bytes: Buffer): boolean =>
  bytes.subarray(0, beginning.length).equals(beginning.subarray(0, bytes.length));

const damaged = (path: string, line: number) =>
  new JournalError(
    `${path} is damaged, line ${line}. Nothing was sent.`,
    'Restore it from a copy, or start a new run with a new journal.',
  );

/** The lines that end with a newline, without it. Throws JournalError if the file certainly is no journal. */
function* linesOf(path: string): Generator<Buffer> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new JournalError(`Cannot read ${path}: ${whyUnreadable(error) ?? (error as Error).message}.`);
  }
  try {
    if (!isPrivateFile(fstatSync(descriptor))) throw new JournalError(`${path} ${notPrivate}. Nothing was sent.`);
    let rest: Buffer[] = [];
    for (let isFirst = true; ; isFirst = false) {
      const chunk = Buffer.alloc(chunkBytes);
      const length = readSync(descriptor, chunk);
      if (length === 0) return;
      // Without a complete line, it would count as a run that has not begun, and be replaced.
      if (isFirst && !beginsLikeJournal(chunk.subarray(0, length))) throw noHeader(path);
      let from = 0;
      for (let at = chunk.indexOf(newline); at !== -1 && at < length; at = chunk.indexOf(newline, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, at)]);
        rest = [];
        from = at + 1;
      }
      if (from < length) rest.push(chunk.subarray(from, length));
    }
  } finally {
    closeSync(descriptor);
  }
}
