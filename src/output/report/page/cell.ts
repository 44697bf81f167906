/** The cells of a table. */
import type { PackedColumn } from '../page-data.ts';
import { timeText } from './details.ts';
import { element } from './elements.ts';

/** Returns what a cell contains: a button for the text that names the row, and a word with its tone. */
export function shownCell({ kind, narrow, words }: PackedColumn, text: string, isActive: boolean): (string | Node)[] {
  const shown = element('bdi', {}, kind === 'time' ? timeText(text) : text);
  if (narrow === 'main')
    return [element('button', { type: 'button', 'aria-haspopup': 'dialog', tabindex: isActive ? '0' : '-1' }, shown)];
  const tone = words?.find(([word]) => word === text)?.[1];
  return kind === 'word' && text !== '' ? [element('span', { class: `mark ${tone ?? 'calm'}` }, shown)] : [shown];
}
