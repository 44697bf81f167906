/** Measures the width of text in terminal columns. */

export type Width = (text: string) => number;

/**
 * Characters other than ASCII, Latin, Greek and Cyrillic letters, dashes, quotation marks, ellipses and the blocks of
 * bars, which take one column each and do not combine.
 */
const otherWidths = /[^ -~\xA1-\xAC\xAE-\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2190-\u21FF\u2580-\u259F]/;

/** Whether each UTF-16 unit of `text` is a character of one column, as in most text. */
export const isOneColumnEach = (text: string): boolean => !otherWidths.test(text);

/** Returns a function that measures these texts. string-width, which takes 30 ms to load, is used only if needed. */
export async function widthOf(texts: Iterable<string>): Promise<Width> {
  for (const text of texts) {
    if (isOneColumnEach(text)) continue;
    const { default: stringWidth } = await import('string-width');
    return (each) => (isOneColumnEach(each) ? each.length : stringWidth(each));
  }
  return (text) => text.length;
}

let segmenter: Intl.Segmenter | undefined;

/** Splits `text` into user-perceived characters. */
export function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Truncates `text` between characters; returns it with the padding for the remaining columns. */
export function cut(text: string, columns: number, width: Width): readonly [text: string, fill: string] {
  if (isOneColumnEach(text)) return [`${text.slice(0, columns - 1)}…`, ''];
  let kept = '';
  let left = columns - 1;
  for (const character of charactersOf(text)) {
    const taken = width(character);
    if (taken > left) break;
    kept += character;
    left -= taken;
  }
  return [`${kept}…`, ' '.repeat(left)];
}
