/** Compares two lists of lines. */
import { diffArrays } from 'diff';

/** In lines: where more differ, the time grows with their square, so that all lines are shown as removed and added. */
const mostEdits = 1000;

export interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Returns the lines that a list lost and gained, with those that it kept between them. */
export function lineDiff(from: readonly string[], to: readonly string[]): readonly DiffLine[] {
  const parts = diffArrays([...from], [...to], { maxEditLength: mostEdits }) ?? [
    { removed: true, added: false, value: from },
    { removed: false, added: true, value: to },
  ];
  return parts.flatMap(({ removed, added, value }) =>
    value.map((text): DiffLine => ({ sign: removed ? '-' : added ? '+' : ' ', text })),
  );
}
