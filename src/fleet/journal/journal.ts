/**
 * The journal of a run that writes: a line before each write is sent, and one after its response. However the run ends,
 * completed writes are known, and writes in flight can be verified.
 */
import { closeSync, constants, fdatasyncSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { FileError } from '../../client/errors.ts';
import { ObstacleError } from '../../disk/directory.ts';
import { FileLock } from '../../disk/file-lock.ts';
import { removeIfPossible } from '../../disk/output-file.ts';
import { isPrivateFile, notPrivate, UntrustedError } from '../../disk/private-files.ts';
import { isDiskFailure, isSystemError, whyUnwritable } from '../../disk/system-errors.ts';
import { isSecretName, maskTextSecrets, secretMask } from '../../json/secrets.ts';
import { JournalError } from '../errors.ts';
import { type EntryLine, type JournalHeader, type JournalLine, type JournalTarget, journalVersion } from './lines.ts';
import { readJournal } from './read.ts';
import { JournalState, type TargetRecord } from './state.ts';

interface OpenOptions {
  /** Resumes a journal that already has lines; without it, such a journal is rejected. */
  readonly resume?: boolean | undefined;
  /** Masks the run's secrets in any text. */
  readonly mask?: ((text: string) => string) | undefined;
}

export class Journal {
  readonly path: string;
  readonly #lock: FileLock;
  readonly #descriptor: number;
  readonly #state: JournalState;
  readonly #mask: (text: string) => string;
  #bytes: number;
  /** Why the journal accepts no more lines, such as a full disk. Nothing is sent without a line. */
  failure: FileError | undefined;

  /**
   * Opens the journal of a run; starts one without a run. Throws JournalError for a journal that is in use
   * by another process, damaged, or of another run, and FileError if it cannot be written.
   */
  constructor(path: string, header: Omit<JournalHeader, 'journal'>, { resume, mask }: OpenOptions = {}) {
    this.path = path;
    this.#mask = mask ?? ((text) => text);
    this.#lock = lock(path);
    let descriptor: number | undefined;
    try {
      const { state, bytes } = readFor(path, header, resume);
      this.#state = state ?? new JournalState({ journal: journalVersion, ...header });
      this.#bytes = bytes;
      descriptor = this.#openFile();
      this.#descriptor = descriptor;
      if (!state) this.#begin();
    } catch (error) {
      if (descriptor !== undefined) {
        closeSync(descriptor);
        if (!this.hasBegun) removeIfPossible(path);
      }
      this.#lock.release();
      throw error;
    }
  }

  /**
   * Returns the state of a journal, undefined for one that is missing or empty, and leaves the file as it is. Throws as the
   * constructor does for a journal that this run cannot use.
   */
  static check(
    path: string,
    header: Omit<JournalHeader, 'journal'>,
    { resume }: OpenOptions = {},
  ): JournalState | undefined {
    const taken = lock(path);
    try {
      return readFor(path, header, resume).state;
    } finally {
      taken.release();
    }
  }

  /** False until the targets are recorded: there is nothing to continue. */
  get hasBegun(): boolean {
    return this.#state.hasBegun;
  }

  find(target: string): TargetRecord | undefined {
    return this.#state.find(target);
  }

  /** Returns the ID of what a write created, if it was recorded. */
  createdId(target: string, step: string): number | undefined {
    return this.#state.createdId(target, step);
  }

  /** Records the targets that the journal does not have yet; `of` is the number of those of all shards. Throws FileError. */
  recordTargets(targets: readonly JournalTarget[], of?: number): void {
    const added = targets.filter(({ name }) => !this.#state.hasTarget(name));
    if (added.length === 0) return;
    const line = { targets: added, ...(of !== undefined && { of }) };
    try {
      this.#append(line, true);
    } catch (error) {
      if (!this.#state.hasBegun) removeIfPossible(this.path);
      throw error;
    }
    this.#state.apply(line);
  }

  /** Appends a line. The line of a write about to be sent is on disk when this returns. Throws FileError. */
  record(line: EntryLine): void {
    this.#append(line, 'sending' in line);
    this.#state.apply(line);
  }

  close(): void {
    closeSync(this.#descriptor);
    this.#lock.release();
  }

  #openFile(): number {
    const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    return this.#writing(() => {
      const descriptor = openSync(this.path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
      // Another user may have put a file there since it was read.
      if (!isPrivateFile(fstatSync(descriptor))) {
        closeSync(descriptor);
        throw new JournalError(`${this.path} ${notPrivate}. Nothing was sent.`);
      }
      // An incomplete line left by a crash.
      ftruncateSync(descriptor, this.#bytes);
      return descriptor;
    });
  }

  /** Writes the header. The file's own name is on disk too before anything is sent. */
  #begin(): void {
    this.#append(this.#state.header, true);
    if (process.platform === 'win32') return;
    this.#writing(() => {
      const directory = openSync(dirname(this.path), 'r');
      fsyncSync(directory);
      closeSync(directory);
    });
  }

  #append(line: JournalLine, isDurable: boolean): void {
    if (this.failure) throw this.failure;
    const text = Buffer.from(`${JSON.stringify(line, (name, value) => this.#masked(name, value))}\n`);
    this.#writing(() => {
      try {
        for (let written = 0; written < text.length; ) written += writeSync(this.#descriptor, text, written);
        if (isDurable) fdatasyncSync(this.#descriptor);
        this.#bytes += text.length;
      } catch (error) {
        ftruncateSync(this.#descriptor, this.#bytes);
        throw error;
      }
    });
  }

  #masked(name: string, value: unknown): unknown {
    if (isSecretName(name)) return withoutText(value);
    return typeof value === 'string' ? maskTextSecrets(this.#mask(value)) : value;
  }

  #writing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      const why = whyUnwritable(error);
      if (why === undefined) throw error;
      this.failure = new FileError(`Cannot write the journal ${this.path}: ${why}.`, { cause: error });
      throw this.failure;
    }
  }
}

/** Masks a text, and those of lists: the name of an element is only its index. */
function withoutText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutText);
  return typeof value === 'string' ? secretMask : value;
}

/**
 * Reads the journal of a run. One without a run counts as empty. Throws JournalError for one that is damaged, of
 * another run, or not to be resumed.
 */
function readFor(path: string, header: Omit<JournalHeader, 'journal'>, resume = false) {
  const read = readJournal(path);
  if (!read.state?.hasBegun) return { state: undefined, bytes: 0 };
  if (!resume) throw new JournalError(`${path} already contains a run.`, `Resume it with --resume ${path}.`);
  requireSame(path, read.state.header, { journal: journalVersion, ...header });
  return read;
}

/** Throws JournalError if another process uses it. */
function lock(path: string): FileLock {
  const file = `${path}.lock`;
  let taken: FileLock | undefined;
  try {
    taken = FileLock.take(file);
  } catch (error) {
    if (error instanceof UntrustedError || error instanceof ObstacleError)
      throw new JournalError(`${error.message}. Nothing was sent.`);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new JournalError(`Cannot write ${path}: the directory does not exist. Nothing was sent.`);
    const why = whyUnwritable(error) ?? (error as Error).message;
    const message = `Cannot lock the journal ${path}: ${why}.`;
    if (isSystemError(error) && !isDiskFailure(error)) throw new JournalError(`${message} Nothing was sent.`);
    throw new FileError(message, { cause: error });
  }
  if (!taken) throw new JournalError(`Another run is using ${path}. Nothing was sent.`);
  return taken;
}

const headerNames = {
  platform: 'platform',
  command: 'command line',
  plan: 'plan',
  shard: 'shard',
} as const;

/** Throws JournalError for the journal of another run. */
export function requireSame(path: string, found: JournalHeader, wanted: JournalHeader): void {
  for (const [name, words] of Object.entries(headerNames) as [keyof typeof headerNames, string][])
    if (!isDeepStrictEqual(found[name], wanted[name]))
      throw new JournalError(
        `${path} is the journal of another ${words}: ${shown(found[name])}, not ${shown(wanted[name])}. Nothing was sent.`,
      );
}

const shown = (value: string | readonly string[] | undefined): string =>
  value === undefined ? 'none' : [value].flat().join(' ');
