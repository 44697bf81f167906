import { expect, it } from 'vitest';
import type { Column } from '../../src/output/columns.ts';
import { renderList } from '../../src/output/render.ts';
import { pagesOf, screen } from './screen.ts';

interface Repository {
  name: string;
  owner?: { login: string } | null;
  rules: { type: string }[];
  parent?: Repository;
}

it('paths are checked against the record, through optional members and lists', async () => {
  const columns: readonly Column<Repository>[] = [
    { header: 'a', get: 'name' },
    { header: 'b', get: 'owner.login' },
    { header: 'c', get: 'rules.type' },
    { header: 'd', get: 'parent.name' },
    // @ts-expect-error: the record has no such member
    { header: 'e', get: 'nmae' },
    // @ts-expect-error: its owner has no such member
    { header: 'f', get: 'owner.name' },
  ];
  const { terminal, out } = screen();
  const site = { name: 'site', owner: null, rules: [{ type: 'creation' }, { type: 'update' }], parent: undefined };
  await renderList(
    pagesOf([site, { ...site, parent: { ...site, name: 'upstream' } }]),
    columns,
    { format: 'tsv', showSecrets: false },
    terminal,
  );
  expect(out()).toBe('site\t\tcreation,update\t\t\t\nsite\t\tcreation,update\tupstream\t\t\n');
});
