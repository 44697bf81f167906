/** Converts oclif's errors about a command line to one sentence each. */
import { CLIError } from '@oclif/core/errors';
import { ownMember } from '../../json/exact-json.ts';
import { secretMask } from '../../json/secrets.ts';
import { closest } from '../../platform/suggest.ts';
import { UsageError } from '../errors.ts';
import { didYouMeanLine, jsonTakesNoFields } from '../input/flag-words.ts';
import { maskedLine, maskedWords } from '../input/masked-words.ts';
import { type ParsedCommand, typedName, usageAdvice } from '../input/usage.ts';
import { findCommand } from '../lookup/load-command.ts';

/** An error of oclif's parser, recognized by its fields because oclif exports no classes. */
interface ParseError extends CLIError {
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
}

const typedFlags = ({ flags, baseFlags }: ParsedCommand): string[] =>
  Object.entries({ ...baseFlags, ...flags }).flatMap(([name, flag]) =>
    flag.type === 'boolean' && flag.allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );

/** Converts a parser error for `argv` to a `UsageError`; returns any other error unchanged. */
export function readableParseError(error: unknown, command: ParsedCommand, argv: readonly string[]): unknown {
  if (!(error instanceof CLIError)) return error;
  const { args, flags, message } = error as ParseError;
  if (flags?.length) return unknownFlags(flags, command, argv);
  if (args?.length) return unexpectedArguments(args, command, argv);
  return new UsageError(`${message.replace(/\s*\n?See more help with --help$/, '').trim()}.`, 'See --help.');
}

/** Flags of `gh api` that have other names here. */
const flagsOfGhApi: Readonly<Record<string, string>> = {
  '--hostname': 'Choose the platform with --base-url https://HOST or --profile NAME.',
  '--verbose': 'Print requests and responses with --debug.',
  '--cache': 'Responses are cached, and reused only if the platform confirms that they have not changed.',
  '--template': 'Format the response with --jq.',
  '-t': 'Format the response with --jq.',
};

function unknownFlags(flags: readonly string[], command: ParsedCommand, argv: readonly string[]): UsageError {
  const names = flags.map((flag) => flag.split('=', 1)[0] ?? flag);
  // Hyphens do not count as similarity.
  const bare = (flag: string) => flag.replace(/^-+/, '');
  const known = typedFlags(command).map(bare);
  const near = names.flatMap((name) => closest(bare(name), known) ?? []);
  const said = `Unknown ${names.length > 1 ? 'flags' : 'flag'} ${names.join(', ')}.`;
  const advice = command.id === 'api' ? names.flatMap((name) => ownMember(flagsOfGhApi, name) ?? []) : [];
  if (advice.length > 0) return new UsageError(said, advice.join(' '));
  // Users of other programs may type a flag for this argument.
  if (names.some((name) => Object.hasOwn(command.args, bare(name)))) return new UsageError(said, usageAdvice(command));
  const line = names.length === 1 ? lineWithout(names[0] ?? '', near, command, argv) : undefined;
  if (line) return new UsageError(said, line);
  const meant = near.map((name) => `--${name}`).join(' and ');
  return new UsageError(said, meant ? `Did you mean ${meant}? See --help for all flags.` : 'See --help for all flags.');
}

/** Returns advice for a flag of other command lines: the command that waits, or the only flag here with its value. */
function lineWithout(
  unknown: string,
  near: readonly string[],
  { id, flags, baseFlags }: ParsedCommand,
  argv: readonly string[],
): string | undefined {
  const at = argv.findIndex((word) => word.split('=', 1)[0] === unknown);
  const [before, word = '', after] = [argv.slice(0, at), argv[at], argv.slice(at + 1)];
  const [topic = ''] = id.split(':');
  if (word === '--wait' && findCommand([topic, 'wait'])) {
    const started = maskedLine(['forgectl', ...typedName(id).split(' '), ...before, ...after, '--quiet']);
    return `Did you mean:\n  forgectl ${topic} wait "$(${started})"`;
  }
  const [value = '', rest] = word.includes('=') ? [word.slice(unknown.length + 1), after] : [after[0], after.slice(1)];
  const takers = Object.entries({ ...baseFlags, ...flags }).filter(([, { options }]) => options?.includes(value));
  if (near.length > 0 || takers.length !== 1) return undefined;
  return didYouMeanLine(id, [...before, `--${takers[0]?.[0]}`, value, ...rest]);
}

/** oclif passes all remaining words, or only the excess ones. */
function unexpectedArguments(words: readonly string[], command: ParsedCommand, argv: readonly string[]): UsageError {
  const { id, args } = command;
  const at = argv.indexOf('--json') + 1;
  // `gh` takes fields after --json.
  const [word] = words;
  if (at > 0 && words.length === 1 && word !== undefined && word === argv[at])
    return jsonTakesNoFields(word, id, argv.toSpliced(at, 0, '--fields'));
  const placed = Object.keys(args).length;
  const left = shownWords(words, argv)
    .map((word) => `“${word}”`)
    .join(', ');
  if (placed > 0)
    return new UsageError(`Unexpected ${words.length > 1 ? 'arguments' : 'argument'} ${left}.`, usageAdvice(command));
  const near = commandsAccepting(shownWords(words, argv)[0] ?? '', command);
  return new UsageError(
    `Unexpected ${words.length > 1 ? 'arguments' : 'argument'} ${left}: “forgectl ${typedName(id)}” takes none.`,
    near.length ? `Did you mean ${near.map((line) => `“${line}”`).join(' or ')}?` : 'See --help.',
  );
}

/** Flags about a secret, which is not in the next word. */
const hasNoSecretValue = /^--(?:(?:with-)?token|secret-(?:stdin|prompt))$/;

/** Returns words without secrets. One after a flag that reads a secret may be it. */
const shownWords = (words: readonly string[], argv: readonly string[]): readonly string[] =>
  maskedWords(words).words.map((word, at) =>
    hasNoSecretValue.test(argv[argv.indexOf(words[at] ?? '') - 1] ?? '') ? secretMask : word,
  );

/** Lists nested in the records of a topic. */
const listsBelow: Readonly<Record<string, string>> = { orgs: 'repos:list' };

/** Command lines that do accept a word: with a flag of this command, or as an argument of a related one. */
function commandsAccepting(word: string, command: ParsedCommand): string[] {
  const { id } = command;
  const [topic = ''] = id.split(':');
  if (topic === 'auth') return [`forgectl ${typedName(id)} --profile ${word}`];
  if (typedFlags(command).includes('--org')) return [`forgectl ${typedName(id)} --org ${word}`];
  return [`${topic}:get`, ownMember(listsBelow, topic) ?? '']
    .filter((other) => findCommand(other.split(':'))?.id === other)
    .map((other) => `forgectl ${typedName(other)} ${word}`);
}
