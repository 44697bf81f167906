/** Returns the program and arguments of a sign command from its JSON array; undefined if it is none. */
export function signWordsIn(json: string): readonly [string, ...string[]] | undefined {
  let words: unknown;
  try {
    words = JSON.parse(json);
  } catch {
    return undefined;
  }
  if (!Array.isArray(words) || !words[0] || !words.every((word) => typeof word === 'string')) return undefined;
  return words as [string, ...string[]];
}

/** What a sign command must be, worded to follow its source. */
export const signWordsProblem = 'must be a JSON array of the program and its arguments, such as ["sign-jwt"]';
