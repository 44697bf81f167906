/** HTML from templates, in which everything but markup is escaped. */
import { safeLines, safeText } from '../safe-text.ts';

/** Markup that is complete and safe. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[];

/** Returns markup with the values in it: text on one line, escaped; other markup as it is; nothing for undefined. */
export function html(markup: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(markup.map((part, at) => part + textOf(values[at])).join(''));
}

function textOf(value: HtmlValue): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(safeText(String(value)));
}

/** Returns text of several lines, escaped. */
export const textLines = (text: string): Html => new Html(escapeHtml(safeLines(text)));

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns text that means itself in elements and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** Returns data for the script of the page. No text in it can end the element. */
export const jsonElement = (id: string, value: unknown): Html =>
  new Html(
    `<script type="application/json" id="${escapeHtml(id)}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`,
  );
