/** Every run: finds the command that the words name, and runs it. */
import { ClosedPipe } from '../output/writer.ts';
import { asksForJson } from './asks-for-json.ts';
import { runConfig } from './config.ts';
import { findCommand, loadCommand } from './load-command.ts';
import { describeFailure, failureJson, failureText } from './report.ts';
import { attachRuntime, processRuntime, type Runtime } from './runtime.ts';

/** Runs one command line. Never throws; the exit code goes to the runtime. */
export async function main(argv: readonly string[], runtime: Runtime = processRuntime()): Promise<void> {
  try {
    await dispatch(argv, runtime);
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    const failure = describeFailure(error, {});
    runtime.terminal.stderr.write(`${asksForJson(argv) ? failureJson(failure) : failureText(failure)}\n`);
    runtime.exit(failure.exit);
  }
}

async function dispatch(argv: readonly string[], runtime: Runtime): Promise<void> {
  const found = asksForHelp(argv) ? undefined : findCommand(argv);
  if (!found) {
    // Without words, for a topic, and for words that name nothing: those it refuses.
    const { showHelp } = await import('./help.ts');
    return showHelp(argv, runtime);
  }
  const config = await runConfig();
  attachRuntime(config, runtime);
  const Command = await loadCommand(found.id);
  await new Command(found.rest, config)._run();
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
