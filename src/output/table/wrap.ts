import { charactersOf, isOneColumnEach, type Width } from './width.ts';

/** Wraps a one-line `text` to lines of at most `room` columns: at spaces, or within words that are longer. */
export function wrapped(text: string, room: number, width: Width): string[] {
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
    const pieces = split(word, room, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return line === '' ? lines : [...lines, line];
}

/** Splits a word into pieces that fit: after slashes, underscores and full stops, or between characters. */
function split(word: string, room: number, width: Width): string[] {
  if (width(word) <= room) return [word];
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
