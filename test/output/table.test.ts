import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Column } from '../../src/output/columns.ts';
import { renderList } from '../../src/output/render.ts';
import { hostile, pagesOf, screen } from './screen.ts';

interface Repository {
  name: string;
  archived: boolean;
  pushed_at: string | null;
  owner: { login: string };
  topics: string[];
  description: string | null;
}

const site: Repository = {
  name: 'site',
  archived: false,
  pushed_at: '2024-06-07T11:00:00Z',
  owner: { login: 'acme' },
  topics: ['web', 'docs'],
  description: 'The website',
};

const columns: readonly Column<Repository>[] = [
  { header: 'Name', get: 'name' },
  { header: 'Owner', get: 'owner.login' },
  { header: 'Archived', get: 'archived' },
  { header: 'Pushed', get: 'pushed_at' },
  { header: 'Topics', get: (repository) => repository.topics },
  { header: 'Description', get: 'description' },
];

async function tableOf<T>(
  records: readonly T[],
  shown: readonly Column<T>[],
  { fields, ...settings }: { columns?: number; color?: boolean; tty?: boolean; fields?: string[] } = {},
) {
  const { terminal, out } = screen(settings);
  await renderList(
    pagesOf(records),
    shown,
    { format: 'table', showSecrets: false, ...(fields ? { fields } : {}) },
    terminal,
  );
  return out();
}

describe('a list as a table', () => {
  it('has a header in capitals, two spaces between columns, ages, yes and no, and a dash for nothing', async () => {
    const tools = { ...site, name: 'tools', archived: true, pushed_at: null, topics: [], description: '' };
    expect(await tableOf([site, tools], columns)).toBe(
      [
        'NAME   OWNER  ARCHIVED  PUSHED      TOPICS     DESCRIPTION',
        'site   acme   no        3 days ago  web, docs  The website',
        'tools  acme   yes       -           -          -',
        '',
      ].join('\n'),
    );
  });

  it('prints nothing for an empty list', async () => {
    expect(await tableOf([], columns)).toBe('');
  });

  it('aligns wide characters, joined emoji, flags and combining marks by their width on the screen', async () => {
    const names = ['日本語', '👨‍👩‍👧‍👦', '🇩🇪', 'e\u0301', 'สวัสดี', '🫠', 'plain'];
    const records = names.map((name) => ({ name, id: 1 }));
    expect(
      await tableOf(records, [
        { header: 'Name', get: 'name' },
        { header: 'Id', get: 'id' },
      ]),
    ).toBe(
      [
        'NAME    ID',
        '日本語  1',
        '👨‍👩‍👧‍👦      1',
        '🇩🇪      1',
        'e\u0301       1',
        'สวัสดี    1',
        '🫠      1',
        'plain   1',
        '',
      ].join('\n'),
    );
  });

  it('cuts the widest columns to the width of the terminal; the first keeps a third of it', async () => {
    const record = { ...site, name: 'a-rather-long-repository-name', description: 'x'.repeat(200) };
    expect(await tableOf([record], columns, { columns: 72 })).toBe(
      [
        'NAME                  OWNER  ARCHIVED  PUSHED      TOPICS     DESCRIPTI…',
        'a-rather-long-repos…  acme   no        3 days ago  web, docs  xxxxxxxxx…',
        '',
      ].join('\n'),
    );
  });

  it('cuts between characters, never within one', async () => {
    const records = [{ name: '日本語のとても長い名前', id: 12345678 }];
    const shown: Column<{ name: string; id: number }>[] = [
      { header: 'Id', get: 'id' },
      { header: 'Name', get: 'name' },
    ];
    expect(await tableOf(records, shown, { columns: 20 })).toBe('ID        NAME\n12345678  日本語の…\n');
    expect(await tableOf(records, shown, { columns: 19 })).toBe('ID        NAME\n12345678  日本語の…\n');
    expect(await tableOf(records, shown, { columns: 18 })).toBe('ID        NAME\n12345678  日本語…\n');
  });

  it('never passes the edge of the terminal', async () => {
    const record = { ...site, name: '名'.repeat(40), description: '👩‍🚀 '.repeat(40), topics: ['é'.repeat(50)] };
    for (let width = 40; width < 120; width++) {
      const lines = (await tableOf([record], columns, { columns: width })).trimEnd().split('\n');
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('keeps every column whole where not even narrow ones fit', async () => {
    expect(await tableOf([site], columns, { columns: 20 })).toBe(
      [
        'NAME  OWNER  ARCHIVED  PUSHED      TOPICS     DESCRIPTION',
        'site  acme   no        3 days ago  web, docs  The website',
        '',
      ].join('\n'),
    );
  });

  it('is not cut where nothing limits a line', async () => {
    const record = { name: 'x'.repeat(500) };
    expect(await tableOf([record], [{ header: 'Name', get: 'name' }], { columns: Number.POSITIVE_INFINITY })).toBe(
      `NAME\n${'x'.repeat(500)}\n`,
    );
  });

  it('has a bold header where there is colour, and no escape sequence where there is none', async () => {
    const shown: Column<Repository>[] = [{ header: 'Name', get: 'name' }];
    expect(await tableOf([site], shown, { color: true, tty: true })).toBe('\x1b[1mNAME\x1b[22m\nsite\n');
    expect(await tableOf([site], shown, { tty: true })).toBe('NAME\nsite\n');
  });

  it.each([true, false])('neutralises text from the server (terminal: %s)', async (tty) => {
    const shown: Column<{ name: string }>[] = [{ header: 'Name', get: 'name' }];
    expect(await tableOf([{ name: hostile }], shown, { tty, columns: 200 })).toBe(
      'NAME\na\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi j k\n',
    );
  });

  it('shows the fields that were asked for, each under its path, as ages and dates as the columns would', async () => {
    const shown: Column<Repository>[] = [{ header: 'Pushed', get: 'pushed_at', as: 'date' }];
    expect(await tableOf([site], shown, { fields: ['owner.login', 'pushed_at', 'nothing'] })).toBe(
      'OWNER.LOGIN  PUSHED_AT   NOTHING\nacme         2024-06-07  -\n',
    );
  });

  it('shows all members where there are neither columns nor fields, and plain values in a column of their own', async () => {
    expect(await tableOf([{ id: 1 }, { id: 2, name: 'x' }], [])).toBe('ID  NAME\n1   -\n2   x\n');
    expect(await tableOf(['2022-11-28', '2026-03-10'], [])).toBe('VALUE\n2022-11-28\n2026-03-10\n');
  });

  it('masks secrets before a column can take them', async () => {
    const shown: Column<{ temp_clone_token: string }>[] = [
      { header: 'Token', get: (record) => record.temp_clone_token },
    ];
    expect(await tableOf([{ temp_clone_token: 'abc' }], shown)).toBe('TOKEN\n********\n');
  });
});

describe('values in a table', () => {
  const shownAs = async (value: unknown, as?: 'age' | 'date' | 'yes-no') => {
    const text = await tableOf([{ value }], [{ header: 'v', get: (record) => record.value, ...(as ? { as } : {}) }]);
    return text.split('\n')[1];
  };

  it.each([
    ['2024-06-10T12:00:00Z', '0 seconds ago'],
    ['2024-06-10T11:59:59Z', '1 second ago'],
    ['2024-06-10T11:59:00Z', '1 minute ago'],
    ['2024-06-10T11:00:01Z', '59 minutes ago'],
    ['2024-06-10T13:00:00+02:00', '1 hour ago'],
    ['2024-06-09T11:00:00.123Z', '1 day ago'],
    ['2024-05-01T12:00:00Z', '1 month ago'],
    ['2020-06-10T12:00:00Z', '4 years ago'],
    ['2024-06-12T12:00:00Z', 'in 2 days'],
    ['2024-13-45T12:00:00Z', '2024-13-45T12:00:00Z'],
    ['2024-06-10', '2024-06-10'],
  ])('the timestamp %s is %s', async (timestamp, age) => {
    expect(await shownAs(timestamp)).toBe(age);
  });

  it('a number of seconds is a time only where the column says so', async () => {
    expect(await shownAs(1_718_017_200)).toBe('1718017200');
    expect(await shownAs(1_718_017_200, 'age')).toBe('1 hour ago');
    expect(await shownAs(1_718_017_200, 'date')).toBe('2024-06-10');
  });

  it('a yes-no column says whether there is a value', async () => {
    expect(await shownAs('2024-06-10T12:00:00Z', 'yes-no')).toBe('yes');
    expect(await shownAs(null, 'yes-no')).toBe('no');
    expect(await shownAs(false, 'yes-no')).toBe('no');
  });

  it.each([
    [0, '0'],
    [['a', null, true], 'a, -, yes'],
    [{ login: 'acme' }, '{"login":"acme"}'],
    [[{ id: 1 }], '[{"id":1}]'],
    [{}, '-'],
    [[], '-'],
  ])('%j is shown as %s', async (value, shown) => {
    expect(await shownAs(value)).toBe(shown);
  });
});
