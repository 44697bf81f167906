/** Prints the output of `--fields help`. */
import type { Column } from '../../output/table/columns.ts';
import { UsageError } from '../errors.ts';
import { fieldsPrinted, type ListedField } from './field-list.ts';
import { type Printing, printResult } from './result.ts';

const columns: readonly Column<ListedField>[] = [
  { header: 'Field', get: 'field', priority: 1 },
  { header: 'Type', get: 'type', as: 'text' },
];

/** Prints the available fields as a list, without requests. Throws UsageError if none are known. */
export async function printFields(id: string, root: string, printing: Printing): Promise<void> {
  const fields = fieldsPrinted(id, root, 2);
  if (fields.length === 0)
    throw new UsageError(
      `No field list for “forgectl ${id.replaceAll(':', ' ')}”.`,
      'Use -o json to see every field; any of them works with --fields.',
    );
  const { fields: _help, ...options } = printing.options;
  await printResult(fields, { columns, recordsName: 'fields' }, { ...printing, options });
}
