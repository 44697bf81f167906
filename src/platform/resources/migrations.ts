import { getMigration, listMigrations, startMigration } from '../endpoints/migrations.ts';
import { resource } from '../resource.ts';

export const migrations = resource({
  readOnly: ['owner', 'guid', 'state'],
  owners: { caller: { list: listMigrations, get: getMigration, create: startMigration } },
});
