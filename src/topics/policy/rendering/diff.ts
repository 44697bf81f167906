/** Compares two lists of lines. */

/** In pairs of lines; longer lists are shown as removed and added. */
const mostPairs = 4_000_000;

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Returns the lines that a list lost and gained, with those that it kept between them, by longest common subsequence. */
export function lineDiff(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let end = 0;
  while (end < shorter - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  const kept = (lines: readonly string[]) => lines.map((text): DiffLine => ({ sign: ' ', text }));
  return [
    ...kept(from.slice(0, start)),
    ...between(from.slice(start, from.length - end), to.slice(start, to.length - end)),
    ...kept(from.slice(from.length - end)),
  ];
}

function between(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const lost = (text: string): DiffLine => ({ sign: '-', text });
  const gained = (text: string): DiffLine => ({ sign: '+', text });
  const width = to.length + 1;
  if (from.length * to.length === 0 || from.length * to.length > mostPairs)
    return [...from.map(lost), ...to.map(gained)];
  // The length of the longest common subsequence of what follows each pair of positions.
  const lengths = new Uint32Array((from.length + 1) * width);
  const after = (at: number, place: number) => lengths[at * width + place] ?? 0;
  for (let at = from.length - 1; at >= 0; at--)
    for (let place = to.length - 1; place >= 0; place--)
      lengths[at * width + place] =
        from[at] === to[place] ? after(at + 1, place + 1) + 1 : Math.max(after(at + 1, place), after(at, place + 1));
  const lines: DiffLine[] = [];
  let [at, place] = [0, 0];
  while (at < from.length || place < to.length) {
    const [old, new_] = [from[at], to[place]];
    if (old !== undefined && old === new_) {
      lines.push({ sign: ' ', text: old });
      at++;
      place++;
    } else if (old !== undefined && (new_ === undefined || after(at + 1, place) >= after(at, place + 1))) {
      lines.push(lost(old));
      at++;
    } else {
      lines.push(gained(new_ as string));
      place++;
    }
  }
  return lines;
}
