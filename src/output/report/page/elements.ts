/** Makes elements. Text is only ever set as text. */

type Attributes = Readonly<Record<string, string | undefined>>;

/** Returns an element with its attributes and its text or children. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (string | Node)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Returns the element in another that a selector finds. Throws if the page does not have it. */
export function find<E extends Element>(parent: ParentNode, selector: string): E {
  const found = parent.querySelector<E>(selector);
  if (!found) throw new Error(`No ${selector}`);
  return found;
}

export const grouped = (count: number): string => count.toLocaleString('en-US');
