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

/**
 * Returns what may be a file in a sign command: its words, what follows `=` or `:` in them, as in `file:app.pem`, and their
 * parts, as in `@app.pem`, `-i/keys/app.pem` or the words of a shell.
 */
export const filesInWords = (words: unknown): readonly string[] =>
  (Array.isArray(words) ? words : [])
    .filter((word) => typeof word === 'string')
    .flatMap((word) => [
      word,
      ...Array.from(word.matchAll(/[=:]/g), ({ index }) => word.slice(index + 1)),
      ...word.split(/[\s"'`=:@,;|&<>(){}[\]?#]+/).flatMap(partsOf),
    ]);

/** Returns a part of a word, and the paths in it: after an option, and after the host of a URL. */
const partsOf = (part: string): readonly string[] => [
  part,
  part.slice(Math.max(part.indexOf('/'), 0)),
  part.replace(/^\/\/[^/]+/, ''),
];
