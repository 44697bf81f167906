/** What a page contains for its script, which both sides share. */

/** How a word is colored: from what needs attention to what does not. */
export type Tone = 'bad' | 'warn' | 'info' | 'calm';

/** Where a narrow page shows a column: both lines have a left and a right end. */
export type NarrowPlace = 'main' | 'tag' | 'sub' | 'aside' | 'none';

export interface PackedColumn {
  readonly label: string;
  /** Times are ISO 8601, in UTC. Only the words of `word` have a tone. */
  readonly kind: 'text' | 'code' | 'time' | 'word';
  readonly narrow: NarrowPlace;
  /** The width, in parts of the table. */
  readonly width: number;
  /** Whether rows can be filtered by its texts. */
  readonly filters: boolean;
  /** The order of its words, and their tones. Other columns are sorted by their text. */
  readonly words?: readonly (readonly [word: string, tone: Tone])[];
}

/** `command` is code with a button that copies it. */
export type DetailKind = 'text' | 'code' | 'command' | 'link';

/** Stand in texts for the `main` text of the row, and for the part of it behind its last slash. */
export const [subjectMark, nameMark] = ['\u0001', '\u0002'] as const;

export interface PackedTable {
  /** What the rows are, in the singular and in the plural. */
  readonly names: readonly [one: string, several: string];
  readonly columns: readonly PackedColumn[];
  /** Every text of the table, once. */
  readonly texts: readonly string[];
  /** For each column, the positions in `texts` of its cells. */
  readonly cells: readonly (readonly number[])[];
  /** What the details of rows have. */
  readonly labels: readonly (readonly [kind: DetailKind, label: string])[];
  /** For each row, pairs of positions: in `labels`, and in `texts`. */
  readonly details: readonly (readonly number[])[];
  /** Rows that the report does not contain. */
  readonly omitted: number;
}
