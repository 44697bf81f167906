/**
 * Text from elsewhere, made harmless for a terminal.
 *
 * One scheme for all: a character that can act on the terminal, reorder text or hide in it is shown as JSON writes it
 * (ESC becomes the six characters `\u001b`), so that nothing is lost and nothing is obeyed. In one-line text, tabs and
 * line breaks of every kind become a space.
 */

/** What may stand on either side of a zero-width joiner or non-joiner: emoji, marks, and letters of joining scripts. */
const joinable = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{M}[\p{L}--[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]]]`;

/**
 * Controls (C0, DEL, C1), lone surrogates, line separators, bidirectional controls, and whatever else has no glyph;
 * but not tab and newline, variation selectors, joiners where they join, and the tags of a regional flag.
 */
const hazard = new RegExp(
  [
    String.raw`[[\p{Cc}--[\t\n]]\p{Cs}\p{Zl}\p{Zp}\uFFF9-\uFFFB]`,
    String.raw`[\p{Default_Ignorable_Code_Point}--[\p{Variation_Selector}\u200C\u200D\u{E0020}-\u{E007F}]]`,
    String.raw`(?<!${joinable})[\u200C\u200D]`,
    String.raw`[\u200C\u200D](?!${joinable})`,
    String.raw`(?<!\u{1F3F4}[\u{E0020}-\u{E007E}]{0,6})[\u{E0020}-\u{E007F}]`,
  ].join('|'),
  'gv',
);

const beyondAscii = /[^\x20-\x7E]/;
const lineBreaks = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
const otherLineBreaks = /[\v\f\r\u0085\u2028\u2029]/g;

/** Whether `text` holds nothing but printable ASCII: most text does, and needs no further care. */
const isPrintableAscii = (text: string): boolean => !beyondAscii.test(text);

/** Whether `text` holds a character that `escapeHazards` would change. */
export const isHazardous = (text: string): boolean => !isPrintableAscii(text) && text.search(hazard) !== -1;

/** `text` on one line, for tables, TSV, messages, prompts and progress. */
export function safeText(text: string): string {
  return isPrintableAscii(text) ? text : escapeHazards(text.replace(lineBreaks, ' '));
}

/** `text` with its newlines and tabs, for human text of several lines. */
export function safeLines(text: string): string {
  return isPrintableAscii(text) ? text : escapeHazards(text.replaceAll('\r\n', '\n').replace(otherLineBreaks, ' '));
}

/** `text` with its hazards, other than tab and newline, written as `\uXXXX`: inside JSON strings the same data. */
export function escapeHazards(text: string): string {
  return isPrintableAscii(text) ? text : text.replace(hazard, escaped);
}

function escaped(character: string): string {
  let units = '';
  for (let index = 0; index < character.length; index++)
    units += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  return units;
}
