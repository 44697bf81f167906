/** A table of which the page has only the rows in view. */
import type { PackedTable } from '../page-data.ts';
import { shownCell } from './cell.ts';
import { Details } from './details.ts';
import { element, find, grouped } from './elements.ts';
import { rowFor } from './keyboard.ts';
import { Rows } from './rows.ts';
import { nameOf, Toolbar } from './toolbar.ts';

/** Rows drawn above and below those in view. */
const margin = 12;

/** Rows that are printed. */
const mostPrinted = 2000;

/** Of `2026-02-28 12:00`. */
const timeWidth = '9.5em';

export class Table {
  readonly #section: HTMLElement;
  readonly #rows: Rows;
  readonly #toolbar: Toolbar;
  readonly #details: Details;
  readonly #head: HTMLElement;
  readonly #body = element('div', { role: 'rowgroup', class: 'body' });
  readonly #grid: HTMLElement;
  readonly #drawn = new Map<number, HTMLElement>();
  #selected: readonly number[] = [];
  /** The position of the row that takes the focus. */
  #active = 0;
  /** The position of the row in the dialog. Browsers return the focus to the first that was opened. */
  #opened = 0;

  constructor(section: HTMLElement, table: PackedTable) {
    this.#section = section;
    this.#rows = new Rows(table);
    this.#toolbar = new Toolbar(find(section, '.toolbar'), this.#rows, () => this.#select());
    this.#details = new Details(this.#rows, () => this.#focus(this.#opened));
    this.#head = element('div', { role: 'row', class: 'row head', 'aria-rowindex': '1' }, ...this.#headers());
    this.#grid = element(
      'div',
      { role: 'table', class: 'grid', 'aria-labelledby': 'table-title', 'aria-colcount': `${table.columns.length}` },
      element('div', { role: 'rowgroup', class: 'top' }, this.#head),
      this.#body,
    );
    const widths = table.columns.map(({ kind, width }) => (kind === 'time' ? timeWidth : `minmax(0, ${width}fr)`));
    this.#grid.style.setProperty('--columns', widths.join(' '));
    section.insertBefore(this.#grid, find(section, '.printed'));
    this.#listen();
    this.#select();
  }

  #headers(): HTMLElement[] {
    return this.#rows.table.columns.map(({ label }, column) => {
      const button = element('button', { type: 'button' }, label);
      button.addEventListener('click', () => this.#toolbar.sortBy(column));
      return element('div', { role: 'columnheader', 'aria-colindex': `${column + 1}` }, button);
    });
  }

  #listen(): void {
    const draw = () => this.#draw();
    addEventListener('scroll', draw, { passive: true });
    addEventListener('resize', draw);
    addEventListener('beforeprint', () => this.#print());
    addEventListener('afterprint', () => this.#endPrint());
    this.#body.addEventListener('click', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
      if (row && !getSelection()?.toString()) this.#open(Number(row.dataset.at));
    });
    this.#body.addEventListener('keydown', (event) => this.#move(event));
    this.#body.addEventListener('focusin', ({ target }) => {
      const row = target instanceof Element ? target.closest<HTMLElement>('.row') : null;
      if (row) this.#activate(Number(row.dataset.at));
    });
  }

  /** Shows the rows that the toolbar selects. */
  #select(): void {
    const { selection } = this.#toolbar;
    this.#selected = this.#rows.selected(selection);
    this.#active = 0;
    for (const [column, header] of [...this.#head.children].entries()) {
      const order = selection.sort?.column === column ? (selection.sort.isDescending ? 'descending' : 'ascending') : '';
      if (order) header.setAttribute('aria-sort', order);
      else header.removeAttribute('aria-sort');
    }
    this.#grid.setAttribute('aria-rowcount', `${this.#selected.length + 1}`);
    this.#toolbar.showCount(this.#selected.length);
    this.#drawn.clear();
    const none = element('p', { class: 'empty' }, `No ${this.#rows.table.names[1]} match.`);
    this.#body.replaceChildren(...(this.#selected.length ? [] : [none]));
    this.#draw();
  }

  get #rowHeight(): number {
    return Number.parseFloat(getComputedStyle(this.#grid).getPropertyValue('--row'));
  }

  #draw(): void {
    if (this.#section.classList.contains('printing')) return;
    const height = this.#rowHeight;
    const count = this.#selected.length;
    this.#body.style.height = count ? `${count * height}px` : '';
    const { top } = this.#body.getBoundingClientRect();
    const first = Math.max(0, Math.floor(-top / height) - margin);
    const last = Math.min(count, Math.ceil((innerHeight - top) / height) + margin);
    for (const [at, row] of this.#drawn)
      if ((at < first || at >= last) && at !== this.#active) {
        row.remove();
        this.#drawn.delete(at);
      }
    // In the order of the table, which screen readers and Tab follow.
    let next: Element | null = this.#body.firstElementChild;
    const positions = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    if (count && (this.#active < first || this.#active >= last)) positions.push(this.#active);
    for (const at of positions.sort((a, b) => a - b)) {
      const known = this.#drawn.get(at);
      if (known && known === next) next = next.nextElementSibling;
      else {
        const row = known ?? this.#row(at);
        this.#drawn.set(at, row);
        this.#body.insertBefore(row, next);
      }
      const row = this.#drawn.get(at);
      if (row) row.style.transform = `translateY(${at * height}px)`;
    }
  }

  #row(at: number): HTMLElement {
    const row = this.#selected[at] ?? 0;
    const cells = this.#rows.table.columns.map((column, index) => {
      const shown = shownCell(column, this.#rows.cell(row, index), at === this.#active);
      const place = { role: 'cell', class: `cell ${column.narrow} ${column.kind}`, 'aria-colindex': `${index + 1}` };
      return element('div', place, ...shown);
    });
    return element('div', { role: 'row', class: 'row', 'aria-rowindex': `${at + 2}`, 'data-at': `${at}` }, ...cells);
  }

  #button(at: number): HTMLButtonElement | null | undefined {
    return this.#drawn.get(at)?.querySelector('button');
  }

  /** Tab reaches one row; the arrow keys reach the others. */
  #activate(at: number): void {
    if (at === this.#active) return;
    this.#button(this.#active)?.setAttribute('tabindex', '-1');
    this.#active = at;
    this.#button(at)?.setAttribute('tabindex', '0');
  }

  #move(event: KeyboardEvent): void {
    const last = this.#selected.length - 1;
    const target = rowFor(event, this.#active, last);
    if (target === undefined) return;
    event.preventDefault();
    this.#focus(Math.max(0, Math.min(last, target)));
  }

  #focus(at: number): void {
    if (this.#selected.length === 0) return;
    this.#activate(at);
    const height = this.#rowHeight;
    const top = this.#body.getBoundingClientRect().top + at * height;
    const free = find(this.#grid, '.top').getBoundingClientRect().bottom;
    if (top < free) scrollBy(0, top - free);
    else if (top + height > innerHeight) scrollBy(0, top + height - innerHeight);
    this.#draw();
    this.#button(at)?.focus({ preventScroll: true });
  }

  #open(at: number): void {
    this.#activate(at);
    this.#opened = at;
    const count = this.#selected.length;
    const to = (other: number) => (other >= 0 && other < count ? () => this.#open(other) : undefined);
    const position = `${grouped(at + 1)} of ${grouped(count)}`;
    this.#details.open(this.#selected[at] ?? 0, { previous: to(at - 1), next: to(at + 1), position });
  }

  #print(): void {
    const count = this.#selected.length;
    const rows = Array.from({ length: Math.min(count, mostPrinted) }, (_, at) => this.#row(at));
    this.#section.classList.add('printing');
    this.#body.style.height = '';
    if (count) this.#body.replaceChildren(...rows);
    const note = find<HTMLElement>(this.#section, '.printed');
    const { table } = this.#rows;
    note.hidden = count <= mostPrinted;
    note.textContent = `The first ${grouped(mostPrinted)} of ${grouped(count)} ${nameOf(table, count)} are printed; ${grouped(count - mostPrinted)} are left out. Filter the table to print others.`;
  }

  #endPrint(): void {
    this.#section.classList.remove('printing');
    find<HTMLElement>(this.#section, '.printed').hidden = true;
    this.#drawn.clear();
    if (this.#selected.length) this.#body.replaceChildren();
    this.#draw();
  }
}
