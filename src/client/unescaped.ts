/** Resolves the escapes of JSON, URLs and HTML, to find secrets behind them. */

// cspell:ignore excl percnt midast commat lsqb lbrack rsqb rbrack lowbar underbar diacriticalgrave lcub verbar verticalline rcub
/** Characters of ASCII that HTML has names for. */
const inHtml: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", tab: '\t', newline: '\n', excl: '!', num: '#', dollar: '$' },
  ...{ percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+', comma: ',', period: '.', sol: '/' },
  ...{ colon: ':', semi: ';', equals: '=', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']' },
  ...{ rbrack: ']', hat: '^', lowbar: '_', underbar: '_', grave: '`', diacriticalgrave: '`', lcub: '{', lbrace: '{' },
  ...{ verbar: '|', vert: '|', verticalline: '|', rcub: '}', rbrace: '}' },
};

/** Escapes with a number or a name. In HTML, the semicolon after a number may be missing. */
const numbered = new RegExp(
  [
    String.raw`\\u([\da-f]{4})`,
    '%([\\da-f]{2})',
    `&(?:#0*(\\d{1,7});?|#x0*([\\da-f]{1,6});?|(${Object.keys(inHtml).join('|')});)`,
  ].join('|'),
  'iy',
);

/** The code unit that a character after a backslash stands for, by its own; 0 for none. */
const inJson = new Uint16Array(128);
for (const [escaped, character] of Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }))
  for (const each of [escaped, escaped.toUpperCase()]) inJson[each.charCodeAt(0)] = character.charCodeAt(0);
for (const character of '"\\/') inJson[character.charCodeAt(0)] = character.charCodeAt(0);

const [backslash, percent, ampersand] = [0x5c, 0x25, 0x26];

/** A text without escapes. */
export interface Unescaped {
  readonly text: string;
  /** Returns the offset of a character in the text with escapes. */
  origin(offset: number): number;
}

/** Whether a text, which may be given as bytes, has the first character of an escape. */
export const mayHaveEscapes = (text: string | Buffer): boolean =>
  text.includes('\\') || text.includes('%') || text.includes('&');

/** Returns a text with its escapes resolved; undefined if it has none. Bytes of URLs are resolved to Latin-1. */
export function withoutEscapes(text: string): Unescaped | undefined {
  // Most responses have none, and looking for single characters takes a tenth of the time.
  if (!mayHaveEscapes(text)) return undefined;
  // Code units instead of parts of the text: megabytes may consist of escapes.
  const units = new Uint16Array(text.length);
  /** The offsets after each escape, without and with escapes. */
  const without: number[] = [];
  const within: number[] = [];
  let length = 0;
  let widest = 0;
  for (let at = 0; at < text.length; ) {
    let unit = text.charCodeAt(at);
    let end = at + 1;
    if (unit === backslash || unit === percent || unit === ampersand) {
      const short = unit === backslash ? (inJson[text.charCodeAt(end)] ?? 0) : 0;
      numbered.lastIndex = at;
      const match = short === 0 ? numbered.exec(text) : null;
      if (match || short !== 0) {
        unit = match ? unitOf(match) : short;
        end = match ? numbered.lastIndex : at + 2;
        without.push(length + 1);
        within.push(end);
      }
    }
    units[length++] = unit;
    widest |= unit;
    at = end;
  }
  if (within.length === 0) return undefined;
  const origin = (offset: number) => {
    const last = countUpTo(without, offset) - 1;
    return offset + (last === -1 ? 0 : (within[last] as number) - (without[last] as number));
  };
  return { text: textOf(units.subarray(0, length), widest <= 0xff), origin };
}

function unitOf([, json, url, decimal, hexadecimal, html]: RegExpExecArray): number {
  if (html !== undefined) return inHtml[html.toLowerCase()]?.charCodeAt(0) ?? 0;
  // Characters of secrets have no larger code.
  return (decimal === undefined ? Number.parseInt(json ?? url ?? hexadecimal ?? '', 16) : Number(decimal)) & 0xffff;
}

/** Searching text of one byte per character is faster. */
const textOf = (units: Uint16Array, isLatin1: boolean): string =>
  isLatin1
    ? Buffer.from(units).toString('latin1')
    : Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');

/** Returns how many of some ascending numbers are not above a limit. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
