/** JSON documents and lines. On a terminal, what JSON allows but a terminal obeys is escaped: the same data. */

import type { ListFormat } from './list-format.ts';
import { escapeHazards } from './safe-text.ts';

export function jsonText(value: unknown, indent: 0 | 2, onTerminal: boolean): string {
  const text = JSON.stringify(value, null, indent);
  return onTerminal ? escapeHazards(text) : text;
}

/**
 * One array, the same text as if it were written whole. The bracket opens with the first records and closes after the
 * last, so that a list cut short by an error is no valid document.
 */
export function jsonArray(onTerminal: boolean): ListFormat {
  let opened = false;
  return {
    page(records) {
      if (records.length === 0) return '';
      const elements = jsonText(records, 2, onTerminal).slice(1, -2);
      const text = (opened ? ',' : '[') + elements;
      opened = true;
      return text;
    },
    end: () => (opened ? '\n]\n' : '[]\n'),
  };
}

/** A line of JSON for each record. */
export function ndjson(onTerminal: boolean): ListFormat {
  return {
    page(records) {
      const lines = records.map((record) => jsonText(record, 0, onTerminal));
      lines.push('');
      return lines.join('\n');
    },
    end: () => '',
  };
}
