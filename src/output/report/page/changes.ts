/** Searches the changes of a plan. */
import { find, grouped } from './elements.ts';

/** Hides the changes that do not contain all words of the search, and sections without any. */
export function searchChanges(changes: HTMLElement): void {
  const search = find<HTMLInputElement>(changes, 'input');
  const status = find<HTMLElement>(changes, '[role=status]');
  const all = [...changes.querySelectorAll<HTMLElement>('.change')].map((change) => ({
    change,
    text: change.textContent.toLowerCase(),
  }));
  const sections = [...changes.querySelectorAll<HTMLElement>('.section')];
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { change, text } of all) change.hidden = !words.every((word) => text.includes(word));
    for (const section of sections) section.hidden = !section.querySelector('.change:not([hidden])');
    const shown = all.filter(({ change }) => !change.hidden).length;
    const count = `${grouped(all.length)} ${all.length === 1 ? 'change' : 'changes'}`;
    status.textContent = shown === all.length ? count : `${grouped(shown)} of ${count}`;
  };
  search.addEventListener('input', show);
  find<HTMLElement>(changes, '.toolbar').hidden = false;
  show();
}
