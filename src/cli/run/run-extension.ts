/** Runs an extension in place of a command. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { settingsDirectory } from '../../disk/locations.ts';
import { type ReadProgram, readProgram, reasonOf } from '../../disk/programs.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { ownMember } from '../../json/exact-json.ts';
import { safeText } from '../../output/safe-text.ts';
import { readAliases } from '../account/aliases.ts';
import { type AllowedExtension, changeAllowed, readAllowed } from '../account/allowed-extensions.ts';
import { extensionEnv, type PlatformFlags } from '../account/extension-env.ts';
import { UsageError } from '../errors.ts';
import { type KnownFlags, typedParts } from '../input/flag-words.ts';
import { commonFlags } from '../input/flags.ts';
import { shellLine } from '../input/prompts/command-line.ts';
import { confirm } from '../input/prompts/prompts.ts';
import { type Extension, extensionNamed } from '../lookup/extensions.ts';
import { leadingFlags } from '../lookup/leading-flags.ts';
import { Messages } from '../report/messages.ts';
import type { Runtime } from '../runtime.ts';

/** The flags before the name. All words after it are those of the extension. */
const ownFlags = {
  ...commonFlags,
  'yes-extension': { type: 'boolean' },
} as const satisfies KnownFlags;

/** Flags that concern an extension: the others are about requests or the output of commands. */
const passedFlags = ['profile', 'base-url', 'output', 'json'];
const askingFlags = ['no-input', 'yes-extension'];

/**
 * Runs the extension that a command line names, and returns true; false if it names none. Throws UsageError for an extension
 * that is not allowed.
 */
export async function runExtension(words: readonly string[], runtime: Runtime): Promise<boolean> {
  const before = leadingFlags(words, ownFlags);
  const [name = '', ...args] = words.slice(before);
  const extension = extensionNamed(name, runtime.env);
  if (!extension) return false;
  const given = flagsIn(words.slice(0, before), name);
  requireNoAlias(name, settingsDirectory(runtime.env));
  const program = readUsable(extension);
  const allowed = await allowedFile(extension, program, given, runtime);
  const env = await extensionEnv(runtime.env, given, allowed);
  try {
    program.requireSame();
  } catch (error) {
    throw unusable(extension, reasonOf(error));
  }
  await run(extension, program, args, env, runtime);
  return true;
}

/** Flags before an alias lead here. Throws UsageError for an alias. */
function requireNoAlias(name: string, directory: string): void {
  if (Object.hasOwn(readAliases(directory), name))
    throw new UsageError(`“forgectl ${name}” is an alias, not an extension. Nothing was run.`);
}

interface GivenFlags extends PlatformFlags {
  readonly 'no-input'?: true;
  readonly 'yes-extension'?: true;
}

function flagsIn(words: readonly string[], name: string): GivenFlags {
  const given: Record<string, string | true> = {};
  for (const { flag = '', words: typed } of typedParts(words, ownFlags).parts) {
    if (![...passedFlags, ...askingFlags].includes(flag))
      throw new UsageError(
        `--${flag} cannot be used with the extension “${name}”. Nothing was run.`,
        `Put the flags of the extension after its name: ${shellLine(['forgectl', name, ...typed])}`,
      );
    const [word = '', value = word.slice(word.indexOf('=') + 1)] = typed;
    if (flag === 'json') given.output = 'json';
    else given[flag] = passedFlags.includes(flag) ? value : true;
  }
  return given;
}

function readUsable(extension: Extension): ReadProgram {
  const { program } = extension;
  if (program.problem !== undefined) throw unusable(extension, program.problem);
  try {
    return readProgram(program);
  } catch (error) {
    throw unusable(extension, reasonOf(error));
  }
}

const unusable = ({ name, program }: Extension, problem: string): UsageError =>
  new UsageError(
    `The extension “${name}” was not run: ${program.path} ${problem}.`,
    'Install it in a folder that only you or root can change.',
  );

/** Returns the permission for a file, after asking for it if there is none. Throws UsageError without one. */
async function allowedFile(
  { name, program }: Extension,
  { file, sha256 }: ReadProgram,
  given: GivenFlags,
  runtime: Runtime,
): Promise<AllowedExtension> {
  const { env, stdin, terminal } = runtime;
  const directory = settingsDirectory(env);
  const known = readAllowed(directory);
  const earlier = ownMember(known, name);
  if (earlier?.file === file && earlier.sha256 === sha256) return earlier;
  const state = earlier ? 'has changed since it was allowed' : 'has not run before';
  if (!given['yes-extension']) {
    if (given['no-input'] || !stdin.isTTY || !terminal.stderrIsTTY || env.CI)
      throw new UsageError(
        `The extension “${name}” ${state}: ${program.path} (SHA-256 ${sha256}). Nothing was run.`,
        `To allow this file: forgectl extensions allow ${name} --sha256 ${sha256}`,
      );
    new Messages(runtime).notice(
      `The extension “${name}” ${state}:\n  ${safeText(program.path)}${file === program.path ? '' : ` → ${safeText(file)}`}\n  SHA-256 ${sha256}\nIt runs with your permissions.`,
    );
    if (!(await confirm('Run it?', runtime))) throw new UsageError('Nothing was run.');
  }
  const allowed = { file, sha256, token: false, allowed_at: terminal.now().toISOString() };
  await changeAllowed(directory, (all) => ({ ...all, [name]: allowed }));
  return allowed;
}

const forwarded = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const;

/** Signals that a terminal sends to all programs in its foreground: the extension, too. */
const ofTerminal: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** Runs a program until it ends, and ends in the same way. Throws UsageError if it cannot be started. */
async function run(
  { name, program: { path } }: Extension,
  { file }: ReadProgram,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  runtime: Runtime,
): Promise<void> {
  const atTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  const forward = (signal: NodeJS.Signals) => {
    if (!atTerminal || !ofTerminal.includes(signal)) child.kill(signal);
  };
  // Installed before the program starts, and before others are removed, so that no signal is lost.
  for (const signal of forwarded) {
    const others = process.rawListeners(signal);
    process.on(signal, forward);
    // Those of libraries send each signal once more.
    for (const other of others) process.off(signal, other as NodeJS.SignalsListener);
  }
  const child = spawn(file, args, { argv0: path, env, stdio: 'inherit' });
  const ended = await new Promise<number | NodeJS.Signals | Error | null>((resolve) => {
    child.once('error', resolve);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
  for (const signal of forwarded) process.off(signal, forward);
  if (ended instanceof Error)
    throw new UsageError(`The extension “${name}” cannot be started: ${whyNotStarted(path, ended)}.`);
  if (typeof ended === 'number') return runtime.exit(ended);
  const signal = ended ?? 'SIGTERM';
  process.kill(process.pid, signal);
  // Signals that Node handles itself do not end it.
  runtime.abandon(128 + constants.signals[signal]);
}

/** The file has just been read, so what is missing is its interpreter. */
const whyNotStarted = (path: string, error: NodeJS.ErrnoException): string =>
  error.code === 'ENOENT'
    ? `the interpreter in the first line of ${path} does not exist`
    : `${path}: ${whyUnreadable(error) ?? error.message}`;
