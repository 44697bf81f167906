import { describe, expect, it } from 'vitest';
import { renderList } from '../../../src/output/render.ts';
import { type Column, type ColumnErrorHandler, shownColumns } from '../../../src/output/table/columns.ts';
import { pagesOf, screen } from '../screen.ts';

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

describe('a column with a function', () => {
  interface Person {
    readonly owner: { readonly login: string };
  }
  const columns: readonly Column<Person>[] = [{ header: 'Owner', get: ({ owner }) => owner.login.toUpperCase() }];
  const value = (record: unknown, misfit?: ColumnErrorHandler) =>
    shownColumns(columns, undefined, misfit)[0]?.value(record);

  it.each([{}, { owner: null }, { owner: { login: 7 } }, 7])('is empty for a record of another shape: %j', (record) => {
    const told: string[] = [];
    expect(value(record, (column, { message }) => told.push(`${column}: ${message}`))).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^Owner: /);
  });

  it('does not hide any other error', () => {
    const broken: readonly Column<Person>[] = [
      {
        header: 'Owner',
        get: () => {
          throw new RangeError('too far');
        },
      },
    ];
    expect(() => shownColumns(broken)[0]?.value({})).toThrow('too far');
  });
});
