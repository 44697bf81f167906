/** fnmatch patterns of rulesets. */

/** Whether a character matches a part of the pattern. */
type Matcher = (character: string) => boolean;

/** Wildcard for any number of elements: characters in a segment, or whole segments. */
const wildcard = Symbol('wildcard');

type Segment = readonly (Matcher | typeof wildcard)[];

/**
 * Returns whether a name matches a pattern as Ruby’s `File.fnmatch` does with FNM_PATHNAME and FNM_DOTMATCH: `*` and `?`
 * stop at a slash, a segment `**` before a slash stands for any number of directories, and `[…]` is one of several
 * characters. A backslash quotes the next character; the last one of a pattern stands for nothing.
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

/** Splits a pattern at the slashes outside of sets, in one pass. */
function segmentsOf(pattern: string): (Segment | typeof wildcard)[] {
  const segments: (Segment | typeof wildcard)[] = [];
  let segment: Segment[number][] = [];
  for (let at = 0; at < pattern.length; ) {
    if (segment.length === 0 && pattern.startsWith('**/', at)) {
      segments.push(wildcard);
      at += 3;
      continue;
    }
    const text = partAt(pattern, at);
    at += text.length;
    const literal = text.length > 1 && text.startsWith('\\') ? text.slice(1) : text;
    if (literal === '/') {
      segments.push(segment);
      segment = [];
    } else if (text.startsWith('*')) segment.push(wildcard);
    else if (text === '?') segment.push(() => true);
    else if (text === '[') {
      const { matches, end } = setAt(pattern, at);
      segment.push(matches);
      at = end;
    } else if (text !== '\\') segment.push((character) => character === literal);
  }
  return [...segments, segment];
}

/** Returns the stars, the quoted character or the character at a position. */
function partAt(pattern: string, at: number): string {
  const part = /\*+|\\[\s\S]|[\s\S]/uy;
  part.lastIndex = at;
  return part.exec(pattern)?.[0] ?? '';
}

/**
 * Parses the set after a bracket. The first `]` closes it, so that `[!]` is any character and `[]` none, and a slash is a
 * member. The ends of a range match even if they are reversed. A set that is not closed matches nothing.
 */
function setAt(pattern: string, start: number): { readonly matches: Matcher; readonly end: number } {
  const member = /\\([\s\S])|[^\\]/uy;
  const isNegated = /[!^]/.test(pattern.charAt(start));
  const ranges: (readonly [number, number])[] = [];
  member.lastIndex = start + Number(isNegated);
  const next = () => {
    const [text, quoted = text] = member.exec(pattern) ?? [];
    return quoted?.codePointAt(0);
  };
  while (pattern[member.lastIndex] !== ']') {
    const first = next();
    const at = member.lastIndex;
    const isRange = first !== undefined && pattern[at] === '-' && pattern[at + 1] !== ']';
    if (isRange) member.lastIndex += 1;
    const last = isRange ? next() : first;
    if (first === undefined || last === undefined) return { matches: () => false, end: pattern.length };
    ranges.push([first, last]);
  }
  const matches: Matcher = (character) => {
    const code = character.codePointAt(0) as number;
    return ranges.some(([from, to]) => code === from || code === to || (from < code && code < to)) !== isNegated;
  };
  return { matches, end: member.lastIndex + 1 };
}
