/** Misspellings of names as regular expressions, for editors, which cannot call `misspelled`. */

/**
 * Returns a pattern of misspellings of names, but not of the names themselves, and of other correct ones. `misspelled`
 * reports all of them too, and also words with two mistakes far from each other.
 */
export const misspellings = (names: readonly string[], correct: readonly string[] = []): string =>
  `(?!(?:${[...names, ...correct].join('|')})$)(?:${names.map(misspellingsOf).join('|')})`;

function misspellingsOf(name: string): string {
  const parts = name.split('_');
  const letters = parts.map((part) => part.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`));
  // Without up to two underscores, as in camel case, and with any case and hyphens.
  const written = letters.join(parts.length <= 3 && name.length >= 8 ? '[-_]?' : '[-_]');
  // At most one mistake per three letters.
  const mistaken = name.length >= 8 ? withMistakes(name) : `(?=.{6})${withMistakes(name)}|(?=.{3})${withMistake(name)}`;
  return `${written}|${mistaken.replaceAll('_', '[-_]')}`;
}

/** Returns a pattern of a name with up to two adjacent mistakes, such as swapped letters. */
function withMistakes(name: string): string {
  if (name.length < 2) return '.{0,2}';
  const middle = name.length >> 1;
  const [start, end] = [name.slice(0, middle), name.slice(middle)];
  return `(?:${withMistakes(start)}${end}|${start.slice(0, -1)}.{0,2}${end[0]}?${end.slice(1)}|${start}${withMistakes(end)})`;
}

/** Returns a pattern of a name with one letter added, missing or replaced. */
function withMistake(name: string): string {
  const rest = name.slice(1);
  return name === '' ? '.?' : `(?:${name[0]}${withMistake(rest)}|.?${rest}|.${name})`;
}
