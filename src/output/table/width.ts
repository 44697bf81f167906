/** How many columns text takes on the screen. */

export type Width = (text: string) => number;

/**
 * ASCII and Latin letters, Greek and Cyrillic ones, dashes, quotation marks and ellipses, and what bars are drawn with: none
 * of them joins another, and each takes one column.
 */
const otherWidths = /[^ -~\xA1-\xAC\xAE-\u02FF\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2580-\u259F]/;

/** Whether each UTF-16 unit of `text` is known to be a character of one column. Most text is such, and needs no further care. */
export const isOneColumnEach = (text: string): boolean => !otherWidths.test(text);

/** A measure for the given texts. The library, 30 ms to load and to start, is only asked where one needs it. */
export async function widthOf(texts: readonly string[]): Promise<Width> {
  if (texts.every(isOneColumnEach)) return (text) => text.length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (isOneColumnEach(text) ? text.length : stringWidth(text));
}

let segmenter: Intl.Segmenter | undefined;

/** The characters of `text` as a person counts them. */
export function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** The beginning of `text`, cut between characters as a person counts them, and what fills up the columns. */
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
