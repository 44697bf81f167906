/** Names of organizations, repositories and rulesets as parts of file names. */

/** In bytes, of file systems and of names that become part of a path. */
const longestName = 255;

/**
 * Returns whether an organization or a repository may have a name: letters, digits, `-`, `_` and `.`, at most 255 bytes. So a
 * name never leads out of a directory, and two differ at most in case.
 */
export const isPossibleName = (name: string): boolean =>
  /^[\w.-]+$/.test(name) && name.length <= longestName && name !== '.' && name !== '..';

/** Returns whether a name is that of a device on Windows, where no file can have it. */
export const isReservedName = (name: string): boolean => /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(name);

/** Returns whether an organization or an enterprise with this name can have a folder. */
export const isFolderName = (name: string): boolean =>
  isPossibleName(name) && !/^\.|\.$/.test(name) && !isReservedName(beforeDot(name));

const beforeDot = (name: string): string => name.split('.', 1)[0] ?? '';

/** Leaves room for a number and an extension. */
const longestStem = 200;

/**
 * Returns the name of a repository as part of a file name. Policies skip files that begin with a dot, and on Windows `nul.js`
 * is a device, too.
 */
export function fileNameOf(name: string): string {
  const stem = name.slice(0, longestStem);
  return /^_*\./.test(stem) || isReservedName(beforeDot(stem.replace(/^_+/, ''))) ? `_${stem}` : stem;
}

/** Returns a ruleset's name, which is any text, as part of a file name. */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longestStem)
    .replaceAll(/^-|-$/g, '');
  return slug === '' || isReservedName(slug) ? `ruleset${slug && `-${slug}`}` : slug;
}

/** Returns the names with a number after each that differs from an earlier one at most in case. */
export function distinctFileNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) free = `${name}-${number}`;
    taken.add(free.toLowerCase());
    return free;
  });
}
