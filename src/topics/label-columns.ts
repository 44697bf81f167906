/** Columns of labels, in lists and as details. */
import type { Column } from '../output/table/columns.ts';
import type { Label } from '../platform/records.ts';

export const labelColumns: readonly Column<Label>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Color', get: 'color', priority: 1 },
  { header: 'Default', get: 'default', as: 'yes-no', priority: 3 },
  { header: 'Description', get: 'description', as: 'text' },
];
