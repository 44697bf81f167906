/** Patterns of names in rulesets: those of Ruby’s `File.fnmatch` with FNM_PATHNAME. */

/** Features of patterns that the platform does not document, or documents differently from Ruby. */
interface Reading {
  /** Wildcards match a dot at the start of a name or after a slash (FNM_DOTMATCH). */
  readonly dots: boolean;
  /** A backslash escapes, and `[^…]` negates, as in Ruby. According to the platform, they do not. */
  readonly quotes: boolean;
}

/** FNM_PATHNAME and FNM_DOTMATCH. */
const ruby: Reading = { dots: true, quotes: true };

type Token =
  | { readonly type: 'folders' | 'folder' | 'stars' | 'any' }
  | { readonly type: 'character'; readonly character: string }
  | { readonly type: 'set'; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] };

/**
 * Returns whether a name matches a pattern; undefined if that depends on undocumented features: whether wildcards match a
 * leading dot, and whether `\` escapes and `[^…]` negates.
 */
export function matchesName(pattern: string, name: string): boolean | undefined {
  const answers = [true, false].flatMap((dots) =>
    [true, false].map((quotes) => matches(pattern, name, { dots, quotes })),
  );
  return answers.every((answer) => answer === answers[0]) ? answers[0] : undefined;
}

/** Returns whether a pattern can match names that begin with a text and continue after it, according to Ruby. */
export function matchesBelow(pattern: string, beginning: string): boolean {
  const tokens = tokensOf(pattern, ruby);
  return [...placesAfter(beginning, tokens, ruby)].some((place) => place < tokens.length && !isNever(tokens[place]));
}

/** Returns whether a name matches a pattern in one interpretation. */
export function matches(pattern: string, name: string, reading: Reading): boolean {
  const tokens = tokensOf(pattern, reading);
  return placesAfter(name, tokens, reading).has(tokens.length);
}

/** Returns the positions in a pattern that a text can lead to. */
function placesAfter(text: string, tokens: readonly Token[], { dots }: Reading): ReadonlySet<number> {
  let places = new Set([0]);
  let startsSegment = true;
  for (const character of text) {
    const isHidden = startsSegment && character === '.' && !dots;
    const next = new Set<number>();
    for (const place of reachable(places, tokens, !isHidden)) {
      const token = tokens[place];
      const to = token && (isHidden && token.type !== 'character' ? undefined : after(token, place, character));
      if (to !== undefined) next.add(to);
    }
    places = next;
    startsSegment = character === '/';
  }
  return reachable(places, tokens, true);
}

/** Adds the positions after wildcards that match nothing. */
function reachable(places: ReadonlySet<number>, tokens: readonly Token[], skipsStars: boolean): ReadonlySet<number> {
  const all = new Set(places);
  // Iterating over a set includes elements added meanwhile.
  for (const place of all) {
    const type = tokens[place]?.type;
    if (type === 'folders') all.add(place + 2);
    else if (type === 'stars' && skipsStars) all.add(place + 1);
  }
  return all;
}

/** Returns the position after a character; undefined if the token does not match it. */
function after(token: Token, place: number, character: string): number | undefined {
  const isSlash = character === '/';
  switch (token.type) {
    case 'folders':
      return isSlash ? place : place + 1;
    case 'folder':
      return isSlash ? place - 1 : place;
    case 'stars':
      return isSlash ? undefined : place;
    case 'any':
      return isSlash ? undefined : place + 1;
    case 'character':
      return token.character === character ? place + 1 : undefined;
    case 'set':
      return !isSlash && isIn(token, character.codePointAt(0) as number) ? place + 1 : undefined;
  }
}

/** A set that is not closed, or is empty. */
const isNever = (token: Token | undefined): boolean =>
  token?.type === 'set' && !token.negated && token.ranges.length === 0;

const isIn = ({ negated, ranges }: Extract<Token, { type: 'set' }>, code: number): boolean =>
  // The ends of a range match even if they are reversed.
  ranges.some(([from, to]) => code === from || code === to || (from <= code && code <= to)) !== negated;

function tokensOf(pattern: string, { quotes }: Reading): readonly Token[] {
  const characters = [...pattern];
  const tokens: Token[] = [];
  let at = 0;
  let startsSegment = true;
  /** Reads a character, or the one that a backslash escapes: nothing if the backslash ends the pattern. */
  const take = (): string | undefined => {
    if (quotes && characters[at] === '\\') at += 1;
    at += 1;
    return characters[at - 1];
  };
  /** Reads a set, which ends at the first `]`. One that is not closed matches nothing. */
  const takeSet = (): Token => {
    const negated = characters[at] === '!' || (quotes && characters[at] === '^');
    if (negated) at += 1;
    const ranges: (readonly [number, number])[] = [];
    while (characters[at] !== ']') {
      const from = take();
      const isRange = characters[at] === '-' && characters[at + 1] !== ']';
      if (isRange) at += 1;
      const to = isRange ? take() : from;
      if (from === undefined || to === undefined) return { type: 'set', negated: false, ranges: [] };
      ranges.push([from.codePointAt(0) as number, to.codePointAt(0) as number]);
    }
    at += 1;
    return { type: 'set', negated, ranges };
  };
  while (at < characters.length) {
    if (startsSegment && characters.slice(at, at + 3).join('') === '**/') {
      tokens.push({ type: 'folders' }, { type: 'folder' });
      at += 3;
      continue;
    }
    const first = characters[at];
    const character = take();
    startsSegment = character === '/';
    if (first === '*') {
      while (characters[at] === '*') at += 1;
      tokens.push({ type: 'stars' });
    } else if (first === '?') tokens.push({ type: 'any' });
    else if (first === '[') tokens.push(takeSet());
    else if (character !== undefined) tokens.push({ type: 'character', character });
  }
  return tokens;
}
