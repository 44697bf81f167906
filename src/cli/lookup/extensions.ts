/** Extensions: programs on PATH that are commands, `forgectl-NAME` for `forgectl NAME`. */
import { type Program, programNamed, programsWith } from '../../disk/programs.ts';
import { UsageError } from '../errors.ts';
import { isOwnWord } from './load-command.ts';

const prefix = 'forgectl-';

/** An extension by the name that users type. */
export interface Extension {
  readonly name: string;
  readonly program: Program;
}

/** Returns whether a word can be the name of an alias or an extension. */
export const isExtraName = (word: string): boolean => /^[a-z][a-z0-9-]{0,63}$/.test(word);

/** Returns the extension that a word stands for; undefined for a word of forgectl itself, and if there is none. */
export function extensionNamed(word: string, env: NodeJS.ProcessEnv): Extension | undefined {
  if (!isExtraName(word) || isOwnWord(word)) return undefined;
  const program = programNamed(`${prefix}${word}`, pathIn(env));
  return program && { name: word, program };
}

/** Returns all extensions, by name, also those that a command of forgectl hides. */
export const allExtensions = (env: NodeJS.ProcessEnv): readonly Extension[] =>
  programsWith(prefix, pathIn(env))
    .map((program) => ({ name: program.name.slice(prefix.length), program }))
    .filter(({ name }) => isExtraName(name));

/** Returns the extensions that may be run, once they are allowed. */
export const usableExtensions = (env: NodeJS.ProcessEnv): readonly Extension[] =>
  allExtensions(env).filter(({ name, program }) => program.problem === undefined && !isOwnWord(name));

/** Returns the error for a name without an extension. */
export const unknownExtension = (name: string): UsageError =>
  isOwnWord(name)
    ? new UsageError(`“forgectl ${name}” is a command of forgectl, not an extension.`)
    : new UsageError(
        `Unknown extension “${name}”: PATH has no program ${prefix}${name}.`,
        'List the extensions with “forgectl extensions list”.',
      );

/** On Windows, the name of the variable is Path. */
const pathIn = (env: NodeJS.ProcessEnv): string | undefined => env.PATH ?? env.Path;
