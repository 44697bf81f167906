import { isObject } from '../../json/exact-json.ts';
import { getMigration, listMigrations, startMigration } from '../endpoints/migrations.ts';
import { resource } from '../resource.ts';
import type { Given } from '../validate.ts';

/** Records of migrations contain whole repositories; bodies contain only names. */
const withNames = (record: Given): Given =>
  Array.isArray(record.repositories)
    ? { ...record, repositories: record.repositories.map((each) => (isObject(each) ? each.full_name : each)) }
    : record;

export const migrations = resource({
  readOnly: ['owner', 'guid', 'state'],
  toBody: withNames,
  owners: { caller: { list: listMigrations, get: getMigration, create: startMigration } },
});
