/** What a run of forgectl takes from its surroundings. The process gives it; a test gives its own. */
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { processTerminal, type Terminal } from '../output/terminal.ts';

/** Time as a wait needs it. */
export interface Clock {
  /** Milliseconds since any fixed moment. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export interface Runtime {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** Takes the exit code; the run ends by itself once everything is written. */
  readonly exit: (code: number) => void;
}

/** The process's own surroundings. */
export function processRuntime(): Runtime {
  // Whoever stops reading notices does not stop the command; without a listener Node would.
  process.stderr.on('error', () => {});
  return {
    env: process.env,
    stdin: process.stdin,
    terminal: processTerminal(),
    clock: { now: () => performance.now(), sleep: (ms) => delay(ms) },
    exit: (code) => {
      process.exitCode = code;
    },
  };
}

const attached = new WeakMap<object, Runtime>();

/** oclif hands commands its config and nothing else; the surroundings travel with it. */
export function attachRuntime(config: object, runtime: Runtime): void {
  attached.set(config, runtime);
}

/** The surroundings that travel with a config. Every config that `main` loads has them. */
export function runtimeOf(config: object): Runtime {
  const runtime = attached.get(config);
  if (!runtime) throw new TypeError('a command was started without its surroundings');
  return runtime;
}
