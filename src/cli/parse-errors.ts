/** oclif's complaints about a command line, as one sentence each. */
import { CLIError } from '@oclif/core/errors';
import { UsageError } from './errors.ts';
import { typedName, type UsedArguments, usageOf } from './help/command-page.ts';
import { findCommand } from './load-command.ts';
import { closest } from './suggest.ts';

/** What oclif's parser throws, told apart by what it carries: it exports no classes. */
interface ParseError extends CLIError {
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
}

/** The command whose words are parsed, as oclif has it. */
export interface ParsedCommand {
  /** With colons. */
  readonly id: string;
  readonly args: UsedArguments;
  readonly flags: Readonly<Record<string, ParsedFlag>>;
  readonly baseFlags: Readonly<Record<string, ParsedFlag>>;
}

interface ParsedFlag {
  readonly type: 'boolean' | 'option';
  readonly allowNo?: boolean;
  readonly helpValue?: string | string[] | undefined;
}

/** How a command is typed, for who typed too little or too much; with the flags that were missing, by name. */
export function usageAdvice({ id, args, flags }: ParsedCommand, missing: readonly string[] = []): string {
  const words = missing.map((name) => {
    const flag = flags[name];
    return flag?.type === 'option' ? `--${name}=${flag.helpValue ?? 'VALUE'}` : `--[no-]${name}`;
  });
  return `Usage: ${usageOf(id, args, words)}`;
}

/** The flags of a command as they are typed. */
const typedFlags = ({ flags, baseFlags }: ParsedCommand): string[] =>
  Object.entries({ ...baseFlags, ...flags }).flatMap(([name, flag]) =>
    flag.type === 'boolean' && flag.allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );

/** The same complaint as a `UsageError`; any other error as it is. */
export function readableParseError(error: unknown, command: ParsedCommand): unknown {
  if (!(error instanceof CLIError)) return error;
  const { args, flags, message } = error as ParseError;
  if (flags?.length) return unknownFlags(flags, command);
  if (args?.length) return tooMany(args, command);
  return new UsageError(`${message.replace(/\s*\n?See more help with --help$/, '').trim()}.`, 'See --help.');
}

function unknownFlags(flags: readonly string[], command: ParsedCommand): UsageError {
  const names = flags.map((flag) => flag.split('=', 1)[0] ?? flag);
  // What all flags begin with is no likeness.
  const bare = (flag: string) => flag.replace(/^-+/, '');
  const known = typedFlags(command).map(bare);
  const near = names.flatMap((name) => closest(bare(name), known) ?? []);
  const said = `There ${names.length > 1 ? 'are no flags' : 'is no flag'} ${names.join(', ')} here.`;
  // Other command lines take with a flag what is an argument here.
  if (names.some((name) => Object.hasOwn(command.args, bare(name)))) return new UsageError(said, usageAdvice(command));
  const meant = near.map((name) => `--${name}`).join(' and ');
  return new UsageError(said, meant ? `Did you mean ${meant}? --help lists all.` : '--help lists all flags.');
}

/** oclif hands over all words that are left, or those that are too many. */
function tooMany(words: readonly string[], command: ParsedCommand): UsageError {
  const { id, args } = command;
  const placed = Object.keys(args).length;
  const left = words.map((word) => `“${word}”`).join(', ');
  if (placed > 0) return new UsageError(`There is no place for ${left}.`, usageAdvice(command));
  const near = takersOf(words[0] ?? '', command);
  return new UsageError(
    `“forgectl ${typedName(id)}” takes no arguments: there is no place for ${left}.`,
    near.length ? `Did you mean ${near.map((line) => `“${line}”`).join(' or ')}?` : 'See --help.',
  );
}

/** What else is to be found below one of a topic's records. */
const listsBelow: Readonly<Record<string, string>> = { orgs: 'repos:list' };

/** Command lines that do take a word: with a flag of this command, or as an argument of a related one. */
function takersOf(word: string, command: ParsedCommand): string[] {
  const { id } = command;
  const [topic = ''] = id.split(':');
  if (topic === 'auth') return [`forgectl ${typedName(id)} --profile ${word}`];
  if (typedFlags(command).includes('--org')) return [`forgectl ${typedName(id)} --org ${word}`];
  return [`${topic}:get`, listsBelow[topic] ?? '']
    .filter((other) => findCommand(other.split(':'))?.id === other)
    .map((other) => `forgectl ${typedName(other)} ${word}`);
}
