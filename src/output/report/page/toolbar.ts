/** Search, filters and the order of a table. */
import type { PackedTable } from '../page-data.ts';
import { element, find, grouped } from './elements.ts';
import type { Rows, Selection } from './rows.ts';

/** More texts are for the search. */
const mostChoices = 60;

export class Toolbar {
  readonly #rows: Rows;
  readonly #changed: () => void;
  readonly #search: HTMLInputElement;
  readonly #status: HTMLElement;
  readonly #filters = new Map<number, HTMLSelectElement>();
  readonly #clear = element('button', { type: 'button', class: 'clear', hidden: '' }, 'Clear');
  /** For narrow pages, which have no headers. */
  readonly #order = element('select', { class: 'order', 'aria-label': 'Sort by' });
  #sort: Selection['sort'];

  constructor(bar: HTMLElement, rows: Rows, changed: () => void) {
    this.#rows = rows;
    this.#changed = changed;
    this.#search = find(bar, 'input');
    this.#status = find(bar, '[role=status]');
    const { columns } = rows.table;
    for (const [column, { filters }] of columns.entries()) if (filters) this.#addFilter(bar, column);
    this.#order.append(element('option', { value: '' }, 'Sort by'));
    for (const [at, { label }] of columns.entries())
      this.#order.append(element('option', { value: `${at}` }, `Sort by ${label.toLowerCase()}`));
    bar.insertBefore(this.#clear, this.#status);
    bar.insertBefore(this.#order, this.#clear);
    this.#search.addEventListener('input', changed);
    this.#order.addEventListener('change', () => {
      const { value } = this.#order;
      this.#sort = value === '' ? undefined : { column: Number(value), isDescending: this.#isTime(Number(value)) };
      changed();
    });
    this.#clear.addEventListener('click', () => {
      this.#search.value = '';
      for (const select of this.#filters.values()) select.value = '';
      changed();
      this.#search.focus();
    });
    bar.hidden = false;
  }

  get selection(): Selection {
    const chosen = [...this.#filters].flatMap(([column, { value }]) =>
      value === '' ? [] : [[column, Number(value)] as const],
    );
    return { search: this.#search.value, filters: new Map(chosen), sort: this.#sort };
  }

  /** Sorts by a column; again, the other way round. Times start with the newest. */
  sortBy(column: number): void {
    const isSame = this.#sort?.column === column;
    this.#sort = { column, isDescending: isSame ? !this.#sort?.isDescending : this.#isTime(column) };
    this.#order.value = `${column}`;
    this.#changed();
  }

  showCount(shown: number): void {
    const { count, table } = this.#rows;
    const isPart = this.#search.value !== '' || [...this.#filters.values()].some(({ value }) => value !== '');
    this.#clear.hidden = !isPart;
    this.#status.textContent = `${shown === count ? '' : `${grouped(shown)} of `}${grouped(count)} ${nameOf(table, count)}`;
  }

  #isTime(column: number): boolean {
    return this.#rows.table.columns[column]?.kind === 'time';
  }

  #addFilter(bar: HTMLElement, column: number): void {
    const facet = this.#rows.facet(column);
    const label = this.#rows.table.columns[column]?.label ?? '';
    if (facet.length < 2 || facet.length > mostChoices) return;
    const options = facet.map(([text, count]) =>
      element(
        'option',
        { value: `${text}` },
        `${shortened(this.#rows.table.texts[text] || 'none')} (${grouped(count)})`,
      ),
    );
    const all = element('option', { value: '' }, `${label}: all`);
    const select = element('select', { 'aria-label': label }, all, ...options);
    select.addEventListener('change', this.#changed);
    this.#filters.set(column, select);
    bar.insertBefore(select, this.#status);
  }
}

export const nameOf = ({ names: [one, several] }: PackedTable, count: number): string => (count === 1 ? one : several);

/** In characters: browsers make a list as wide as its longest text. */
const longestChoice = 60;

const shortened = (text: string): string => (text.length <= longestChoice ? text : `${text.slice(0, longestChoice)}…`);
