/** The keys that move the focus from row to row. */

/** Rows that Page Up and Page Down move. */
const pageRows = 10;

/** Returns the position that a key leads to, which may be before the first row or after the last; undefined for other keys. */
export function rowFor(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  active: number,
  last: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + pageRows,
    PageUp: active - pageRows,
    Home: 0,
    End: last,
  };
  return targets[key];
}
