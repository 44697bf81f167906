/** How many columns text takes on the screen. */
import { isPrintableAscii } from './safe-text.ts';

export type Width = (text: string) => number;

/** A measure for the given texts. The library, 30 ms to load, is only asked where one goes beyond plain ASCII. */
export async function widthOf(texts: readonly string[]): Promise<Width> {
  if (texts.every(isPrintableAscii)) return (text) => text.length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (isPrintableAscii(text) ? text.length : stringWidth(text));
}

let segmenter: Intl.Segmenter | undefined;

/** The characters of `text` as a person counts them. */
export function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}
