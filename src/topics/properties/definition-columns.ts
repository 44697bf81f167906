/** Columns of the definitions of custom properties, in lists and as details. */
import type { Column } from '../../output/table/columns.ts';
import type { CustomProperty } from '../../platform/records.ts';

export const definitionColumns: readonly Column<CustomProperty>[] = [
  { header: 'Name', get: 'property_name', as: 'name', priority: 1 },
  { header: 'Type', get: 'value_type', priority: 1 },
  { header: 'Required', get: 'required', as: 'yes-no' },
  { header: 'Default', get: 'default_value' },
  { header: 'Values', get: 'allowed_values', as: 'text' },
  { header: 'Editable by', get: 'values_editable_by', priority: 3 },
  { header: 'Description', get: 'description', as: 'text', priority: 3 },
];
