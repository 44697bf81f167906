/** Finds and loads the file of a command. */
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import type { Config } from '@oclif/core/config';
import type { KnownFlags } from '../input/flag-words.ts';

type CommandClass = (new (
  argv: string[],
  config: Config,
) => {
  /** Runs the command and reports its errors. */
  _run(): Promise<unknown>;
}) & {
  id: string;
  readonly flags: KnownFlags;
  readonly baseFlags: KnownFlags;
};

interface FoundCommand {
  /** With colons, like oclif: `orgs:get`. */
  readonly id: string;
  /** The words after the command's own. */
  readonly rest: string[];
}

/** Returns the file of a command; its path matches the words. */
const pathOf = (words: readonly string[]) => `../../commands/${words.join('/')}${extname(import.meta.url)}`;

/** Returns the command at the start of the words: the longest match. Only file names are read. */
export function findCommand(argv: readonly string[]): FoundCommand | undefined {
  const [first = ''] = argv;
  const typed = first.includes(':') ? first.split(':') : argv;
  const end = typed.findIndex((word) => !/^[a-z]+(-[a-z]+)*$/.test(word));
  for (let length = end === -1 ? typed.length : end; length > 0; length--) {
    const words = typed.slice(0, length);
    if (existsSync(new URL(pathOf(words), import.meta.url)))
      return { id: words.join(':'), rest: typed === argv ? argv.slice(length) : argv.slice(1) };
  }
  return undefined;
}

/** Returns whether a word is a command or a topic, whose commands are in a folder of that name. */
export const isOwnWord = (word: string): boolean =>
  existsSync(new URL(`../../commands/${word}`, import.meta.url)) ||
  existsSync(new URL(pathOf([word]), import.meta.url));

/** Loads one command. oclif's own loader would first look for sources, tsconfig and the package type. */
export async function loadCommand(id: string): Promise<CommandClass> {
  const path = pathOf(id.split(':'));
  const { default: exported } = (await import(path)) as { default: CommandClass | { default: CommandClass } };
  // The bundle is CommonJS: its exports are a single value.
  const command = 'default' in exported ? exported.default : exported;
  command.id = id;
  return command;
}
