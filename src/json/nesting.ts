/** The nesting limit of input and responses: beyond it, recursive code overflows the stack. */
export const maxJsonDepth = 1000;

/** The nesting limit of YAML, whose parser recurses. */
export const deepestYaml = 250;

/** The problem with deeper input, in words that follow its name. */
export const tooDeep = (levels = maxJsonDepth): string => `is nested more than ${levels} levels deep`;

/** Whether JSON text is nested too deep. It need not be valid JSON, and nothing recurses. */
export function isJsonTooDeep(text: string): boolean {
  if (!hasManyBrackets(text)) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1);
    else if (code === openBracket || code === openBrace) {
      if (++depth > maxJsonDepth) return true;
    } else if (code === closeBracket || code === closeBrace) depth--;
  }
  return false;
}

/** Returns the offset of the closing quote, or the end of the text. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); at < text.length && code !== quote; code = text.charCodeAt(at))
    at += code === backslash ? 2 : 1;
  return at;
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Whether the text has so many brackets that it may be nested too deep. Most pages of records have fewer. */
function hasManyBrackets(text: string): boolean {
  let count = 0;
  for (const bracket of '[{')
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1))
      if (++count > maxJsonDepth) return true;
  return false;
}
