/** fnmatch patterns for names without slashes, ignoring case. */

type Matcher = (character: string) => boolean;

const anyNumber = Symbol('any number of characters');

/** Public platform, Repositories: the characters of names, in lower case, and their maximum length. */
const nameCharacters = [...'abcdefghijklmnopqrstuvwxyz0123456789-_.'];
const longestName = 100;

/** Returns whether a pattern matches any valid repository name. */
export function canMatchName(pattern: string): boolean {
  const single = partsOf(pattern).filter((part) => part !== anyNumber);
  return single.length <= longestName && single.every((part) => nameCharacters.some(part));
}

/**
 * Returns a function that matches names. Its time is at most the product of both lengths, however many wildcards there
 * are.
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern);
  return (name) => matches(parts, [...name.toLowerCase()]);
}

function partsOf(pattern: string): (Matcher | typeof anyNumber)[] {
  const text = pattern.toLowerCase();
  // Beyond the last bracket no set ends: a search for its end from each “[” would take quadratic time.
  const end = text.lastIndexOf(']') + 1;
  const parts = [
    ...text.slice(0, end).matchAll(/\*+|\[[!^]?\]?[^\]]*\]|\\?./gsu),
    ...text.slice(end).matchAll(/\*+|\\?./gsu),
  ];
  return parts.map(([part]) => partOf(part));
}

function partOf(part: string): Matcher | typeof anyNumber {
  if (part.startsWith('*')) return anyNumber;
  if (part === '?') return () => true;
  if (part.length > 2 && part.startsWith('[')) return setOf(part.slice(1, -1));
  const literal = part.startsWith('\\') ? part.slice(1) : part;
  return (character) => character === literal;
}

function setOf(expression: string): Matcher {
  const isNegated = /^[!^]/.test(expression);
  const ranges = [...expression.slice(Number(isNegated)).matchAll(/(.)-(.)|(.)/gsu)];
  const contains = (character: string) =>
    ranges.some(([, first, last, single]) =>
      single === undefined ? character >= String(first) && character <= String(last) : character === single,
    );
  // Names consist of few characters, and a set may be as long as its file.
  const known = new Map<string, boolean>();
  return (character) => {
    const found = known.get(character) ?? contains(character);
    known.set(character, found);
    return isNegated !== found;
  };
}

/** The last wildcard is extended first; extending an earlier one could not match more. */
function matches(parts: readonly (Matcher | typeof anyNumber)[], characters: readonly string[]): boolean {
  let at = 0;
  let place = 0;
  let retry: { at: number; place: number } | undefined;
  while (place < characters.length) {
    const part = parts[at];
    if (part === anyNumber) {
      at += 1;
      retry = { at, place };
    } else if (part?.(characters[place] as string)) {
      at += 1;
      place += 1;
    } else if (retry) {
      retry.place += 1;
      ({ at, place } = retry);
    } else return false;
  }
  return parts.slice(at).every((part) => part === anyNumber);
}
