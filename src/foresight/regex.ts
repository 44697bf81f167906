/**
 * Regular expressions of rules, in RE2’s syntax. JavaScript’s own differ: they have no `\A` and `\z`, and never finish
 * for some texts.
 */
import { isDeepStrictEqual } from 'node:util';
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** In characters: longer expressions were made to exhaust time or memory. */
export const longestRegex = 1_000;

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

/** A valid expression. */
export interface Regex {
  /** The number of its instructions. A search takes time in proportion to them and to the length of the text. */
  readonly size: number;
  /** Returns whether it is found anywhere in a text. */
  readonly finds: (text: string) => boolean;
}

/** Compiles a valid expression; `lines`: `^` and `$` are also those of lines. */
export function compiled(pattern: string, lines = false): Regex {
  const expression = RE2JS.compile(pattern, lines ? RE2JS.MULTILINE : 0);
  return { size: expression.programSize(), finds: (text) => expression.matcher(text).find() };
}

/** Returns whether `^` and `$` at lines, not only at the ends of the text, would change the meaning of an expression. */
export function dependsOnLines(pattern: string): boolean {
  if (!/[$^]/.test(pattern)) return false;
  // Without the characters of classes, of which there may be thousands.
  const programOf = (flags: number) =>
    RE2JS.compile(pattern, flags).re2Input.prog.inst.map(({ op, arg, out }: Readonly<Record<string, number>>) => [
      op,
      arg,
      out,
    ]);
  return !isDeepStrictEqual(programOf(0), programOf(RE2JS.MULTILINE));
}
