/** Text and command lines broken at words, for help, messages and prompts. */
import { isOneColumnEach } from '../output/table/width.ts';

/** Breaks a paragraph at words. Line breaks in `text` have no meaning. A word wider than `width` stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns an upper limit for other scripts: measuring them takes a library of 30 ms. */
const columnsOf = (text: string) => (isOneColumnEach(text) ? text.length : text.length * 2);

/**
 * Wraps the lines of a message that are wider than `width`, keeping their indentation; wrapped command lines stay valid
 * in a shell.
 */
export function wrappedMessage(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (columnsOf(line) <= width) return [line];
      const indent = /^ */.exec(line)?.[0] ?? '';
      const room = width - indent.length;
      const lines =
        indent && line.startsWith('forgectl ', indent.length) ? commandLines(line.trim(), room) : wrapped(line, room);
      return lines.map((each) => indent + each);
    })
    .join('\n');
}

/** A part of a command line that is never broken. */
interface Piece {
  readonly text: string;
  /** True if it continues the previous word. */
  readonly joined?: boolean;
}

/** Breaks a command line so that a shell still reads it as one: all lines can be copied together. */
export function commandLines(command: string, width: number): string[] {
  const lines: string[] = [];
  for (const { text, joined } of piecesOf(command, width - 8)) {
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

/** Splits at words, keeping quotes; keeps a flag with its value if there is room, and splits JSON at its values. */
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

/** Splits quoted JSON after commas outside strings, where a line break has no meaning. */
const jsonPieces = (word: string): Piece[] =>
  (word.match(/(?:"(?:\\.|[^"\\])*"|[^",])+,?/g) ?? []).map((text, index) => ({ text, joined: index > 0 }));
