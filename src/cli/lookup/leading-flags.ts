/** Flags before the command: `forgectl --profile prod orgs list`. */
import { ownMember } from '../../json/exact-json.ts';
import type { KnownFlags } from '../input/flag-words.ts';
import { commonFlags } from '../input/flags.ts';
import { findCommand } from './load-command.ts';

/**
 * Returns the words with the flags that all commands share after the command. Words without a command, or with other
 * flags before it, are returned unchanged.
 */
export function withCommandFirst(words: readonly string[]): readonly string[] {
  const flags = leadingFlags(words, commonFlags);
  const rest = words.slice(flags);
  const found = flags > 0 ? findCommand(rest) : undefined;
  if (!found) return flags > 0 && isHelp(rest) ? rest : words;
  const name = rest.length - found.rest.length;
  return [...rest.slice(0, name), ...words.slice(0, flags), ...found.rest];
}

/** True for a topic or a help request, which flags do not affect. */
const isHelp = ([first]: readonly string[]) =>
  first !== undefined && (!first.startsWith('-') || /^(-h|--help)$/.test(first));

/** Returns how many words at the beginning are known flags and their values. */
export function leadingFlags(words: readonly string[], known: KnownFlags): number {
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) {
    const [, long, letter, joined] = /^(?:--([a-z0-9-]+)|-([a-zA-Z]))(.*)$/s.exec(word) ?? [];
    const flag = long === undefined ? flagOf(letter, known) : ownMember(known, long);
    if (!flag || (long !== undefined && !/^(=|$)/.test(joined ?? ''))) break;
    at += flag.type === 'option' && joined === '' ? 2 : 1;
  }
  return Math.min(at, words.length);
}

const flagOf = (letter: string | undefined, known: KnownFlags) =>
  letter === undefined ? undefined : Object.values(known).find(({ char }) => char === letter);
