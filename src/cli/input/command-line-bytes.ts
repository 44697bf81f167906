/** Values on the command line that are not UTF-8: Node replaces their bytes with U+FFFD. */
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { invalid, type Problem } from '../../platform/validate.ts';
import { notUtf8 } from './sources.ts';

/** A parsed word, as oclif lists them. */
type Token = { readonly input: string } & (
  | { readonly type: 'flag'; readonly flag: string }
  | { readonly type: 'arg'; readonly arg: string }
);

const replacement = '\uFFFD';

/** Returns a problem for each flag and argument whose value was not UTF-8. */
export function undecodableProblems(tokens: readonly Token[]): Problem[] {
  const suspect = tokens.filter(({ input }) => input.includes(replacement));
  if (suspect.length === 0 || commandLineIsUtf8()) return [];
  const names = suspect.map((token) => (token.type === 'flag' ? `--${token.flag}` : token.arg.toUpperCase()));
  return [...new Set(names)].map((name) => invalid(name, notUtf8));
}

/** Returns whether U+FFFD was typed as such. Only Linux keeps the bytes; elsewhere no one can tell. */
function commandLineIsUtf8(): boolean {
  try {
    return isUtf8(readFileSync('/proc/self/cmdline'));
  } catch {
    return false;
  }
}
