/** oclif's complaints about a command line, as one sentence each. */
import { CLIError } from '@oclif/core/errors';
import { UsageError } from './errors.ts';
import { closest } from './suggest.ts';

interface MissingArgument {
  readonly name: string;
  readonly description?: string;
}

/** What oclif's parser throws, told apart by what it carries: it exports no classes. */
interface ParseError extends CLIError {
  readonly args?: readonly (MissingArgument | string)[];
  readonly flags?: readonly string[];
}

/** The same complaint as a `UsageError`; any other error as it is. */
export function readableParseError(error: unknown, knownFlags: readonly string[]): unknown {
  if (!(error instanceof CLIError)) return error;
  const { args, flags, message } = error as ParseError;
  if (flags?.length) return unknownFlags(flags, knownFlags);
  if (args?.length) return typeof args[0] === 'string' ? tooMany(args as string[]) : tooFew(args as MissingArgument[]);
  return new UsageError(`${message.replace(/\s*\n?See more help with --help$/, '').trim()}.`, 'See --help.');
}

function unknownFlags(flags: readonly string[], known: readonly string[]): UsageError {
  const names = flags.map((flag) => flag.split('=', 1)[0] ?? flag);
  const near = names.map((name) => closest(name, known)).find((name) => name !== undefined);
  return new UsageError(
    `There is no flag ${names.join(', ')} here.`,
    near ? `Did you mean ${near}? --help lists all.` : '--help lists all flags.',
  );
}

const tooMany = (words: readonly string[]) =>
  new UsageError(`There is no place for ${words.map((word) => `“${word}”`).join(', ')}.`, 'See --help.');

function tooFew(args: readonly MissingArgument[]): UsageError {
  const missing = args.map(({ name, description }) => `${name.toUpperCase()}${description ? ` (${description})` : ''}`);
  return new UsageError(`Missing: ${missing.join(', ')}.`, 'See --help.');
}
