/** The aliases in the settings file, which all profiles share. */
import { isObject, type JsonObject } from '../../json/exact-json.ts';
import { UsageError } from '../errors.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { settingsFile, settingsPath } from './settings.ts';

/** Command lines without the program's name, by alias. */
export type Aliases = Readonly<Record<string, string>>;

/** Reads the aliases; none if there is no settings file. Throws UsageError for an invalid file. */
export const readAliases = (directory: string): Aliases => aliasesIn(readJsonFile(directory, settingsFile), directory);

/** Updates the aliases and returns the new ones, in the order of their names. Throws UsageError. */
export async function changeAliases(directory: string, change: (aliases: Aliases) => Aliases): Promise<Aliases> {
  const file = await changeJsonFile(directory, settingsFile, (before) => {
    const aliases = Object.entries(change(aliasesIn(before, directory))).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return { ...before, aliases: Object.fromEntries(aliases) };
  });
  return aliasesIn(file, directory);
}

function aliasesIn({ aliases = {} }: JsonObject, directory: string): Aliases {
  const isValid = isObject(aliases) && Object.values(aliases).every((line) => typeof line === 'string');
  if (!isValid)
    throw new UsageError(
      `${settingsPath(directory)}: aliases must be an object of command lines.`,
      'Fix the file, or move it away to start over.',
    );
  return aliases as Aliases;
}
