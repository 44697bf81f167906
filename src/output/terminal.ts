/** Where output goes and what can be shown there: a setting handed in, so that a test chooses it. */
import { wantsLinks } from './links.ts';

export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
  /** The width of stdout in columns; `Infinity` where nothing limits a line. */
  readonly columns: number;
  /** The width of stderr, where it is a terminal. */
  readonly stderrColumns: number;
  readonly color: boolean;
  /**
   * True where only lines of plain text are wanted, as a screen reader reads them best: nothing is drawn with boxes or
   * bars, no line is written over, and a choice is a number.
   */
  readonly plain: boolean;
  /** Whether text on stdout can lead to a page. */
  readonly links: boolean;
  /** Whether characters beyond ASCII can be drawn with. */
  readonly utf8: boolean;
  readonly now: () => Date;
}

/** The terminal that this process runs in, or the pipes and files that it was given instead. */
export function processTerminal(): Terminal {
  const { stdout, env } = process;
  let stderr: NodeJS.WriteStream | undefined;
  return {
    stdout,
    // Node makes a stream when it is first looked at, and most runs have nothing to say.
    get stderr() {
      // Whoever stops reading notices does not stop the command; without a listener Node would.
      stderr ??= process.stderr.on('error', () => {});
      return stderr;
    },
    stdoutIsTTY: stdout.isTTY === true,
    get stderrIsTTY() {
      return process.stderr.isTTY === true;
    },
    get columns() {
      return columnsOf(stdout, env);
    },
    get stderrColumns() {
      return process.stderr.columns || 80;
    },
    color: wantsColor(stdout, env),
    plain: wantsPlain(env),
    links: wantsLinks(stdout.isTTY === true, env),
    utf8: speaksUtf8(env),
    now: () => new Date(),
  };
}

/** Pipes and files have no width, so a table written there is not cut, unless `COLUMNS` says how wide it may be. */
function columnsOf(stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): number {
  if (stdout.isTTY) return stdout.columns || 80;
  return Number.parseInt(env.COLUMNS ?? '', 10) || Number.POSITIVE_INFINITY;
}

/** `FORCE_COLOR` goes before `NO_COLOR`, as in Node itself. */
function wantsColor(stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** `ACCESSIBLE` is what other tools read, too; a dumb terminal has no way to move its cursor. */
const wantsPlain = (env: NodeJS.ProcessEnv): boolean => Boolean(env.ACCESSIBLE) || env.TERM === 'dumb';

/** The same terminal, where only lines of plain text are wanted. Its streams are still made when they are first used. */
export const plainTerminal = (terminal: Terminal): Terminal =>
  Object.create(terminal, { plain: { value: true, enumerable: true } }) as Terminal;

/** As the locale says, in the order in which its variables count; macOS and Windows Terminal need none. */
function speaksUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : process.platform === 'darwin' || Boolean(env.WT_SESSION);
}
