/** Runs commands inside another command: any number in one process, over one client. */
import { Readable, Writable } from 'node:stream';
import type { Config } from '@oclif/core/config';
import { UsageError } from '../errors.ts';
import { withCommandFirst } from '../lookup/leading-flags.ts';
import { findCommand, loadCommand } from '../lookup/load-command.ts';
import { attachRuntime, type Runtime } from '../runtime.ts';
import { ForgectlCommand, type Outcome } from './command.ts';
import type { SharedClient } from './session.ts';

/** The context that the calling command provides. */
export interface Host extends SharedClient {
  readonly config: Config;
  readonly runtime: Runtime;
  /** Reads standard input, if the command does; empty by default. */
  readonly stdin?: () => Promise<Uint8Array>;
}

/** The outcome of a command line, with its notices. */
export interface InnerOutcome extends Outcome {
  readonly notices: readonly string[];
}

/**
 * Runs a command line over the client of its host. It prints nothing, prompts for nothing, and changes neither the exit
 * code nor the Ctrl-C handler. Throws UsageError for an unknown command.
 */
export async function runWithin(words: readonly string[], host: Host): Promise<InnerOutcome> {
  const found = findCommand(withCommandFirst(words));
  const Command = found && (await loadCommand(found.id));
  if (!found || !Command) throw new UsageError(`Unknown command “${words.join(' ')}”.`);
  const notices: string[] = [];
  const config: Config = Object.create(host.config);
  attachRuntime(
    config,
    silent(host.runtime, host.stdin, (text) => notices.push(text)),
  );
  const command = new Command(found.rest, config);
  if (!(command instanceof ForgectlCommand)) throw new TypeError(`${found.id} is not a ForgectlCommand`);
  return { ...(await command.runWith(host)), notices };
}

/** Ignores what it receives. */
const stdout = new Writable({ write: (_chunk, _encoding, done) => done() });

/** Returns the same runtime without a terminal. */
function silent(runtime: Runtime, stdin: Host['stdin'], tell: (text: string) => void): Runtime {
  async function* input() {
    if (stdin) yield await stdin();
  }
  let opened: Readable | undefined;
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      tell(String(chunk).trimEnd());
      done();
    },
  });
  const terminal = { ...runtime.terminal, stdout, stderr, stdoutIsTTY: false, stderrIsTTY: false, color: false };
  return Object.create(runtime, {
    // Created on demand: V8 keeps a stream’s references alive longer than a command runs, and few commands read it.
    stdin: { get: () => (opened ??= Readable.from(input())), enumerable: true },
    terminal: { value: terminal, enumerable: true },
  }) as Runtime;
}
