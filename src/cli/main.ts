/** The start of every run: finds the command that the words name, and runs it. */
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { normalizeArgv } from '@oclif/core/help';
import { Redactor } from '../client/redact.ts';
import { ClosedPipe, write } from '../output/writer.ts';
import { asksForJson } from './asks-for-json.ts';
import type { ExitCode } from './exit-codes.ts';
import { showHelp } from './help.ts';
import { loadCommand } from './load-command.ts';
import { describeFailure, failureJson, failureText } from './report.ts';
import { attachRuntime, processRuntime, type Runtime, runtimeOf } from './runtime.ts';
import { unknownCommand } from './unknown-command.ts';

/** The folder that holds package.json, both from the sources and from what is built of them. */
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs one command line, as the whole of this process unless a runtime is given, which takes the exit code. Never throws. */
export async function main(argv: readonly string[], given?: Runtime): Promise<void> {
  const runtime = given ?? processRuntime();
  if (!given) tellUncaught(argv, runtime);
  try {
    const config = await Config.load({ root });
    attachRuntime(config, runtime);
    await dispatch(config, [...argv]);
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    runtime.exit(tell(error, argv, runtime));
  }
}

/** Of an error that nobody caught Node itself would print the stack, and all that the error carries along. */
function tellUncaught(argv: readonly string[], runtime: Runtime): void {
  process.on('uncaughtException', (error) => runtime.abandon(tell(error, argv, runtime)));
}

/** Tells of an error that no command took care of. Returns its exit code. */
function tell(error: unknown, argv: readonly string[], { env, terminal }: Runtime): ExitCode {
  const failure = describeFailure(error, {});
  const redactor = new Redactor();
  redactor.add(env.FORGECTL_TOKEN ?? '');
  const text = asksForJson(argv) ? failureJson(failure) : failureText(failure);
  terminal.stderr.write(`${redactor.redact(text)}\n`);
  return failure.exit;
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
