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

/** In HTML, the semicolon after a number may be missing. */
const escapes = new RegExp(
  [
    String.raw`\\(?:u([\da-f]{4})|([bfnrt"\\/]))`,
    '%([\\da-f]{2})',
    `&(?:#0*(\\d{1,7});?|#x0*([\\da-f]{1,6});?|(${Object.keys(inHtml).join('|')});)`,
  ].join('|'),
  'gi',
);

const inJson: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text without escapes. */
export interface Unescaped {
  readonly text: string;
  /** Returns the offset of a character in the text with escapes. */
  origin(offset: number): number;
}

/** Returns a text with its escapes resolved; undefined if it has none. Bytes of URLs are resolved to Latin-1. */
export function withoutEscapes(text: string): Unescaped | undefined {
  // Most responses have none, and looking for single characters takes a tenth of the time.
  if (![...'\\%&'].some((mark) => text.includes(mark))) return undefined;
  const parts: string[] = [];
  /** The offsets after each escape, without and with escapes. */
  const without: number[] = [];
  const within: number[] = [];
  let length = 0;
  let from = 0;
  for (const match of text.matchAll(escapes)) {
    const character = characterOf(match);
    parts.push(text.slice(from, match.index), character);
    length += match.index - from + character.length;
    from = match.index + match[0].length;
    without.push(length);
    within.push(from);
  }
  if (from === 0) return undefined;
  parts.push(text.slice(from));
  const origin = (offset: number) => {
    const last = countUpTo(without, offset) - 1;
    return offset + (last === -1 ? 0 : (within[last] as number) - (without[last] as number));
  };
  return { text: parts.join(''), origin };
}

function characterOf([, json, short, url, decimal, hexadecimal, html]: RegExpExecArray): string {
  if (short !== undefined) return inJson[short.toLowerCase()] ?? short;
  if (html !== undefined) return inHtml[html.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(json ?? url ?? hexadecimal ?? '', 16) : Number(decimal);
  // Characters of secrets have no larger code.
  return String.fromCharCode(code);
}

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
