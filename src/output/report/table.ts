/** A table of a report: its frame, and its rows as data, of which the page shows those in view. */
import { formatCount } from '../amounts.ts';
import { pageUrl } from '../links.ts';
import { safeLines, safeText } from '../safe-text.ts';
import { type Html, html } from './html.ts';
import { type DetailKind, nameMark, type PackedColumn, type PackedTable, subjectMark } from './page-data.ts';

export interface ReportColumn<R> extends PackedColumn {
  readonly get: (record: R) => string;
}

export interface Detail {
  readonly kind: DetailKind;
  readonly label: string;
  readonly text: string;
}

interface TableInput<R> {
  readonly title: string;
  readonly names: PackedTable['names'];
  readonly columns: readonly ReportColumn<R>[];
  /** In the order in which the table shows them first. */
  readonly records: Iterable<R>;
  /** The number of records, if the table cannot have all (default: that of `records`). */
  readonly total?: number;
  /** What the page shows of a record that is opened. Links to anything but web pages are omitted. */
  readonly detailsOf: (record: R) => readonly Detail[];
  /** What it means that there are no records. */
  readonly emptyText: string;
}

export interface ReportTable extends Pick<TableInput<unknown>, 'title' | 'emptyText'> {
  readonly packed: PackedTable;
}

/** More rows make the file larger than browsers open quickly. */
export const mostRows = 100_000;

/** Returns a table of records, which are read once. */
export function reportTable<R>({
  title,
  emptyText,
  names,
  columns,
  records,
  total,
  detailsOf,
}: TableInput<R>): ReportTable {
  const texts = new Positions();
  const places = new Positions();
  const labels: (readonly [DetailKind, string])[] = [];
  const cells = columns.map((): number[] => []);
  const details: number[][] = [];
  const main = columns.find(({ narrow }) => narrow === 'main');
  let count = 0;
  for (const record of records) {
    if (count++ >= mostRows) continue;
    const subject = main ? safeText(main.get(record)) : '';
    for (const [at, column] of columns.entries()) {
      const text = safeText(column.get(record));
      // Texts that are chosen from a list, or name the row, are whole.
      cells[at]?.push(texts.of(column.filters || column === main ? text : sharedText(text, subject)));
    }
    details.push(
      detailsOf(record).flatMap(({ kind, label, text }) => {
        const safe = kind === 'link' ? pageUrl(text) : safeLines(text);
        if (!safe) return [];
        const place = places.of(`${kind} ${label}`);
        labels[place] ??= [kind, label];
        return [place, texts.of(sharedText(safe, subject))];
      }),
    );
  }
  const omitted = (total ?? count) - details.length;
  const all = texts.all;
  const used = columns.map((column, at) => column === main || (cells[at] ?? []).some((text) => all[text] !== ''));
  const packed = {
    ...{ names, texts: all, labels, details, omitted },
    columns: columns.filter((_, at) => used[at]).map(({ get: _, ...column }) => column),
    cells: cells.filter((_, at) => used[at]),
  };
  return { title, emptyText, packed };
}

/**
 * Returns a text with marks in place of the name of its row, so that rows that differ in nothing else share it. Only whole
 * words are replaced: the page searches texts with their marks, and `approvals` must be found in a row that is named `app`.
 */
function sharedText(text: string, subject: string): string {
  const name = subject.slice(subject.lastIndexOf('/') + 1);
  // The text has no controls of its own, as they are escaped.
  return withMark(withMark(text, subject, subjectMark), name, nameMark);
}

const withMark = (text: string, word: string, mark: string): string =>
  word === ''
    ? text
    : text.replaceAll(word, (_, at: number) =>
        isSpace(text[at - 1]) && isSpace(text[at + word.length]) ? mark : word,
      );

const isSpace = (character = ' '): boolean => /\s/.test(character);

/** Gives equal texts the same position. */
class Positions {
  readonly #positions = new Map<string, number>();

  of(text: string): number {
    const position = this.#positions.get(text) ?? this.#positions.size;
    this.#positions.set(text, position);
    return position;
  }

  get all(): readonly string[] {
    return [...this.#positions.keys()];
  }
}

/** Returns the frame of a table, which the script of the page fills. */
export function tableOf({ title, emptyText, packed: { names, details, omitted } }: ReportTable): Html {
  const [, several] = names;
  if (details.length === 0)
    return html`<section class="table" id="table"><h2>${title}</h2><p class="empty">${emptyText}</p></section>`;
  const rest = `${formatCount(omitted)} more ${several} are not in this report; -o ndjson has all.`;
  return html`<section class="table" id="table" aria-labelledby="table-title">
<h2 id="table-title">${title}</h2>
${omitted > 0 ? html`<p class="omitted">${rest}</p>` : ''}
<noscript><p class="empty">The ${several} are shown by a script, which this browser does not run.</p></noscript>
<div class="toolbar" role="search" aria-label="Filter ${several}" hidden>
<input type="search" aria-label="Search ${several}" placeholder="Search ${several}" autocomplete="off" spellcheck="false">
<p role="status"></p>
</div>
<p class="printed" hidden></p>
</section>`;
}
