/** What there is to complete, read off oclif's list of commands, so that no command is loaded. */
import type { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import { formats } from '../../output/render.ts';
import { fileOnly, fileOrStdin, fileOrStdout, jsonOrFile, namedJson } from '../input/file-flags.ts';

/** A word that can be typed, and what it means, in one line. */
export interface Word {
  readonly word: string;
  readonly description: string;
}

/**
 * What a flag or an argument takes: one of some words, several of them with commas between, the name of a file, `@` and
 * the name of a file, the name of a profile, the words of a command, or text that nobody can know.
 */
export type Value = readonly string[] | WordList | 'file' | '@file' | 'profile' | 'command' | 'text';

interface WordList {
  readonly listOf: readonly string[];
}

export const isWordList = (value: Value): value is WordList => typeof value === 'object' && 'listOf' in value;

export interface CompletedFlag {
  /** As typed: `--output`, and `-o` where there is a short one. */
  readonly names: readonly [string, ...string[]];
  readonly description: string;
  /** Absent for a switch. */
  readonly value?: Value;
  readonly repeatable?: true;
}

export interface CompletedArgument {
  readonly name: string;
  readonly value: Value;
  /** True for the last one, where it can be given several times. */
  readonly multiple?: true;
}

export interface CompletedCommand {
  /** With spaces, as people type it. */
  readonly path: string;
  /** Its own, beside those that all commands have. */
  readonly flags: readonly CompletedFlag[];
  readonly arguments: readonly CompletedArgument[];
}

/** A run of words that is no command yet: the program itself, whose path is empty, or a topic. */
interface CompletedTopic {
  readonly path: string;
  readonly next: readonly Word[];
}

export interface CompletionModel {
  readonly version: string;
  readonly topics: readonly CompletedTopic[];
  readonly commands: readonly CompletedCommand[];
  /** Those that every command has; what every run looks for first is not among them. */
  readonly commonFlags: readonly CompletedFlag[];
}

/** Not a flag of any command: every run looks for it first. */
export const helpFlag: CompletedFlag = { names: ['--help', '-h'], description: 'Show help' };

/** What can be typed instead of a command. */
export const rootFlags: readonly CompletedFlag[] = [
  helpFlag,
  { names: ['--version', '-v'], description: 'Show the version' },
];

type Listed = Pick<Command.Cached, 'id' | 'hidden' | 'summary' | 'flags' | 'args'>;

export type ListedCommands = Pick<Config, 'version' | 'topics'> & { readonly commands: readonly Listed[] };

/** @param fieldsOf the fields of what a command prints, by its id */
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
      Object.values(command.flags).flatMap((flag) => completedFlags(flag, fieldsOf(command.id))),
    ]),
  );
  const commonFlags = inAll([...flagsOf.values()]);
  return {
    version,
    topics: topicsAbove(shown, described),
    commands: shown.map((command) => ({
      path: spaced(command.id),
      flags: (flagsOf.get(command) ?? []).filter((flag) => !commonFlags.some((common) => same(flag, common))),
      arguments: Object.values(command.args).map(completedArgument),
    })),
    commonFlags,
  };
}

/** What the second argument of a command takes, where its first one decides; any text where that is not here. */
const afterFirstWord: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  'config:set': { output: formats, 'ca-file': 'file' },
};

/** Such a command is completed as a topic, too, and the words of its first argument as commands below it. */
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

const inAll = ([first = [], ...others]: readonly (readonly CompletedFlag[])[]) =>
  first.filter((flag) => others.every((flags) => flags.some((other) => same(flag, other))));

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

/** One flag as it can be typed; two where it can also be switched off. */
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

/** What is known of a flag by its name: every command has both of these. */
function valueNamed(name: string, fields: readonly string[]): Value | undefined {
  if (name === 'fields' && fields.length > 0) return { listOf: fields };
  return name === 'profile' ? 'profile' : undefined;
}

/** What a flag takes by what help shows for its value; anything else is text. */
const shownValues: Readonly<Record<string, Value>> = {
  [fileOnly.helpValue]: 'file',
  [fileOrStdin.helpValue]: 'file',
  [fileOrStdout.helpValue]: 'file',
  [jsonOrFile.helpValue]: '@file',
  [namedJson.helpValue]: '@file',
};

const argumentValues: Readonly<Record<string, Value>> = {
  file: 'file',
  profile: 'profile',
  command: 'command',
  subject: 'command',
};

function completedArgument({ name, options, multiple }: Command.Arg.Cached): CompletedArgument {
  const value = options ?? argumentValues[name] ?? 'text';
  return { name: name.toUpperCase(), value, ...(multiple ? { multiple: true } : {}) };
}
