/** Searches, filters and sorts the rows of a table by the positions of their texts, which are far fewer than its cells. */
import { nameMark, type PackedTable, subjectMark } from '../page-data.ts';

export interface Selection {
  /** Words that must all occur in a row or its details. */
  readonly search: string;
  /** By column, the position of the text that its cell must have. */
  readonly filters: ReadonlyMap<number, number>;
  readonly sort: { readonly column: number; readonly isDescending: boolean } | undefined;
}

/** Texts of a column, with the number of rows that have them. */
export type Facet = readonly (readonly [text: number, count: number])[];

export class Rows {
  readonly table: PackedTable;
  readonly count: number;
  readonly #folded: readonly string[];
  readonly #main: number;
  readonly #ranks = new Map<number, Int32Array>();

  constructor(table: PackedTable) {
    this.table = table;
    this.count = table.details.length;
    this.#main = table.columns.findIndex(({ narrow }) => narrow === 'main');
    this.#folded = table.texts.map((text) => text.toLowerCase());
  }

  cell(row: number, column: number): string {
    return this.text(row, this.#textAt(row, column));
  }

  /** Returns a text of a row, with its names. */
  text(row: number, position: number): string {
    const text = this.table.texts[position] ?? '';
    const subject = this.table.texts[this.#textAt(row, this.#main)] ?? '';
    const name = subject.slice(subject.lastIndexOf('/') + 1);
    return text.replaceAll(nameMark, () => name).replaceAll(subjectMark, () => subject);
  }

  /** Returns the rows of a selection, in its order. */
  selected({ search, filters, sort }: Selection): readonly number[] {
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = words.map((word) => this.#folded.map((text) => text.includes(word)));
    const rows: number[] = [];
    for (let row = 0; row < this.count; row++)
      if (this.#passes(row, filters) && matching.every((texts) => this.#has(row, texts))) rows.push(row);
    if (!sort) return rows;
    const { column, isDescending } = sort;
    const ranks = this.#ranksOf(column);
    const rankOf = (row: number) => ranks[this.#textAt(row, column)] ?? 0;
    const sign = isDescending ? -1 : 1;
    return rows.sort((a, b) => sign * (rankOf(a) - rankOf(b)) || a - b);
  }

  /** Returns the texts of a column, in its order. */
  facet(column: number): Facet {
    const counts = new Map<number, number>();
    for (const text of this.table.cells[column] ?? []) counts.set(text, (counts.get(text) ?? 0) + 1);
    const ranks = this.#ranksOf(column);
    return [...counts].sort(([a], [b]) => (ranks[a] ?? 0) - (ranks[b] ?? 0));
  }

  #textAt(row: number, column: number): number {
    return this.table.cells[column]?.[row] ?? 0;
  }

  #passes(row: number, filters: ReadonlyMap<number, number>): boolean {
    for (const [column, text] of filters) if (this.#textAt(row, column) !== text) return false;
    return true;
  }

  #has(row: number, texts: readonly boolean[]): boolean {
    const { cells, details } = this.table;
    if (cells.some((column) => texts[column[row] ?? 0])) return true;
    // Every second number is the position of a label.
    return (details[row] ?? []).some((position, at) => at % 2 === 1 && texts[position]);
  }

  /** Returns the rank of each text in the order of a column. */
  #ranksOf(column: number): Int32Array {
    const known = this.#ranks.get(column);
    if (known) return known;
    const { texts, cells, columns } = this.table;
    const words = columns[column]?.words?.map(([word]) => word);
    const place = (text: string) => {
      const at = words?.indexOf(text) ?? -1;
      return at < 0 ? (words?.length ?? 0) : at;
    };
    const { compare } = new Intl.Collator('en', { numeric: true });
    const used = [...new Set(cells[column])].map((at) => ({ at, text: texts[at] ?? '' }));
    // Nothing comes last, whichever its order.
    used.sort(
      (a, b) =>
        Number(a.text === '') - Number(b.text === '') || place(a.text) - place(b.text) || compare(a.text, b.text),
    );
    const ranks = new Int32Array(texts.length);
    for (const [rank, { at }] of used.entries()) ranks[at] = rank;
    this.#ranks.set(column, ranks);
    return ranks;
  }
}
