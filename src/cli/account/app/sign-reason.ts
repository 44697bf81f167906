/** What a sign command reports when it fails, without the secrets in it. */
import { Redactor } from '../../../client/redact.ts';
import { isSecretName, secretMask } from '../../../json/secrets.ts';
import type { SignEnv } from './sign-env.ts';

const longestReason = 200;

/** As long as a line of base64 or hexadecimal may be; a shorter one is too little of a key. */
const shortestEncoded = 32;

/** Text without spaces, perhaps with one more line, which is shorter. The first group is the letter of an escaped line break. */
const encoded = new RegExp(String.raw`((?<=\\)[nrt])?[\w+/%-]{${shortestEncoded},}=*(?:\s+[\w+/]+=*\s*$)?`, 'gi');

/** What is between words, such as line breaks, also escaped, and the quotes and commas of a list; other escapes are not. */
const betweenWords = /(?:\\[nrt]|[^\w+/%=&#;-])+/;

/** Bytes in decimal, or in hexadecimal one by one or in pairs, as in dumps, also over several lines; an IPv6 address has eight pairs. */
const dumped = /\b(?:(?:0x)?[\da-f]{1,4}[\s:,-]+){12,}(?:0x)?[\da-f]{1,4}\b/gi;

/** Numbers that may be bytes, whatever separates them, such as in `(byte)48, (byte)130` and `0x30;0x82`. */
const byteLike = /(?<![a-z\d])(?:(?:0x|u\+)[\da-f]{1,4}|\d{1,3}(?:u8)?|[\da-f]{2}h?)(?![a-z\d])/gi;

/** A line of text, such as with addresses and times, has fewer. */
const mostByteLike = 16;

/** Bytes that no text has, except for colors, but a key in DER. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const binary = /[\x01-\x08\x0E-\x1A\x1C-\x1F]/;

/** The same bytes and those beyond ASCII, escaped as in programming languages, JSON, URLs and HTML. */
const escapedBinary =
  /(?:\\x|\\u00|%|&#x0*)(?:[89a-f][\da-f]|1[\da-f]|0(?![9ad])[\da-f]|7f)|\\(?:[23][0-7]{2}|0[0-3][0-7])|&#(?:1[3-9]\d|2\d\d);/gi;

/** Text in another alphabet may contain some of them. */
const mostEscaped = 12;

/** Returns the last line of what a program reported, without keys and the secrets that it was passed. */
export function reasonIn(stderr: string, { passed }: SignEnv): string {
  const redactor = new Redactor();
  for (const [name, value = ''] of Object.entries(passed)) if (isSecretName(name)) redactor.add(value);
  // Text in UTF-16 has a NUL after each letter.
  const report = stderr.replaceAll('\0', '');
  const text = redactor
    .message(report)
    .replaceAll(dumped, secretMask)
    .replaceAll(encoded, (part, letter = '') => (mayBeKey(part.slice(letter.length)) ? letter + secretMask : part));
  const hasBytes = binary.test(report) || (report.match(escapedBinary)?.length ?? 0) > mostEscaped;
  if (hasBytes) return '';
  const line = (text.trim().split('\n').at(-1)?.trim().replace(/\.$/, '') ?? '').slice(0, longestReason);
  if (isWrappedKey(text) || (line.match(byteLike)?.length ?? 0) > mostByteLike)
    return ' (its report is not shown, because it may contain a key)';
  return line && `: ${line}`;
}

/**
 * Whether consecutive words of the same length, perhaps with a shorter one at the end, may be a key together: lines of base64
 * or hexadecimal may be too short to be recognized one by one.
 */
function isWrappedKey(report: string): boolean {
  const words = report.split(betweenWords).filter(Boolean);
  let from = 0;
  for (let at = 1; at <= words.length; at++) {
    const [first = '', word = ''] = [words[from], words[at]];
    if (word.length === first.length && isEncoded.test(word) && isEncoded.test(first)) continue;
    const end = word.length < first.length && isEncoded.test(word) ? at + 1 : at;
    const joined = words.slice(from, end).join('');
    if (at - from > 1 && joined.length >= shortestEncoded && mayBeKey(joined.replaceAll('/', '+'))) return true;
    from = at;
  }
  return false;
}

const isEncoded = /^[\w+/-]+=*$/;

/**
 * Whether a part may be from a key in DER, PEM or a JWK: hexadecimal, or what has digits, capital and small letters between
 * two slashes. Names, UUIDs, and paths such as `keyRings/R1/cryptoKeyVersions/2` have not all of them, as a rule.
 */
const mayBeKey = (part: string): boolean =>
  /^[+-]?[\da-f]+(?!\S)/i.test(part) ||
  part.split(/[/\s]/).some((name) => [/\d/, /[A-Z]/, /[a-z]/].every((kind) => kind.test(name)));
