/**
 * Regular expressions of rules, in RE2’s syntax. JavaScript’s own differ: they have no `\A` and `\z`, and never finish
 * for some texts.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** Returns why RE2 refuses an expression; undefined if it does not. */
export function regexProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.getDescription();
    throw error;
  }
}

/** Returns a function that finds an expression anywhere in a text; `lines`: `^` and `$` are also those of lines. */
export function finderOf(pattern: string, lines = false): (text: string) => boolean {
  const expression = RE2JS.compile(pattern, lines ? RE2JS.MULTILINE : 0);
  return (text) => expression.matcher(text).find();
}

/** Returns whether `^` and `$` at lines, not only at the ends of the text, would change the meaning of an expression. */
export function dependsOnLines(pattern: string): boolean {
  const programOf = (flags: number) => RE2JS.compile(pattern, flags).re2Input.prog.toString();
  return programOf(0) !== programOf(RE2JS.MULTILINE);
}
