/** Runs one command line in this process, with surroundings of the test's choosing, and records all that it wrote. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../src/cli/run/main.ts';
import { interruptions, type Runtime } from '../../src/cli/runtime.ts';
import { FakeTerminal } from './fake-terminal.ts';

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What standard input holds; without it, it is empty. */
  readonly stdin?: string | Buffer;
  /** What a person at the keyboard answers: each question waits for its text on the screen. It implies `tty`. */
  readonly person?: readonly (readonly [question: string, keys: string])[];
  /**
   * True where stdout is a terminal; its width is 80 unless `columns` says otherwise. Without `columns`, stderr is so wide
   * that messages stay on one line.
   */
  readonly tty?: boolean;
  readonly columns?: number;
  /** True where the terminal shows colours, or links. */
  readonly color?: boolean;
  readonly links?: boolean;
  /** Directory of settings and credentials; each run has an empty one of its own unless told. */
  readonly configDir?: string;
  readonly now?: Date;
  /** The browser; without it none can be opened. */
  readonly openPage?: (url: string) => boolean;
  /** Time; without it, sleeping takes none. */
  readonly clock?: Runtime['clock'];
  /** Receives what is written to stdout and stderr, in the order of a terminal. */
  readonly onOutput?: (text: string) => void;
  /** The program; without it, the sources. */
  readonly program?: typeof main;
}

export interface RunResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** An empty directory that goes away after the test run. */
export const temporaryDirectory = (): Promise<string> => mkdtemp(join(tmpdir(), 'forgectl-test-'));

export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const stdout = new Recorder(options.onOutput);
  const keyboard = options.person && new FakeTerminal();
  const recorded = new Recorder(options.onOutput);
  const stderr = keyboard?.stderr ?? recorded;
  let code = 0;
  const tty = options.tty ?? keyboard !== undefined;
  const configDir = options.configDir ?? (await temporaryDirectory());
  const runtime: Runtime = {
    env: { FORGECTL_CONFIG_DIR: configDir, XDG_CACHE_HOME: join(configDir, 'cache'), ...options.env },
    stdin: keyboard
      ? keyboard.stdin
      : options.stdin === undefined
        ? new PassThrough().end()
        : Readable.from([Buffer.from(options.stdin)]),
    terminal: {
      stdout,
      stderr,
      stdoutIsTTY: tty,
      stderrIsTTY: tty,
      columns: options.columns ?? (tty ? 80 : Number.POSITIVE_INFINITY),
      stderrColumns: options.columns ?? 250,
      color: options.color ?? false,
      plain: false,
      links: options.links ?? false,
      utf8: true,
      now: () => options.now ?? new Date('2026-03-01T12:00:00Z'),
    },
    clock: options.clock ?? instantClock(),
    exit: (value) => {
      code = value;
    },
    onInterrupt: interruptions(),
    openPage: async (url) => options.openPage?.(url) ?? false,
    abandon: (value) => {
      code = value;
    },
  };
  const left = [...(options.person ?? [])];
  const typing = answer(keyboard, left);
  await (options.program ?? main)(argv, runtime);
  if (left[0]) throw new Error(`Nobody asked “${left[0][0]}”: ${keyboard?.shown}`);
  await typing;
  return { stdout: stdout.text, stderr: keyboard ? stripVTControlCharacters(keyboard.shown) : recorded.text, code };
}

/** Answers the questions in their order, and takes each from the list. */
async function answer(keyboard: FakeTerminal | undefined, questions: (readonly [string, string])[]) {
  while (questions[0]) {
    await keyboard?.type(...questions[0]);
    questions.shift();
  }
}

/** Time that passes only by sleeping, at once. */
export function instantClock(): Runtime['clock'] {
  let now = 0;
  return {
    now: () => now,
    sleep: async (ms) => {
      now += ms;
    },
  };
}

class Recorder extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #onOutput: RunOptions['onOutput'];

  constructor(onOutput: RunOptions['onOutput']) {
    super();
    this.#onOutput = onOutput;
  }

  override _write(chunk: Buffer | string, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(Buffer.from(chunk));
    this.#onOutput?.(chunk.toString());
    done();
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}
