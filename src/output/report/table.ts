/** A table of a report: its frame, and its rows as data, of which the page shows those in view. */
import { formatCount } from '../amounts.ts';
import { pageUrl } from '../links.ts';
import { safeLines, safeText } from '../safe-text.ts';
import { type Html, html } from './html.ts';
import type { DetailKind, PackedColumn, PackedTable } from './page-data.ts';

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
  readonly records: readonly R[];
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

/** Returns a table of records. */
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
  const shown = records.slice(0, mostRows);
  const cells = columns.map(({ get }) => shown.map((record) => texts.of(safeText(get(record)))));
  const details = shown.map((record) =>
    detailsOf(record).flatMap(({ kind, label, text }) => {
      const safe = kind === 'link' ? pageUrl(text) : safeLines(text);
      if (!safe) return [];
      const place = places.of(`${kind} ${label}`);
      labels[place] ??= [kind, label];
      return [place, texts.of(safe)];
    }),
  );
  const packed = {
    names,
    columns: columns.map(({ get: _, ...column }) => column),
    texts: texts.all,
    cells,
    labels,
    details,
    omitted: (total ?? records.length) - shown.length,
  };
  return { title, emptyText, packed };
}

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
