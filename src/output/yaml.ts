/** YAML, quoted wherever a YAML 1.1 parser would not read a string (`no`, `012`, a timestamp). */
import type { Node } from 'yaml';
import { isExactInteger, isObject } from '../json/exact-json.ts';
import type { ListFormat } from './list-format.ts';
import { escapeHazards, isHazardous } from './safe-text.ts';
import { TooLargeError } from './too-large.ts';
import { containsCommand } from './workflow-commands.ts';

/**
 * Returns the value as a YAML document without a marker. Text that YAML does not allow unescaped, that controls a
 * terminal, or that contains workflow commands in a workflow, is double-quoted and escaped. Throws TooLargeError.
 *
 * @param arrange adds comments, and chooses mappings and lists on one line
 */
export async function yamlText(value: unknown, inWorkflow = false, arrange?: Arrange): Promise<string> {
  return (await yamlWriter(inWorkflow, arrange))(value);
}

type Arrange = (contents: Node | null) => void;

/** Returns a function that returns values as `yamlText` does. */
export async function yamlWriter(inWorkflow = false, arrange?: Arrange): Promise<(value: unknown) => string> {
  const acts = (text: string) => isHazardous(text) || (inWorkflow && containsCommand(text));
  const { Document, visit } = await import('yaml');
  return (value) => {
    requireSize(value);
    const document = new Document(value, exactly, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
    visit(document, {
      Scalar(_, scalar) {
        if (typeof scalar.value === 'string' && acts(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
      },
    });
    arrange?.(document.contents);
    const format = { lineWidth: 0, singleQuote: false, doubleQuotedAsJSON: true, flowCollectionPadding: false };
    return escapeHazards(document.toString(format));
  };
}

/** Values and names. The library needs a kilobyte for each, and 15 seconds for a million. */
const maxNodes = 300_000;

/** Throws TooLargeError for a value that would take minutes and gigabytes. */
function requireSize(value: unknown): void {
  let nodes = 0;
  const visit = (part: unknown): void => {
    if (++nodes > maxNodes) throw new TooLargeError('The response is too large for YAML');
    if (Array.isArray(part)) for (const element of part) visit(element);
    else if (isObject(part))
      for (const member of Object.values(part)) {
        nodes++;
        visit(member);
      }
  };
  visit(value);
}

const exactly = (_: unknown, value: unknown) => (isExactInteger(value) ? BigInt(value.rawJSON) : value);

/** Formats one sequence, page by page. */
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
