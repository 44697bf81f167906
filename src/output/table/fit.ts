/** Selects the columns of a table that fit the width, and their widths. */

export interface Wanted {
  /** Width of the longest cell. */
  readonly natural: number;
  /** Minimum useful width. */
  readonly least: number;
  /** 1 is never dropped, 3 first; the last one first among equals. */
  readonly priority: 1 | 2 | 3;
}

export interface Fitted {
  readonly index: number;
  readonly width: number;
}

/**
 * Returns the remaining columns in order. Drops columns until the minimum widths fit; the rest of the width is shared.
 * Returns undefined if the required columns do not fit side by side.
 */
export function fittingColumns(columns: readonly Wanted[], available: number, gap: number): Fitted[] | undefined {
  const kept = new Set(columns.keys());
  const room = () => available - gap * (kept.size - 1) - [...kept].reduce((total, index) => total + leastOf(index), 0);
  const leastOf = (index: number) => (columns[index] as Wanted).least;
  for (const index of droppable(columns)) {
    if (room() >= 0) break;
    if (kept.size > 1) kept.delete(index);
  }
  if (room() < 0 && kept.size > 1) return undefined;
  const indexes = [...kept];
  const shares = equalShares(
    indexes.map((index) => (columns[index] as Wanted).natural - leastOf(index)),
    Math.max(room(), 0),
  );
  return indexes.map((index, place) => ({ index, width: leastOf(index) + (shares[place] as number) }));
}

/** Returns the columns that may be dropped, in that order. */
function droppable(columns: readonly Wanted[]): number[] {
  const indexes = [...columns.keys()].filter((index) => columns[index]?.priority !== 1).reverse();
  return indexes.sort((one, other) => (columns[other] as Wanted).priority - (columns[one] as Wanted).priority);
}

/** Distributes the available width: small demands in full, the others in equal parts. */
function equalShares(wanted: readonly number[], available: number): readonly number[] {
  const shares = [...wanted];
  let left = available;
  const ascending = [...wanted.entries()].sort(([, one], [, other]) => one - other);
  for (const [place, [index, wish]] of ascending.entries()) {
    const share = Math.min(wish, Math.floor(left / (ascending.length - place)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
