/** Finds errors in JSON. The parser's own messages repeat parts of the text, which may be secret, and not all have a position. */

/** Both count from 1. */
export interface JsonPosition {
  readonly line: number;
  readonly column: number;
}

/** Returns where the text stops being JSON; undefined for JSON. Takes time in proportion to the text. */
export function jsonErrorAt(text: string): JsonPosition | undefined {
  const offset = errorOffset(text);
  if (offset === undefined) return undefined;
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < offset; next = text.indexOf('\n', start)) {
    line += 1;
    start = next + 1;
  }
  return { line, column: offset - start + 1 };
}

/** Returns the number of the line that is wrong; undefined for JSON. */
export const jsonErrorLine = (text: string): number | undefined => jsonErrorAt(text)?.line;

const blanks = /[ \t\r\n]*/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escaped = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** Returns the end of what the pattern matches at an offset; -1 without a match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end';

function errorOffset(text: string): number | undefined {
  /** The closing brackets of what is open. */
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = endOf(blanks, text, 0); at < text.length; at = endOf(blanks, text, at)) {
    const character = text[at];
    if (character === open.at(-1) && expected.includes(' or ')) {
      open.pop();
      expected = 'comma or end';
      at += 1;
    } else if (expected === 'comma or end') {
      if (character !== ',' || open.length === 0) return at;
      expected = open.at(-1) === '}' ? 'name' : 'value';
      at += 1;
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (character === '"') {
      const end = stringEnd(text, at);
      if (!end.valid) return end.offset;
      at = end.offset;
      expected = expected.startsWith('name') ? 'colon' : 'comma or end';
    } else if (expected.startsWith('name')) return at;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      expected = character === '{' ? 'name or }' : 'value or ]';
      at += 1;
    } else {
      const end = endOf(scalar, text, at);
      if (end === -1) return at;
      at = end;
      expected = 'comma or end';
    }
  }
  return expected === 'comma or end' && open.length === 0 ? undefined : text.length;
}

/** Returns the offset after a string, or of its error. */
function stringEnd(text: string, start: number): { readonly valid: boolean; readonly offset: number } {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return { valid: true, offset: at + 1 };
    if (code < space) return { valid: false, offset: at };
    if (code === backslash) {
      const end = endOf(escaped, text, at);
      if (end === -1) return { valid: false, offset: at };
      at = end;
    } else at += 1;
  }
  return { valid: false, offset: at };
}

const [quote, backslash, space] = [0x22, 0x5c, 0x20];
