/** YAML, quoted wherever a 1.1 parser would read a string as something else (`no`, `012`, a timestamp). */
import { isExactInteger } from '../platform/exact-json.ts';
import type { ListFormat } from './list-format.ts';
import { escapeHazards, isHazardous } from './safe-text.ts';
import { holdsCommand } from './workflow-commands.ts';

/**
 * The value as a YAML document without a marker. Text with characters that YAML does not allow unescaped, or that a
 * terminal would obey, is double-quoted and escaped: the same data. So is text that the runner of a workflow would obey,
 * where there is one.
 */
export async function yamlText(value: unknown, inWorkflow = false): Promise<string> {
  const acts = (text: string) => isHazardous(text) || (inWorkflow && holdsCommand(text));
  const { Document, visit } = await import('yaml');
  const document = new Document(value, exactly, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && acts(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeHazards(document.toString({ lineWidth: 0, singleQuote: false, doubleQuotedAsJSON: true }));
}

const exactly = (_: unknown, value: unknown) => (isExactInteger(value) ? BigInt(value.rawJSON) : value);

/** One sequence, written page by page. */
export function yamlSequence(inWorkflow: boolean): ListFormat {
  let started = false;
  return {
    page(records) {
      if (records.length === 0) return '';
      started = true;
      return yamlText(records, inWorkflow);
    },
    end: () => (started ? '' : '[]\n'),
  };
}
