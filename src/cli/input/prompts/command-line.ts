/** Command lines as a person would type them. */

/** Returns a flag as typed. */
export function flagWords(flag: string, typed: string | boolean): string[] {
  if (typeof typed === 'boolean') return [typed ? `--${flag}` : `--no-${flag}`];
  return typed.startsWith('-') ? [`--${flag}=${typed}`] : [`--${flag}`, typed];
}

/** A command line for a POSIX shell, with arguments and flags added to the words that were given. */
export function completedCommandLine(
  command: readonly string[],
  given: readonly string[],
  { args, flags }: { readonly args: readonly string[]; readonly flags: readonly string[] },
): string {
  const ended = given.includes('--');
  // Words that start with a hyphen, and words after --, would have another meaning elsewhere.
  if (ended || args.some((arg) => arg.startsWith('-')))
    return shellLine([...command, ...flags, ...given, ...(ended || args.length === 0 ? [] : ['--']), ...args]);
  return shellLine([...command, ...given, ...args, ...flags]);
}

/** Words for a POSIX shell. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
