/**
 * Makes untrusted text safe for a terminal.
 *
 * Characters that control the terminal, reorder text or are invisible are written as in JSON (ESC becomes the six
 * characters `\u001b`), so nothing is lost and nothing takes effect. In one-line text, tabs and all kinds of line
 * breaks become a space.
 */

/** Characters allowed around a zero-width joiner or non-joiner: emoji, marks, and letters of joining scripts. */
const joinable = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}[\p{L}--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]]]`;

let hazard: RegExp | undefined;

/**
 * Matches controls (C0, DEL, C1), lone surrogates, line separators, bidirectional controls, and everything else without a
 * glyph; except tab and newline, variation selectors, joiners between joining characters, and the tags of a regional
 * flag. Built when the first text needs it, because V8 takes a millisecond for its sets.
 */
const hazards = (): RegExp =>
  (hazard ??= new RegExp(
    [
      String.raw`[[\p{Cc}--[\t\n]]\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]`,
      String.raw`[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\u200C\u200D\u{E0020}-\u{E007F}]]`,
      String.raw`(?<!${joinable})[\u200C\u200D]`,
      String.raw`[\u200C\u200D](?!${joinable})`,
      String.raw`(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6})[\u{E0020}-\u{E007F}]`,
    ].join('|'),
    'gv',
  ));

const beyondAscii = /[^\x20-\x7E]/;
const lineBreaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
const otherLineBreaks = /[\v\f\r\u0085\u2028\u2029]/g;

/** Whether `text` contains only printable ASCII, as most text does. */
const isPrintableAscii = (text: string): boolean => !beyondAscii.test(text);

/** Whether `escapeHazards` would change `text`. */
export const isHazardous = (text: string): boolean => !isPrintableAscii(text) && text.search(hazards()) !== -1;

/** Returns `text` on one line, for tables, TSV, messages, prompts and progress. */
export function safeText(text: string): string {
  return isPrintableAscii(text) ? text : escapeHazards(text.replace(lineBreaks, ' '));
}

/** Returns `text` with its newlines and tabs. */
export function safeLines(text: string): string {
  return isPrintableAscii(text) ? text : escapeHazards(text.replaceAll('\r\n', '\n').replace(otherLineBreaks, ' '));
}

/**
 * Returns `text` with hazardous characters, except tab and newline, written as `\uXXXX`, which is the same data inside
 * JSON strings.
 */
export function escapeHazards(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(hazards(), escaped);
}

function escaped(character: string): string {
  let units = '';
  for (let index = 0; index < character.length; index++)
    units += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return units;
}
