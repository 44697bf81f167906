/** Properties of the terminal; tests pass their own. */
import { wantsLinks } from './links.ts';

export interface Terminal {
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
  readonly stdoutIsTTY: boolean;
  readonly stderrIsTTY: boolean;
  /** Width of stdout in columns; `Infinity` if lines are not limited. */
  readonly columns: number;
  /** Width of stderr, if it is a terminal. */
  readonly stderrColumns: number;
  readonly color: boolean;
  /**
   * True for plain lines of text, as screen readers need them: no boxes or bars, no overwritten lines, and choices by
   * number.
   */
  readonly plain: boolean;
  /** Whether stdout supports links. */
  readonly links: boolean;
  /** Whether characters beyond ASCII can be drawn. */
  readonly utf8: boolean;
  readonly now: () => Date;
}

/** Returns the terminal of this process, or the pipes and files in its place. */
export function processTerminal(): Terminal {
  const { stdout, env } = process;
  let stderr: NodeJS.WriteStream | undefined;
  return {
    stdout,
    // Node creates the stream on first use, and most runs write nothing to it.
    get stderr() {
      // A closed stderr must not end the command, as it would without a listener.
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

/** Tables in pipes and files are not truncated, unless `COLUMNS` sets a width. */
function columnsOf(stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): number {
  if (stdout.isTTY) return stdout.columns || 80;
  return Number.parseInt(env.COLUMNS ?? '', 10) || Number.POSITIVE_INFINITY;
}

/** `FORCE_COLOR` takes precedence over `NO_COLOR`, as in Node. */
function wantsColor(stdout: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** `ACCESSIBLE` is used by other tools, too; a dumb terminal cannot move its cursor. */
const wantsPlain = (env: NodeJS.ProcessEnv): boolean => Boolean(env.ACCESSIBLE) || env.TERM === 'dumb';

/** Returns the same terminal in plain mode. Its streams are still created on first use. */
export const plainTerminal = (terminal: Terminal): Terminal =>
  Object.create(terminal, { plain: { value: true, enumerable: true } }) as Terminal;

/** Detects UTF-8 from the locale variables, in their order of precedence; macOS and Windows Terminal need none. */
function speaksUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return locale ? /utf-?8/i.test(locale) : process.platform === 'darwin' || Boolean(env.WT_SESSION);
}
