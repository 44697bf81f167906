/** The words to complete, read from oclif's list, so that no command is loaded. */
import type { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { formats } from '../../output/render.ts';
import { fileOnly, fileOrStdin, fileOrStdout, jsonOrFile, keyAndValue } from '../input/file-flags.ts';

/** A word and its one-line description. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/**
 * The value of a flag or an argument: one of several words, a comma-separated list of them, a file, `@` and a file, a
 * profile, an alias, an extension, an organization, the words of a command, or any text.
 */
export type Value =
  | readonly string[]
  | WordList
  | 'file'
  | '@file'
  | 'profile'
  | 'alias'
  | 'extension'
  | 'organization'
  | 'command'
  | 'text';

interface WordList {
  readonly listOf: readonly string[];
}

const isWordList = (value: Value): value is WordList => typeof value === 'object' && 'listOf' in value;

/** How a shell completes values: one entry for each kind of words, and functions for those that the model lists. */
export interface ValueTable<T> {
  readonly kind: (kind: Extract<Value, string>) => T;
  readonly words: (words: readonly string[]) => T;
  /** For words separated by commas. */
  readonly list: (words: readonly string[]) => T;
}

/** Returns a function that converts a value to what a shell completes for it. */
export const rendered =
  <T>({ kind, words, list }: ValueTable<T>) =>
  (value: Value): T => {
    if (typeof value === 'string') return kind(value);
    return isWordList(value) ? list(value.listOf) : words(value);
  };

export interface CompletedFlag {
  /** As typed: `--output`, and `-o` if it has a short form. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  /** Absent for a switch. */
  readonly value?: Value;
  readonly repeatable?: true;
}

export interface CompletedArgument {
  readonly name: string;
  readonly value: Value;
  /** True for the last argument if it is repeatable. */
  readonly multiple?: true;
}

export interface CompletedCommand {
  /** With spaces, as people type it. */
  readonly path: string;
  /** Its own flags, without the common ones. */
  readonly flags: readonly CompletedFlag[];
  readonly arguments: readonly CompletedArgument[];
  /** True if a whole command line follows `--`. */
  readonly runsCommand?: true;
}

/** An incomplete command: the program itself, whose path is empty, or a topic. */
interface CompletedTopic {
  readonly path: string;
  readonly next: readonly Word[];
}

export interface CompletionModel {
  readonly version: string;
  readonly topics: readonly CompletedTopic[];
  readonly commands: readonly CompletedCommand[];
  /** The flags of every command, except --help, that take the same values in all. */
  readonly commonFlags: readonly CompletedFlag[];
  /** The flags that may come before the command: those of every command, whatever their values. */
  readonly leadingFlags: readonly CompletedFlag[];
}

/** Not a flag of any command: every run checks for it first. */
export const helpFlag: CompletedFlag = { names: ['--help', '-h'], description: 'Show help' };

/** The flags that can replace a command. */
export const rootFlags: readonly CompletedFlag[] = [
  helpFlag,
  { names: ['--version', '-v'], description: 'Show the version' },
];

/** The value after a flag, in place of an argument, or after `--`. */
export interface TakenValue {
  /** Of the command; absent for the flags of every command. */
  readonly path?: string;
  /** The flag, the argument's place from 0, or `--`. */
  readonly after: string | number;
  readonly value: Value;
  /** True for an argument that is repeatable. */
  readonly multiple?: boolean;
}

/** Returns the values of all flags and arguments, those of every command last. */
export function takenValues({ commands, commonFlags, leadingFlags }: CompletionModel): TakenValue[] {
  const ofFlags = (flags: readonly CompletedFlag[], path?: string) =>
    flags.flatMap(({ names, value }) =>
      value ? names.map((after) => ({ ...(path !== undefined && { path }), after, value })) : [],
    );
  return [
    ...ofFlags(leadingFlags, ''),
    ...commands.flatMap(({ path, flags, arguments: args, runsCommand }): TakenValue[] => [
      ...(runsCommand ? [{ path, after: '--', value: 'command' } as const] : []),
      ...ofFlags(flags, path),
      ...args.map(({ value, multiple = false }, after) => ({ path, after, value, multiple })),
    ]),
    ...ofFlags(commonFlags),
  ];
}

type Listed = Pick<Command.Cached, 'id' | 'hidden' | 'summary' | 'usage' | 'flags' | 'args'>;

export type ListedCommands = Pick<Config, 'version' | 'topics'> & { readonly commands: readonly Listed[] };

/** @param fieldsOf returns the output fields of a command, by its ID */
export function completionModel(
  { version, commands, topics }: ListedCommands,
  fieldsOf: (id: string) => readonly string[],
): CompletionModel {
  const shown = commands
    .filter(({ hidden }) => !hidden)
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(byFirstWord);
  const described = new Map([
    ...topics.map(({ name, description = '' }) => [name, description] as const),
    ...shown.map(({ id, summary = '' }) => [id, summary] as const),
  ]);
  const flagsOf = new Map(
    shown.map((command) => [
      command,
      Object.values(command.flags).flatMap((flag) => (flag.hidden ? [] : completedFlags(flag, fieldsOf(command.id)))),
    ]),
  );
  const commonFlags = inAll([...flagsOf.values()], same);
  const leadingFlags = inAll([...flagsOf.values()], sameName).map(
    (flag): CompletedFlag => (commonFlags.includes(flag) ? flag : { ...flag, value: 'text' }),
  );
  return {
    version,
    topics: topicsAbove(shown, described),
    commands: shown.map((command) => ({
      path: spaced(command.id),
      flags: (flagsOf.get(command) ?? []).filter((flag) => !commonFlags.some((common) => same(flag, common))),
      arguments: Object.values(command.args).map(completedArgument),
      ...(/ \[?-- COMMAND…\]?$/.test(String(command.usage)) ? { runsCommand: true } : {}),
    })),
    commonFlags,
    leadingFlags,
  };
}

/** The second argument of a command, if the first one determines it; otherwise any text. */
const afterFirstWord: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'config:set': { output: formats, 'ca-file': 'file' },
};

/** Such a command is also completed as a topic, with the words of its first argument as commands below it. */
function byFirstWord(command: Listed): Listed[] {
  const values = afterFirstWord[command.id];
  const [first, second] = Object.values(command.args);
  if (!values || !first?.options || !second) return [command];
  const below = first.options.map((word) => {
    const value = values[word];
    const arg =
      value === 'file' ? { name: 'file' } : { ...second, ...(Array.isArray(value) ? { options: value } : {}) };
    return { ...command, id: `${command.id}:${word}`, summary: '', args: { [arg.name]: arg } };
  });
  return [{ ...command, args: {} }, ...below];
}

const spaced = (id: string) => id.replaceAll(':', ' ');

const oneLine = (text = '') => text.replace(/\s+/g, ' ').trim();

const same = (one: CompletedFlag, other: CompletedFlag) => JSON.stringify(one) === JSON.stringify(other);

const sameName = ({ names: [one] }: CompletedFlag, { names: [other] }: CompletedFlag) => one === other;

const inAll = ([first = [], ...others]: readonly (readonly CompletedFlag[])[], isSame: typeof same) =>
  first.filter((flag) => others.every((flags) => flags.some((other) => isSame(flag, other))));

/** Every topic, with the words that may follow it. */
function topicsAbove(commands: readonly Listed[], described: ReadonlyMap<string, string>): CompletedTopic[] {
  const next = new Map<string, Map<string, string>>();
  for (const { id } of commands) {
    const words = id.split(':');
    words.forEach((word, index) => {
      const topic = words.slice(0, index).join(':');
      const below = next.get(topic) ?? new Map<string, string>();
      next.set(topic, below.set(word, oneLine(described.get(words.slice(0, index + 1).join(':')))));
    });
  }
  return [...next]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([topic, below]) => ({
      path: spaced(topic),
      next: [...below].map(([word, description]) => ({ word, description })),
    }));
}

/** Returns a flag as typed; two for a flag that can be negated. */
function completedFlags(flag: Command.Flag.Cached, fields: readonly string[]): CompletedFlag[] {
  const description = oneLine(flag.description);
  const names = [`--${flag.name}`, ...(flag.char ? [`-${flag.char}`] : [])] as const;
  if (flag.type === 'boolean') {
    const on = { names, description };
    return flag.allowNo ? [on, { names: [`--no-${flag.name}`], description: `Switch off: ${description}` }] : [on];
  }
  const value = flag.options ?? valueNamed(flag.name, fields) ?? shownValues[String(flag.helpValue)] ?? 'text';
  return [{ names, description, value, ...(flag.multiple ? { repeatable: true } : {}) }];
}

/** Flags known by name: every command has both. */
function valueNamed(name: string, fields: readonly string[]): Value | undefined {
  if (name === 'fields' && fields.length > 0) return { listOf: fields };
  return name === 'profile' ? 'profile' : undefined;
}

/** Returns the value of a flag from its placeholder in help; any text by default. */
const shownValues: Readonly<Record<string, Value>> = {
  [fileOnly.helpValue]: 'file',
  [fileOrStdin.helpValue]: 'file',
  [fileOrStdout.helpValue]: 'file',
  [jsonOrFile.helpValue]: '@file',
  [keyAndValue.helpValue]: '@file',
  ORG: 'organization',
};

const argumentValues: Readonly<Record<string, Value>> = {
  file: 'file',
  profile: 'profile',
  alias: 'alias',
  extension: 'extension',
  org: 'organization',
  command: 'command',
  subject: 'command',
};

function completedArgument({ name, options, multiple }: Command.Arg.Cached): CompletedArgument {
  const value = options ?? argumentValues[name] ?? 'text';
  return { name: name.toUpperCase(), value, ...(multiple ? { multiple: true } : {}) };
}
