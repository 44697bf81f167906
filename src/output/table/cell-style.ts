/** Styles of cells: colors and links, where the terminal supports them. */

import { asText } from '../../json/exact-json.ts';
import { hyperlink, pageOf } from '../links.ts';
import type { Terminal } from '../terminal.ts';
import { colored, coloredByUse } from './colors.ts';
import type { ShownColumn } from './columns.ts';

/** Returns a text with colors and a link; it is already padded or truncated. */
export type Style = (text: string) => string;

/** Returns the style of a record's cell, which does not refer to the record. */
export type CellStyle = (record: unknown) => Style;

export const unstyled: Style = (text) => text;

/** Returns the style of a column's cells; none if the terminal supports neither colors nor links. */
export function cellStyle(
  column: ShownColumn,
  { color, links, plain }: Pick<Terminal, 'color' | 'links' | 'plain'>,
): CellStyle {
  const { as, link, value } = column;
  const paint: CellStyle = (record) => {
    if (color && as === 'state') return colored;
    if (!color || as !== 'meter') return unstyled;
    const part = Number(asText(value(record)));
    return (text) => coloredByUse(text, part);
  };
  if (!link || !links || plain) return paint;
  return (record) => {
    const url = pageOf(record);
    const painted = paint(record);
    return url === undefined ? painted : (text) => hyperlink(painted(text), url);
  };
}
