/** The start of every run: finds the command that the words name, and runs it. */
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { normalizeArgv } from '@oclif/core/help';
import { ClosedPipe, write } from '../output/writer.ts';
import { asksForJson } from './asks-for-json.ts';
import { showHelp } from './help.ts';
import { loadCommand } from './load-command.ts';
import { describeFailure, failureJson, failureText } from './report.ts';
import { attachRuntime, processRuntime, type Runtime, runtimeOf } from './runtime.ts';
import { unknownCommand } from './unknown-command.ts';

/** The folder that holds package.json, both from the sources and from what is built of them. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one command line. Never throws; the exit code goes to the runtime. */
export async function main(argv: readonly string[], runtime: Runtime = processRuntime()): Promise<void> {
  try {
    const config = await Config.load({ root });
    attachRuntime(config, runtime);
    await dispatch(config, [...argv]);
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    const failure = describeFailure(error, {});
    runtime.terminal.stderr.write(`${asksForJson(argv) ? failureJson(failure) : failureText(failure)}\n`);
    runtime.exit(failure.exit);
  }
}

async function dispatch(config: Config, argv: string[]): Promise<void> {
  if (argv.length === 0 || asksForHelp(argv)) return showHelp(config, argv);
  if (argv[0] === '--version' || argv[0] === '-v') {
    return write(runtimeOf(config).terminal.stdout, `${config.userAgent}\n`);
  }
  const [id = '', ...rest] = normalizeArgv(config, argv);
  if (config.findCommand(id)) {
    const Command = await loadCommand(id);
    await new Command(rest, config)._run();
  } else if (config.findTopic(id)) {
    await showHelp(config, [id]);
  } else {
    throw unknownCommand(config, id);
  }
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).some((word) => word === '--help' || word === '-h');
}
