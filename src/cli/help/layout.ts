/** Help as lines of text: sections, paragraphs and lists in two columns. */
import { wrapped } from '../word-wrap.ts';

/** A part of a page, with a heading. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** A label and its text. */
export interface Item {
  readonly label: string;
  readonly text: string;
}

/** Labels wider than this have their text below them. */
const widestLabel = 26;

/** Texts go below their labels if less room than this is left beside them. */
const narrowestText = 20;

const indent = '  ';

/** Returns the maximum line length of a section on a page of this width, in columns. */
export const within = (width: number): number => width - indent.length;

/** Returns a page: its title, then its sections, with bold headings if color is on. */
export function page(title: readonly string[], sections: readonly Section[], color: boolean): string {
  const bold = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const parts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => [bold(heading), ...lines.map((line) => (line ? indent + line : line))].join('\n'));
  return `${[title.join('\n'), ...parts].join('\n\n')}\n`;
}

/** Returns paragraphs separated by empty lines. */
export const paragraphs = (texts: readonly string[], width: number): string[] =>
  texts.flatMap((text, index) => [...(index ? [''] : []), ...wrapped(text, width)]);

/**
 * Returns labels on the left and texts on the right; each text goes below its label if most labels are too wide.
 *
 * @param widest the minimum label width, so that several lists line up
 */
export function list(items: readonly Item[], width: number, widest = 0): string[] {
  const fitting = items.map(({ label }) => label.length).filter((length) => length <= widestLabel);
  const beside = Math.max(widest, ...fitting) + 2;
  const stacked = fitting.length * 2 < items.length || width - beside < narrowestText;
  const column = stacked ? 4 : beside;
  const gap = ' '.repeat(column);
  return items.flatMap(({ label, text }) => {
    const [first = '', ...more] = wrapped(text, width - column);
    if (stacked || label.length + 2 > column)
      return [label, ...[first, ...more].filter(Boolean).map((line) => gap + line)];
    return [`${label.padEnd(column)}${first}`.trimEnd(), ...more.map((line) => gap + line)];
  });
}

/** Breaks a method and a path after a slash if necessary. */
export function routeLines(route: string, width: number): string[] {
  const lines: string[] = [];
  for (const segment of route.split(/(?<=\/)/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + segment.length <= width) lines[lines.length - 1] = last + segment;
    else lines.push(last === undefined ? segment : `  ${segment}`);
  }
  return lines;
}
