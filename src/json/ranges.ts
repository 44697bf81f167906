/** Parts of a text that are masked. */

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns a text with a mask in place of each range. Ranges that overlap share one. */
export function withMasks(text: string, ranges: Iterable<Range>, mask: string): string {
  let shown = '';
  let end = 0;
  for (const range of [...ranges].sort((one, other) => one.start - other.start)) {
    if (range.start >= end) shown += text.slice(end, range.start) + mask;
    end = Math.max(end, range.end);
  }
  return shown + text.slice(end);
}
