/** Which columns of a table fit a width, and how wide each of them is. */

export interface Wanted {
  /** What its longest cell takes. */
  readonly natural: number;
  /** What it takes at least to say something. */
  readonly least: number;
  /** 1 stays, 3 leaves first; of equals the last one leaves first. */
  readonly priority: 1 | 2 | 3;
}

export interface Fitted {
  readonly index: number;
  readonly width: number;
}

/**
 * The columns that stay, in their order. Columns leave until the least of each fits; then those that want more share what
 * is left. Undefined where not even the columns that must stay fit beside each other.
 */
export function fittingColumns(columns: readonly Wanted[], available: number, gap: number): Fitted[] | undefined {
  const kept = new Set(columns.keys());
  const room = () => available - gap * (kept.size - 1) - [...kept].reduce((total, index) => total + leastOf(index), 0);
  const leastOf = (index: number) => (columns[index] as Wanted).least;
  for (const index of leaving(columns)) {
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

/** The columns that may leave, in the order in which they do. */
function leaving(columns: readonly Wanted[]): number[] {
  const indexes = [...columns.keys()].filter((index) => columns[index]?.priority !== 1).reverse();
  return indexes.sort((one, other) => (columns[other] as Wanted).priority - (columns[one] as Wanted).priority);
}

/** Those that want little get it; the others get equal parts of the rest. */
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
