/** Aliases: what they stand for on a command line, and which ones are valid. */
import { ownMember } from '../../json/exact-json.ts';
import { UsageError } from '../errors.ts';
import { requestsHelp } from '../input/flag-words.ts';
import { hasSecret, secretsOfWords } from '../input/masked-words.ts';
import { aliasWords, fixedWords, shownLine, withArguments } from './alias-line.ts';
import { extensionNamed, isExtraName } from './extensions.ts';
import { findCommand, isOwnWord } from './load-command.ts';

/** Command lines without the program's name, by alias. */
type Aliases = Readonly<Record<string, string>>;

/**
 * Returns the command line that an alias at its start stands for; undefined if there is none. With a request for help,
 * that is for its command. Throws UsageError.
 */
export function expandedAlias(
  [name = '', ...given]: readonly string[],
  aliases: Aliases,
): readonly string[] | undefined {
  const line = ownMember(aliases, name);
  if (line === undefined) return undefined;
  return requestsHelp(given, {}) ? [...fixedWords(aliasWords(line)), '--help'] : withArguments(name, line, given);
}

/** Returns an alias's line without the program's name. Throws UsageError for a name or a line that cannot be an alias. */
export function checkedAlias(name: string, typed: string, env: NodeJS.ProcessEnv): string {
  const refuse = (why: string): never => {
    throw new UsageError(`Alias “${name}” ${why}`);
  };
  if (!isExtraName(name))
    refuse('is not valid: names have up to 64 lowercase letters, digits and hyphens, and begin with a letter.');
  if (isOwnWord(name)) refuse(`would hide “forgectl ${name}”.`);
  const extension = extensionNamed(name, env);
  if (extension) refuse(`would hide the extension ${extension.program.path}.`);
  const line = typed.trim().replace(/^forgectl\s+/, '');
  if (/[\n\r]/.test(line)) refuse('must be a single line.');
  const parsed = wordsOf(name, line);
  if (literals(parsed).some(hasSecret) || secretsOfWords(literals(parsed)).length > 0)
    throw new UsageError(
      `Alias “${name}” contains a secret, and aliases are stored as typed. Nothing was stored.`,
      'Leave the value out of the alias, for example with $1 in its place.',
    );
  const words = fixedWords(parsed);
  if (!findCommand(words)) refuse(`must begin with a command, not “${line.split(/\s+/, 2).join(' ')}”.`);
  return line;
}

/** Returns the words without the arguments in them. */
const literals = (words: ReturnType<typeof aliasWords>): readonly string[] =>
  words.map((word) => (word === 'all' ? '' : word.filter((part) => typeof part === 'string').join('')));

function wordsOf(name: string, line: string): ReturnType<typeof aliasWords> {
  try {
    return aliasWords(line);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`Alias “${name}”: ${error.message}`, error.advice) : error;
  }
}

/** Returns why an alias cannot be added: it exists with another line. */
export function whyTaken(name: string, line: string, aliases: Aliases): string | undefined {
  const earlier = ownMember(aliases, name);
  return earlier === undefined || earlier === line ? undefined : `Alias “${name}” exists: ${shownLine(earlier)}`;
}
