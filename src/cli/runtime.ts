/** The environment of a run, from the process or from a test. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { plainTerminal, processTerminal, type Terminal } from '../output/terminal.ts';
import { exitCodes } from './exit-codes.ts';

/** The clock that waits use. */
export interface Clock {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  /** Rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Runtime {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Sets the exit code; the run ends once everything is written, or at once if it was interrupted. */
  readonly exit: (code: number) => void;
  /** Installs the handler for Ctrl-C, ahead of earlier ones. Returns a function that removes it. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Opens a web address in the browser. Returns false if that fails. */
  readonly openPage: (url: string) => Promise<boolean>;
  /** Ends the run immediately, including work in progress. */
  readonly abandon: (code: number) => void;
}

export function processRuntime(): Runtime {
  // Otherwise Windows looks for git and others in the current folder, which others may control, before PATH.
  if (process.platform === 'win32') process.env.NoDefaultCurrentDirectoryInExePath = '1';
  return {
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    terminal: processTerminal(),
    // performance.now() would work too, but loads a dozen Node modules.
    clock: { now: () => process.uptime() * 1000, sleep },
    exit: (code) => {
      if (code === exitCodes.interrupted) end(code);
      process.exitCode = code;
    },
    onInterrupt: interruptions(),
    openPage: async (url) => (await import('./browser.ts')).openPage(url, process.env),
    abandon: end,
  };
}

export const withPlainTerminal = (runtime: Runtime): Runtime =>
  Object.create(runtime, { terminal: { value: plainTerminal(runtime.terminal), enumerable: true } }) as Runtime;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/**
 * Returns `onInterrupt`, whose handlers replace each other: the last one installed is called. A second Ctrl-C ends the
 * process, regardless of handlers.
 */
export function interruptions(): Runtime['onInterrupt'] {
  const handlers: (() => void)[] = [];
  let asked = false;
  const interrupt = () => {
    if (asked) end(exitCodes.interrupted);
    asked = true;
    handlers.at(-1)?.();
  };
  return (handler) => {
    if (handlers.push(handler) === 1) process.on('SIGINT', interrupt);
    return () => {
      handlers.splice(handlers.indexOf(handler), 1);
      if (handlers.length === 0) process.off('SIGINT', interrupt);
    };
  };
}

/** Work on other threads that cannot be cancelled: opening a pipe without a writer, resolving a host name. */
const blocking = /^(?:FSReq|GetAddrInfoReq)/;

/**
 * Ends the process. On a terminal, Ctrl-C ends it by signal, so that a shell sees 130 and stops its loop, which it
 * would continue after an exit code. The same if a thread is busy: an exit waits for all threads.
 */
function end(code: number): void {
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const bySignal = atTerminal || process.getActiveResourcesInfo().some((name) => blocking.test(name));
  if (code !== exitCodes.interrupted || !bySignal || process.platform === 'win32') process.exit(code);
  // Exit handlers restore the terminal: a prompt may have hidden the cursor and set raw mode.
  process.emit('exit', code);
  if (isatty(0)) process.stdin.setRawMode(false);
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

const attached = new WeakMap<object, Runtime>();

/** oclif passes commands only its config, so the runtime is attached to it. */
export function attachRuntime(config: object, runtime: Runtime): void {
  attached.set(config, runtime);
}

/** The runtime attached to a config. Every config that `main` loads has one. */
export function runtimeOf(config: object): Runtime {
  const runtime = attached.get(config);
  if (!runtime) throw new TypeError('the config has no attached runtime');
  return runtime;
}
