/** What a run of forgectl takes from its surroundings. The process gives it; a test gives its own. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { plainTerminal, processTerminal, type Terminal } from '../output/terminal.ts';
import { exitCodes } from './exit-codes.ts';

/** Time as a wait needs it. */
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
  /** Takes the exit code; the run ends by itself once everything is written, and at once where it was interrupted. */
  readonly exit: (code: number) => void;
  /** Installs the handler for Ctrl-C, ahead of earlier ones. Returns a function that removes it. */
  readonly onInterrupt: (handler: () => void) => () => void;
  /** Opens a web address in the browser. False where that cannot be done. */
  readonly openPage: (url: string) => Promise<boolean>;
  /** Ends the run at once, with whatever is under way. */
  readonly abandon: (code: number) => void;
}

/** The process's own surroundings. */
export function processRuntime(): Runtime {
  return {
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    terminal: processTerminal(),
    // The clock of performance would be as good, and brings a dozen modules of Node with it.
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

/** The same surroundings, where only lines of plain text are wanted. */
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

/** Calls the handler that was installed last. A second Ctrl-C ends the process, whatever a handler does. */
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

/** Work that other threads do and nothing cancels: opening a pipe that nobody writes to, asking for a name. */
const blocking = /^(?:FSReq|GetAddrInfoReq)/;

/**
 * Ends the process. Somebody's Ctrl-C ends it by the signal itself at a terminal: a shell then sees 130, and ends its loop,
 * which it would go on with after an exit code. It does so also where a thread is busy: an exit waits for all threads.
 */
function end(code: number): void {
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const bySignal = atTerminal || process.getActiveResourcesInfo().some((name) => blocking.test(name));
  if (code !== exitCodes.interrupted || !bySignal || process.platform === 'win32') process.exit(code);
  // What happens at an exit: a question may have hidden the cursor and taken the keys as they come.
  process.emit('exit', code);
  if (isatty(0)) process.stdin.setRawMode(false);
  process.removeAllListeners('SIGINT');
  process.kill(process.pid, 'SIGINT');
}

const attached = new WeakMap<object, Runtime>();

/** oclif hands commands its config and nothing else; the surroundings travel with it. */
export function attachRuntime(config: object, runtime: Runtime): void {
  attached.set(config, runtime);
}

/** The surroundings that travel with a config. Every config that `main` loads has them. */
export function runtimeOf(config: object): Runtime {
  const runtime = attached.get(config);
  if (!runtime) throw new TypeError('the config has no attached runtime');
  return runtime;
}
