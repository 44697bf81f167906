/** What a cell looks like beside its text: colours and links, where the terminal has them. */

import { linked, pageOf } from '../links.ts';
import type { Terminal } from '../terminal.ts';
import type { ShownColumn } from './columns.ts';
import { colored, coloredByUse } from './tones.ts';

/** Dresses a cell's text, which has its final length by then. */
export type Dress = (text: string, record: unknown) => string;

const bare: Dress = (text) => text;

/** How the cells of a column are dressed; not at all where the terminal has neither colours nor links. */
export function dressOf(
  column: ShownColumn,
  { color, links, plain }: Pick<Terminal, 'color' | 'links' | 'plain'>,
): Dress {
  const { as, link, value } = column;
  const paint: Dress =
    color && as === 'state'
      ? colored
      : color && as === 'meter'
        ? (text, record) => coloredByUse(text, Number(value(record)))
        : bare;
  if (!link || !links || plain) return paint;
  return (text, record) => {
    const url = pageOf(record);
    return url === undefined ? paint(text, record) : linked(paint(text, record), url);
  };
}
