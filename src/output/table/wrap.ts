import { charactersOf, isOneColumnEach, type Width } from './width.ts';

/**
 * Wraps a one-line `text` to lines of at most `room` columns: at spaces, or within words that are longer, with a mark where a
 * word continues in the next line.
 */
export function wrapped(text: string, room: number, width: Width, mark = ''): string[] {
  if (width(text) <= room) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= room) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = width(word) <= room ? [word] : split(word, room - width(mark), width);
    line = pieces.pop() ?? '';
    for (const piece of pieces) lines.push(piece + mark);
  }
  return line === '' ? lines : [...lines, line];
}

/** Splits a longer word into pieces that fit: after slashes, underscores and full stops, or between characters. */
function split(word: string, room: number, width: Width): string[] {
  if (isOneColumnEach(word))
    return word.match(new RegExp(`.{1,${room}}$|.{0,${room - 1}}[/_.]|.{1,${room}}`, 'g')) ?? [];
  const pieces: string[] = [];
  let [piece, taken] = ['', 0];
  for (const character of charactersOf(word)) {
    const wanted = width(character);
    if (taken + wanted > room && piece !== '') {
      pieces.push(piece);
      [piece, taken] = ['', 0];
    }
    piece += character;
    taken += wanted;
  }
  return [...pieces, piece];
}
