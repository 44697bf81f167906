/** Every run: finds the command that the words name, and runs it. */
import { knownSecrets } from '../../client/redact.ts';
import { settingsDirectory } from '../../disk/locations.ts';
import { ClosedPipe } from '../../output/writer.ts';
import { UsageError } from '../errors.ts';
import type { ExitCode } from '../exit-codes.ts';
import { requestsHelp } from '../input/flag-words.ts';
import { maskedLine, secretsOfWords } from '../input/masked-words.ts';
import { runConfig } from '../lookup/config.ts';
import { findCommand, isOwnWord, loadCommand } from '../lookup/load-command.ts';
import { Messages } from '../report/messages.ts';
import { describeFailure } from '../report/report.ts';
import { requestsJson } from '../report/requests-json.ts';
import { attachRuntime, processRuntime, type Runtime } from '../runtime.ts';

/**
 * Runs one command line as the whole of this process, unless a runtime is given, which then receives the exit code.
 * Never throws.
 */
export async function main(argv: readonly string[], given?: Runtime): Promise<void> {
  const runtime = given ?? processRuntime();
  if (!given) reportUncaught(argv, runtime);
  try {
    await dispatch(argv, runtime);
  } catch (error) {
    if (error instanceof ClosedPipe) return;
    runtime.exit(reportFailure(error, argv, runtime, new Messages(runtime, secretsOfWords(argv))));
  }
}

/** For an uncaught error, Node would print the stack and all members of the error. */
function reportUncaught(argv: readonly string[], runtime: Runtime): void {
  process.on('uncaughtException', (error) => {
    const messages = new Messages(runtime, secretsOfWords(argv));
    for (const secret of knownSecrets()) messages.addSecret(secret);
    runtime.abandon(reportFailure(error, argv, runtime, messages));
  });
}

/** Reports an error outside a command. Returns its exit code. */
function reportFailure(error: unknown, argv: readonly string[], runtime: Runtime, messages: Messages): ExitCode {
  const failure = describeFailure(error, {});
  messages.failure(failure, requestsJson(argv, runtime.terminal));
  return failure.exit;
}

async function dispatch(words: readonly string[], runtime: Runtime): Promise<void> {
  const typed = words[0]?.startsWith('-')
    ? (await import('../lookup/leading-flags.ts')).withCommandFirst(words)
    : words;
  const argv = findCommand(typed) ? typed : await withoutAlias(typed, words, runtime);
  const found = findCommand(argv);
  if (!found && argv === typed && mayNameExtension(words) && (await ranExtension(words, runtime))) return;
  const Command = found && (await loadCommand(found.id));
  if (!found || !Command || requestsHelp(found.rest, { ...Command.baseFlags, ...Command.flags })) {
    // Shows or rejects: no words, a topic, or words that name nothing.
    const { showHelp } = await import('../help/show.ts');
    return showHelp(argv, runtime);
  }
  const config = await runConfig();
  attachRuntime(config, runtime);
  await new Command(found.rest, config)._run();
}

const mayNameExtension = ([first = '-h']: readonly string[]): boolean =>
  !/^(-h|--help)$/.test(first) && !isOwnWord(first);

async function ranExtension(words: readonly string[], runtime: Runtime): Promise<boolean> {
  const { runExtension } = await import('./run-extension.ts');
  return runExtension(words, runtime);
}

/** Returns the words with an alias replaced by its command line; flags before it are those of its command. */
async function withoutAlias(
  words: readonly string[],
  typed: readonly string[],
  runtime: Runtime,
): Promise<readonly string[]> {
  const [name] = words;
  if (name === undefined || isOwnWord(name)) return words;
  const line = (await import('../lookup/aliases.ts')).expandedAlias(words, await aliases(runtime));
  const flags = typed.slice(0, typed.length - words.length);
  const expanded =
    line && flags.length > 0
      ? (await import('../lookup/leading-flags.ts')).withCommandFirst([...flags, ...line])
      : line;
  if (expanded && words.includes('--debug'))
    new Messages(runtime).trace(`alias ${name}: ${maskedLine(['forgectl', ...expanded])}`);
  return expanded ?? words;
}

/** Returns no aliases if the settings are invalid, so that help and unknown commands are still explained. */
async function aliases({ env }: Runtime): Promise<Readonly<Record<string, string>>> {
  const { readAliases } = await import('../account/aliases.ts');
  try {
    return readAliases(settingsDirectory(env));
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}
