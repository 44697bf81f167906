/** Columns and choices of private registries. */

import type { PickList } from '../../cli/command/picking.ts';
import type { Column } from '../../output/table/columns.ts';
import { listRegistries } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';

export const registryColumns: readonly Column<PrivateRegistry>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Type', get: 'registry_type', priority: 1 },
  { header: 'Username', get: 'username', as: 'text' },
  { header: 'Visibility', get: 'visibility', as: 'state', priority: 1 },
  { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
];

/** The choices of a prompt for a registry. */
export const registriesOf = ({ org }: { readonly org: string }): PickList<PrivateRegistry> => ({
  question: 'Which registry?',
  list: (session, cut) => session.list(listRegistries, { path: { org } }, cut, {}),
  choice: ({ name }) => ({ name, value: name }),
});
