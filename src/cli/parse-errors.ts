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

/** The command whose words could not be parsed. */
interface ParsedCommand {
  /** With colons, as oclif has it. */
  readonly id: string;
  readonly args: UsedArguments;
  /** As they are typed. */
  readonly flags: readonly string[];
}

/** How a command is typed, for who typed too little or too much; with the flags that were missing. */
export const usageAdvice = ({ id, args }: Pick<ParsedCommand, 'id' | 'args'>, flags?: readonly string[]): string =>
  `Usage: ${usageOf(id, args, flags)}`;

/** The same complaint as a `UsageError`; any other error as it is. */
export function readableParseError(error: unknown, command: ParsedCommand): unknown {
  if (!(error instanceof CLIError)) return error;
  const { args, flags, message } = error as ParseError;
  if (flags?.length) return unknownFlags(flags, command.flags);
  if (args?.length) return tooMany(args, command);
  return new UsageError(`${message.replace(/\s*\n?See more help with --help$/, '').trim()}.`, 'See --help.');
}

function unknownFlags(flags: readonly string[], known: readonly string[]): UsageError {
  const names = flags.map((flag) => flag.split('=', 1)[0] ?? flag);
  const near = names.flatMap((name) => closest(name, known) ?? []);
  return new UsageError(
    `There ${names.length > 1 ? 'are no flags' : 'is no flag'} ${names.join(', ')} here.`,
    near.length ? `Did you mean ${near.join(' and ')}? --help lists all.` : '--help lists all flags.',
  );
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
function takersOf(word: string, { id, flags }: ParsedCommand): string[] {
  const [topic = ''] = id.split(':');
  if (topic === 'auth') return [`forgectl ${typedName(id)} --profile ${word}`];
  if (flags.includes('--org')) return [`forgectl ${typedName(id)} --org ${word}`];
  return [`${topic}:get`, listsBelow[topic] ?? '']
    .filter((other) => findCommand(other.split(':'))?.id === other)
    .map((other) => `forgectl ${typedName(other)} ${word}`);
}
