/** Texts in double quotes, of any length. A pattern for all of one would overflow the stack of regular expressions. */

const unescaped = /[^"\\]+/y;

/** Returns where the match of a sticky pattern ends; `at` if there is none. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the text between the quote at `start` and the next unescaped one; undefined if there is none. */
export function quotedAt(text: string, start: number): string | undefined {
  for (let at = start + 1; at < text.length; at += 2) {
    at = endOf(unescaped, text, at);
    if (text[at] === '"') return text.slice(start + 1, at);
  }
  return undefined;
}
