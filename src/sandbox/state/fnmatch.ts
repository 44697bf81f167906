/** fnmatch patterns of rulesets. */

/** Whether a character matches a part of the pattern. */
type Matcher = (character: string) => boolean;

/** Wildcard for any number of elements: characters in a segment, or whole segments. */
const wildcard = Symbol('wildcard');

type Segment = readonly (Matcher | typeof wildcard)[];

/**
 * Returns whether a name matches an fnmatch pattern in path mode: `*` and `?` stop at a slash, a segment `**` before a
 * slash stands for any number of directories, `[…]` is one of several characters, and a backslash escapes the next
 * character. A pattern with a reversed range, such as `[z-a]`, matches nothing.
 */
export function fnmatch(pattern: string, name: string): boolean {
  const segments = segmentsOf(pattern);
  const parts = name.split('/').map((part) => [...part]);
  return matchesAll(segments, parts, (segment, part) =>
    matchesAll(segment, part, (matches, character) => matches(character)),
  );
}

/**
 * Returns whether elements match a pattern with wildcards. Each wildcard matches as few elements as possible, and only
 * the last one is extended, since extending an earlier one could not match more. So several wildcards cost no more than
 * one.
 */
function matchesAll<P, E>(
  pattern: readonly (P | typeof wildcard)[],
  elements: readonly E[],
  matches: (part: P, element: E) => boolean,
): boolean {
  let at = 0;
  let place = 0;
  let afterWildcard: number | undefined;
  let taken = 0;
  while (place < elements.length) {
    const part = pattern[at];
    if (part === wildcard) {
      at += 1;
      afterWildcard = at;
      taken = place;
    } else if (part !== undefined && matches(part, elements[place] as E)) {
      at += 1;
      place += 1;
    } else if (afterWildcard !== undefined) {
      taken += 1;
      at = afterWildcard;
      place = taken;
    } else return false;
  }
  return pattern.slice(at).every((part) => part === wildcard);
}

/** Splits a pattern at its slashes, in one pass. */
function segmentsOf(pattern: string): (Segment | typeof wildcard)[] {
  const texts = pattern.replace(/\\([\s\S])/g, (both, next) => (next === '/' ? '/' : both)).split('/');
  return texts.map((text, index) => (text === '**' && index < texts.length - 1 ? wildcard : segmentOf(text)));
}

function segmentOf(text: string): Segment {
  // Unclosed brackets are plain characters; the position of the last closing one avoids searching for each.
  const lastBracket = text.lastIndexOf(']');
  const token = /\*+|\?|\[|\\[\s\S]|[\s\S]/uy;
  const parts: Segment[number][] = [];
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [part] = match;
    const members = part === '[' && token.lastIndex < lastBracket ? bracketAt(text, match.index) : undefined;
    if (members !== undefined) token.lastIndex = match.index + members.length;
    parts.push(members === undefined ? partOf(part) : oneOf(members));
  }
  return parts;
}

function partOf(part: string): Segment[number] {
  if (part.startsWith('*')) return wildcard;
  if (part === '?') return () => true;
  const literal = part.replace(/^\\(?=[\s\S])/, '');
  return (character) => character === literal;
}

/**
 * Parses the bracket expression at a position, such as `[!a-z]`; a closing bracket right after the opening one is a
 * member.
 */
function bracketAt(text: string, start: number): string | undefined {
  const opening = /\[[!^]?\]?/y;
  opening.lastIndex = start;
  opening.exec(text);
  const end = text.indexOf(']', opening.lastIndex);
  return end < 0 ? undefined : text.slice(start, end + 1);
}

function oneOf(expression: string): Matcher {
  const negated = /^\[[!^]/.test(expression);
  const members = expression
    .slice(negated ? 2 : 1, -1)
    .replace(/\\([\s\S])|[\]^[]/gu, (text, escaped = text) => (/[\\\]^[-]/.test(escaped) ? `\\${escaped}` : escaped));
  try {
    const set = new RegExp(`^[${negated ? '^' : ''}${members}]$`, 'u');
    return (character) => set.test(character);
  } catch {
    return () => false;
  }
}
