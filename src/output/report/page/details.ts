/** The details of a row, in a dialog beside the table. */
import { element } from './elements.ts';
import type { Rows } from './rows.ts';

interface Neighbors {
  /** Opens the row that many rows further down; undefined at the ends. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly position: string;
}

export class Details {
  readonly #rows: Rows;
  readonly #dialog = element('dialog', { 'aria-labelledby': 'details-title' });

  /** `closed` is called with the dialog gone. */
  constructor(rows: Rows, closed: () => void) {
    this.#rows = rows;
    document.body.append(this.#dialog);
    this.#dialog.addEventListener('close', closed);
    // Only a click beside the dialog has the dialog itself as its target.
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
  }

  open(row: number, { previous, next, position }: Neighbors): void {
    const close = element('button', { type: 'button', class: 'close' }, 'Close');
    close.addEventListener('click', () => this.#dialog.close());
    const steps = [step('Previous', previous), step('Next', next)];
    const bar = element('div', { class: 'bar' }, element('span', {}, position), ...steps, close);
    const content = element('div', { class: 'content', tabindex: '0', role: 'group', 'aria-label': 'Details' });
    content.append(this.#facts(row), ...this.#blocks(row));
    const main = this.#rows.table.columns.findIndex(({ narrow }) => narrow === 'main');
    const title = element('h2', { id: 'details-title' }, element('bdi', {}, this.#rows.cell(row, main)));
    this.#dialog.replaceChildren(bar, title, content);
    this.#dialog.onkeydown = ({ key }) => {
      if (key === 'ArrowUp' && document.activeElement !== content) previous?.();
      if (key === 'ArrowDown' && document.activeElement !== content) next?.();
    };
    if (!this.#dialog.open) this.#dialog.showModal();
    close.focus();
  }

  #facts(row: number): HTMLElement {
    const facts = this.#rows.table.columns.flatMap(({ label, narrow, kind }, column) => {
      const text = this.#rows.cell(row, column);
      // The blocks have what a row has too little room for.
      if (narrow === 'main' || narrow === 'sub' || text === '') return [];
      const shown = kind === 'time' ? `${timeText(text)} UTC` : text;
      return [element('div', {}, element('dt', {}, label), element('dd', {}, element('bdi', {}, shown)))];
    });
    return element('dl', { class: 'facts' }, ...facts);
  }

  #blocks(row: number): HTMLElement[] {
    const { details, labels } = this.#rows.table;
    const positions = details[row] ?? [];
    return positions.flatMap((label, at) => {
      if (at % 2 === 1) return [];
      const [kind, name] = labels[label] ?? ['text', ''];
      return [block(kind, name, this.#rows.text(row, positions[at + 1] ?? 0))];
    });
  }
}

function step(label: string, act: (() => void) | undefined): HTMLElement {
  const button = element('button', { type: 'button', class: 'step' }, label);
  if (act) button.addEventListener('click', act);
  else button.disabled = true;
  return button;
}

function block(kind: string, label: string, text: string): HTMLElement {
  const heading = element('h3', {}, label);
  if (kind === 'link') {
    const link = element('a', { href: text, rel: 'noopener noreferrer', target: '_blank' }, text);
    return element('section', {}, heading, element('p', {}, link));
  }
  if (kind === 'text') return element('section', {}, heading, element('p', {}, element('bdi', {}, text)));
  const code = element('pre', { tabindex: '0' }, element('code', {}, text));
  if (kind === 'command') heading.append(copyButton(code, text));
  return element('section', {}, heading, code);
}

/** Returns a button that copies text, or selects it where the browser does not allow that. */
function copyButton(code: HTMLElement, text: string): HTMLElement {
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      getSelection()?.selectAllChildren(code);
      button.textContent = 'Selected';
    }
  });
  return button;
}

/** `2026-02-28 12:00` */
export const timeText = (iso: string): string => iso.slice(0, 16).replace('T', ' ');
