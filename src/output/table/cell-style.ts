/** Styles of cells: colors and links, where the terminal supports them. */

import { hyperlink, pageOf } from '../links.ts';
import type { Terminal } from '../terminal.ts';
import { colored, coloredByUse } from './colors.ts';
import type { ShownColumn } from './columns.ts';

/** Returns a cell's text with colors and links; the text is already padded or truncated. */
export type CellStyle = (text: string, record: unknown) => string;

const unstyled: CellStyle = (text) => text;

/** Returns the style of a column's cells; none if the terminal supports neither colors nor links. */
export function cellStyle(
  column: ShownColumn,
  { color, links, plain }: Pick<Terminal, 'color' | 'links' | 'plain'>,
): CellStyle {
  const { as, link, value } = column;
  const paint: CellStyle =
    color && as === 'state'
      ? colored
      : color && as === 'meter'
        ? (text, record) => coloredByUse(text, Number(value(record)))
        : unstyled;
  if (!link || !links || plain) return paint;
  return (text, record) => {
    const url = pageOf(record);
    return url === undefined ? paint(text, record) : hyperlink(paint(text, record), url);
  };
}
