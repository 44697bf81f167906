/** How many columns text takes on the screen. */
import { isPrintableAscii } from './safe-text.ts';

export type Width = (text: string) => number;

/** A measure for the given texts. The library, 30 ms to load, is only asked where one goes beyond plain ASCII. */
export async function widthOf(texts: readonly string[]): Promise<Width> {
  if (texts.every(isPrintableAscii)) return (text) => text.length;
  const { default: stringWidth } = await import('string-width');
  return (text) => (isPrintableAscii(text) ? text.length : stringWidth(text));
}
