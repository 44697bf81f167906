/** The script of a report. */
import type { PackedTable } from '../page-data.ts';
import { searchChanges } from './changes.ts';
import { Table } from './table.ts';

const data = document.getElementById('rows');
const section = document.getElementById('table');
if (data && section?.querySelector('.toolbar')) new Table(section, JSON.parse(data.textContent) as PackedTable);

const changes = document.getElementById('changes');
if (changes) searchChanges(changes);
