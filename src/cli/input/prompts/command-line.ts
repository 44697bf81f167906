/** Command lines as users type them. */

export function flagWords(flag: string, typed: string | boolean): string[] {
  if (typeof typed === 'boolean') return [typed ? `--${flag}` : `--no-${flag}`];
  return typed.startsWith('-') ? [`--${flag}=${typed}`] : [`--${flag}`, typed];
}

/** Returns a command line for a POSIX shell: the given words, with arguments and flags added. */
export function completedCommandLine(
  command: readonly string[],
  given: readonly string[],
  { args, flags }: { readonly args: readonly string[]; readonly flags: readonly string[] },
): string {
  const ended = given.includes('--');
  // Words that start with a hyphen or follow -- would have another meaning elsewhere.
  if (ended || args.some((arg) => arg.startsWith('-')))
    return shellLine([...command, ...flags, ...given, ...(ended || args.length === 0 ? [] : ['--']), ...args]);
  return shellLine([...command, ...given, ...args, ...flags]);
}

/** Quotes words for a POSIX shell. */
export const shellLine = (words: readonly string[]): string => words.map(quoted).join(' ');

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
