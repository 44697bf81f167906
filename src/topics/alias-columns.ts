import type { Column } from '../output/table/columns.ts';

export interface Alias {
  name: string;
  /** The command line, without forgectl. */
  command: string;
}

export const aliasColumns: readonly Column<Alias>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Command', get: 'command', as: 'text', priority: 1 },
];
