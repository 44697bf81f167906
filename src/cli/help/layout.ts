/** Help as lines of text: sections, paragraphs, lists in two columns, and commands that can be copied. */

/** A part of a page, with a heading. */
export interface Section {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** What a list names, and what it says of it. */
export interface Item {
  readonly label: string;
  readonly text: string;
}

/** A label that is wider has its text below it. */
const widestLabel = 30;

const indent = '  ';

/** How long the lines of a section may be on a page of this width, in columns. */
export const within = (width: number): number => width - indent.length;

/** A page: its first line, then its sections, headings in bold where there is colour. */
export function page(title: string, sections: readonly Section[], color: boolean): string {
  const bold = (text: string) => (color ? `\u001b[1m${text}\u001b[22m` : text);
  const parts = sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ heading, lines }) => [bold(heading), ...lines.map((line) => (line ? indent + line : line))].join('\n'));
  return `${[title, ...parts].join('\n\n')}\n`;
}

/** A paragraph, broken at words. Where its source breaks lines means nothing. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Paragraphs, with an empty line between them. */
export const paragraphs = (texts: readonly string[], width: number): string[] =>
  texts.flatMap((text, index) => [...(index ? [''] : []), ...wrapped(text, width)]);

/**
 * Labels on the left and texts on the right; each text below its label where most labels are too wide for that.
 *
 * @param widest how wide labels are at least taken to be, so that several lists stand in line
 */
export function list(items: readonly Item[], width: number, widest = 0): string[] {
  const fitting = items.map(({ label }) => label.length).filter((length) => length <= widestLabel);
  const stacked = fitting.length * 2 < items.length;
  const column = stacked ? 4 : Math.max(widest, ...fitting) + 2;
  const gap = ' '.repeat(column);
  return items.flatMap(({ label, text }) => {
    const [first = '', ...more] = wrapped(text, width - column);
    if (stacked || label.length + 2 > column)
      return [label, ...[first, ...more].filter(Boolean).map((line) => gap + line)];
    return [`${label.padEnd(column)}${first}`.trimEnd(), ...more.map((line) => gap + line)];
  });
}

/** A method and a path, broken after a slash where it must be. */
export function routeLines(route: string, width: number): string[] {
  const lines: string[] = [];
  for (const segment of route.split(/(?<=\/)/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + segment.length <= width) lines[lines.length - 1] = last + segment;
    else lines.push(last === undefined ? segment : `  ${segment}`);
  }
  return lines;
}

/** A piece of a command line that stays whole. */
interface Piece {
  readonly text: string;
  /** True where it goes on with the word before it. */
  readonly joined?: boolean;
}

/** A command line, broken where a shell takes it for the same: the whole of it can be copied. */
export function commandLines(command: string, width: number): string[] {
  const lines: string[] = [];
  for (const { text, joined } of piecesOf(`$ ${command}`, width - 8)) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(text);
    else if (last.length + text.length + 3 <= width) lines[lines.length - 1] = `${last}${joined ? '' : ' '}${text}`;
    else {
      lines[lines.length - 1] = joined ? last : `${last} \\`;
      lines.push(`    ${text}`);
    }
  }
  return lines;
}

/** Words as they are written, with their quotes; a flag with its value where there is room, and JSON value by value. */
function piecesOf(line: string, room: number): Piece[] {
  const pieces: Piece[] = [];
  for (const word of line.match(/(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\])+/g) ?? []) {
    const flag = pieces.at(-1)?.text ?? '';
    if (word.length > room && /^'[[{]/.test(word)) pieces.push(...jsonPieces(word));
    else if (/^-\S*$/.test(flag) && !word.startsWith('-') && flag.length + word.length < room)
      pieces[pieces.length - 1] = { text: `${flag} ${word}` };
    else pieces.push({ text: word });
  }
  return pieces;
}

/** Quoted JSON may be broken after a comma that is in no string: where it is JSON, a new line means nothing. */
const jsonPieces = (word: string): Piece[] =>
  (word.match(/(?:"(?:\\.|[^"\\])*"|[^",])+,?/g) ?? []).map((text, index) => ({ text, joined: index > 0 }));
