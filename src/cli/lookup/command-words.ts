/** Finds commands and their requests by words, in oclif's list, without loading commands. */
import { masked } from '../../client/redact.ts';
import type { Route } from '../../platform/endpoint.ts';
import { maskedWords } from '../input/masked-words.ts';
import { fullConfig } from './config.ts';
import { unknownCommand } from './unknown-command.ts';

export interface NamedCommand {
  /** With spaces, as people type it. */
  readonly name: string;
  readonly requests: readonly Route[];
  /** Whether it works with several kinds of targets, each with requests of its own. */
  readonly takesEither: boolean;
}

/** Every command, by name. */
export async function allCommands(): Promise<readonly NamedCommand[]> {
  const { commands } = await fullConfig();
  return commands
    .filter(({ hidden }) => !hidden)
    .map((command) => ({
      name: command.id.replaceAll(':', ' '),
      requests: (command as { requests?: readonly Route[] }).requests ?? [],
      takesEither: 'target' in command.args || 'org' in command.flags || 'enterprise' in command.flags,
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/**
 * Returns the commands in a list of words: each quoted argument or, without quotes, all words together are one or
 * several; a topic means all its commands. Throws UsageError for unknown words.
 */
export async function commandsNamed(typed: readonly string[]): Promise<readonly NamedCommand[]> {
  const all = await allCommands();
  // A colon, which separates words, may be part of a secret.
  const { words: given } = maskedWords(typed, masked);
  const texts = given.some((text) => /\s/.test(text.trim())) ? given : [given.join(' ')];
  return texts.flatMap((text) => {
    const words = text
      .toLowerCase()
      .split(/[\s:]+/)
      .filter(Boolean);
    return commandsIn(words[0] === 'forgectl' ? words.slice(1) : words, all);
  });
}

function commandsIn(words: readonly string[], all: readonly NamedCommand[]): readonly NamedCommand[] {
  const named: NamedCommand[] = [];
  for (let at = 0; at < words.length; ) {
    const found = longestNamed(words.slice(at), all);
    if (!found)
      throw unknownCommand(
        words,
        all.map(({ name }) => name),
      );
    named.push(...found.commands);
    at += found.length;
  }
  return named;
}

/** Returns the longest run of leading words that names a command or a topic. */
function longestNamed(words: readonly string[], all: readonly NamedCommand[]) {
  for (let length = words.length; length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    const command = all.filter((each) => each.name === name);
    const commands = command.length ? command : all.filter((each) => each.name.startsWith(`${name} `));
    if (commands.length) return { commands, length };
  }
  return undefined;
}
