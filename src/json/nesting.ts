/** The nesting limit of input: beyond it, recursive code overflows the stack. */
export const deepest = 1000;

/** How deep YAML may be nested, whose parser recurses. */
export const deepestYaml = 250;

/** The problem with deeper input, in words that follow its name. */
export const tooDeep = (levels = deepest): string => `is nested more than ${levels} levels deep`;

/** Whether JSON text is nested too deep. It need not be valid JSON, and nothing recurses. */
export function isJsonTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') {
      if (++depth > deepest) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}
