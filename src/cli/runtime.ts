/** What a run of forgectl takes from its surroundings. The process gives it; a test gives its own. */
import type { Readable } from 'node:stream';
import type { Config } from '@oclif/core/config';
import { processTerminal, type Terminal } from '../output/terminal.ts';

export interface Runtime {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly terminal: Terminal;
  /** Takes the exit code; the run ends by itself once everything is written. */
  readonly exit: (code: number) => void;
}

export const processRuntime = (): Runtime => ({
  env: process.env,
  stdin: process.stdin,
  terminal: processTerminal(),
  exit: (code) => {
    process.exitCode = code;
  },
});

const attached = new WeakMap<object, Runtime>();

/** oclif hands commands its config and nothing else; the surroundings travel with it. */
export function attachRuntime(config: Config, runtime: Runtime): void {
  attached.set(config, runtime);
}

export const runtimeOf = (config: Config): Runtime => attached.get(config) ?? processRuntime();
