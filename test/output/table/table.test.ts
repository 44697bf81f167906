import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { renderList } from '../../../src/output/render.ts';
import type { Appearance, Column } from '../../../src/output/table/columns.ts';
import { hostile, pagesOf, screen } from '../screen.ts';

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

/** The same, with what a narrow terminal needs to know. */
const narrowing: readonly Column<Repository>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Owner', get: 'owner.login' },
  { header: 'Archived', get: 'archived', as: 'state', priority: 1 },
  { header: 'Pushed', get: 'pushed_at' },
  { header: 'Topics', get: (repository) => repository.topics, as: 'text', priority: 3 },
  { header: 'Description', get: 'description', as: 'text', priority: 3 },
];

async function tableOf<T>(
  records: readonly T[],
  shown: readonly Column<T>[],
  {
    fields,
    ...settings
  }: {
    columns?: number;
    color?: boolean;
    tty?: boolean;
    links?: boolean;
    utf8?: boolean;
    plain?: boolean;
    fields?: string[];
  } = {},
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
  it('has a header in capitals, two spaces between columns, ages, yes and no, and a dash for empty values', async () => {
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

  it('aligns wide characters, joined emoji, flags and combining marks by their display width', async () => {
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

  it('truncates texts, then drops columns, the least important and the last first; IDs stay whole, names as long as possible', async () => {
    const record = { ...site, name: 'a-rather-long-repository-name', description: 'x'.repeat(200) };
    expect(await tableOf([record], narrowing, { columns: 92 })).toBe(
      [
        'NAME                           OWNER  ARCHIVED  PUSHED      TOPICS     DESCRIPTION',
        'a-rather-long-repository-name  acme   no        3 days ago  web, docs  xxxxxxxxxxxxxxxxxxxx…',
        '',
      ].join('\n'),
    );
    expect(await tableOf([record], narrowing, { columns: 80 })).toBe(
      [
        'NAME                           OWNER  ARCHIVED  PUSHED      TOPICS',
        'a-rather-long-repository-name  acme   no        3 days ago  web, docs',
        '',
      ].join('\n'),
    );
    expect(await tableOf([record], narrowing, { columns: 60 })).toBe(
      [
        'NAME                           OWNER  ARCHIVED  PUSHED',
        'a-rather-long-repository-name  acme   no        3 days ago',
        '',
      ].join('\n'),
    );
    expect(await tableOf([record], narrowing, { columns: 40 })).toBe(
      'NAME                     OWNER  ARCHIVED\na-rather-long-reposito…  acme   no\n',
    );
  });

  it('truncates a name if the remaining columns leave no room', async () => {
    const record = { ...site, name: 'a-rather-long-repository-name' };
    expect(await tableOf([record], narrowing, { columns: 36 })).toBe(
      'NAME                        ARCHIVED\na-rather-long-repository-…  no\n',
    );
  });

  it('shows each record separately, with all its values, if not even the remaining columns fit', async () => {
    const budgets = [
      { id: '5698c621-6f69-4299-81be-cc06404bf63c', entity: 'acme', amount: 200, note: 'Until the end of the year' },
      { id: 'd3ccca7b-2665-423d-85ee-42901df2b112', entity: 'globex', amount: 12.5, note: null },
    ];
    const shown: Column<(typeof budgets)[number]>[] = [
      { header: 'Id', get: 'id', priority: 1 },
      { header: 'Entity', get: 'entity', as: 'name', priority: 1 },
      { header: 'Amount', get: 'amount', as: 'usd' },
      { header: 'Note', get: 'note', as: 'text', priority: 3 },
    ];
    expect(await tableOf(budgets, shown, { columns: 80 })).toBe(
      [
        'ID                                    ENTITY  AMOUNT  NOTE',
        '5698c621-6f69-4299-81be-cc06404bf63c  acme      $200  Until the end of the year',
        'd3ccca7b-2665-423d-85ee-42901df2b112  globex  $12.50  -',
        '',
      ].join('\n'),
    );
    expect(await tableOf(budgets, shown, { columns: 40 })).toBe(
      [
        'ID',
        '  5698c621-6f69-4299-81be-cc06404bf63c',
        'ENTITY  acme',
        'AMOUNT  $200',
        'NOTE    Until the end of the year',
        '',
        'ID',
        '  d3ccca7b-2665-423d-85ee-42901df2b112',
        'ENTITY  globex',
        'AMOUNT  $12.50',
        'NOTE    -',
        '',
      ].join('\n'),
    );
  });

  it('reports the hidden columns', async () => {
    const hidden = async (columns: number) => {
      const { terminal } = screen({ columns });
      const options = { format: 'table', showSecrets: false } as const;
      return (await renderList(pagesOf([site]), narrowing, options, terminal)).hiddenColumns;
    };
    expect([await hidden(200), await hidden(50), await hidden(24)]).toEqual([
      [],
      ['Description'],
      ['Pushed', 'Topics', 'Description'],
    ]);
  });

  it('drops the names and the visibility of records of any kind last', async () => {
    const record = { id: 7, node_id: 'R_kgDOA', full_name: 'acme/site', fork: false, visibility: 'private', size: 12 };
    const { terminal, out } = screen({ columns: 26 });
    const { hiddenColumns } = await renderList(
      pagesOf([record]),
      [],
      { format: 'table', showSecrets: false },
      terminal,
    );
    expect(out()).toBe('ID  FULL NAME  VISIBILITY\n7   acme/site  private\n');
    expect(hiddenColumns).toEqual(['Node ID', 'Fork', 'Size']);
  });

  it('has an optional column only if a record has a value for it', async () => {
    const optional: readonly Column<{ name: string; error?: string }>[] = [
      { header: 'Name', get: 'name' },
      { header: 'Error', get: 'error', optional: true },
    ];
    expect(await tableOf([{ name: 'a' }, { name: 'b' }], optional)).toBe('NAME\na\nb\n');
    expect(await tableOf([{ name: 'a' }, { name: 'b', error: 'x' }], optional)).toBe('NAME  ERROR\na     -\nb     x\n');
  });

  it('never drops requested fields', async () => {
    const fields = ['name', 'owner.login', 'pushed_at', 'description'];
    expect(await tableOf([site], columns, { columns: 40, fields })).toBe(
      'NAME         site\nOWNER.LOGIN  acme\nPUSHED_AT    3 days ago\nDESCRIPTION  The website\n',
    );
  });

  it('breaks a path after a slash', async () => {
    const shown: Column<{ id: number; path: string }>[] = [
      { header: 'Id', get: 'id', priority: 1 },
      { header: 'Path', get: 'path', as: 'message', priority: 1 },
    ];
    const records = [{ id: 1, path: 'GET /orgs/{org}/private-registries/public-key' }];
    expect(await tableOf(records, shown, { columns: 36 })).toBe(
      ['ID  PATH', '1   GET', '    /orgs/{org}/private-registries/', '    public-key', ''].join('\n'),
    );
  });

  it('wraps a message instead of truncating it', async () => {
    const findings = [{ file: 'main.yaml', message: 'rules.0.type must be one of creation, update, deletion' }];
    const shown: Column<(typeof findings)[number]>[] = [
      { header: 'File', get: 'file', priority: 1 },
      { header: 'Message', get: 'message', as: 'message', priority: 1 },
    ];
    expect(await tableOf(findings, shown, { columns: 40 })).toBe(
      [
        'FILE       MESSAGE',
        'main.yaml  rules.0.type must be one of',
        '           creation, update, deletion',
        '',
      ].join('\n'),
    );
  });

  it('truncates between characters, never within one', async () => {
    const records = [{ name: '日本語のとても長い名前', id: 12345678 }];
    const shown: Column<{ name: string; id: number }>[] = [
      { header: 'Id', get: 'id' },
      { header: 'Name', get: 'name', as: 'text' },
    ];
    expect(await tableOf(records, shown, { columns: 25 })).toBe('ID        NAME\n12345678  日本語のとても…\n');
    expect(await tableOf(records, shown, { columns: 24 })).toBe('ID        NAME\n12345678  日本語のとて…\n');
    expect(await tableOf(records, shown, { columns: 23 })).toBe('ID        NAME\n12345678  日本語のとて…\n');
  });

  it('never exceeds the terminal width', async () => {
    const record = { ...site, name: '名'.repeat(40), description: '👩‍🚀 '.repeat(40), topics: ['é'.repeat(50)] };
    for (let width = 20; width < 120; width++) {
      const lines = (await tableOf([record], narrowing, { columns: width })).trimEnd().split('\n');
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('is not truncated without a line limit', async () => {
    const record = { name: 'x'.repeat(500) };
    expect(await tableOf([record], [{ header: 'Name', get: 'name' }], { columns: Number.POSITIVE_INFINITY })).toBe(
      `NAME\n${'x'.repeat(500)}\n`,
    );
  });

  it('has a bold header with colour, and no escape sequence without it', async () => {
    const shown: Column<Repository>[] = [{ header: 'Name', get: 'name' }];
    expect(await tableOf([site], shown, { color: true, tty: true })).toBe('\x1b[1mNAME\x1b[22m\nsite\n');
    expect(await tableOf([site], shown, { tty: true })).toBe('NAME\nsite\n');
  });

  it('colors states by their meaning, and pads outside of the colors', async () => {
    const hooks = ['enabled', 'testing', 'disabled', 'failed', 'unheard-of'].map((state) => ({ state, id: 1 }));
    const shown: Column<(typeof hooks)[number]>[] = [
      { header: 'State', get: 'state', as: 'state' },
      { header: 'Id', get: 'id' },
    ];
    expect((await tableOf(hooks, shown, { color: true, tty: true })).split('\n').slice(1)).toEqual([
      '\x1b[32menabled\x1b[39m     1',
      '\x1b[35mtesting\x1b[39m     1',
      '\x1b[36mdisabled\x1b[39m    1',
      '\x1b[31mfailed\x1b[39m      1',
      'unheard-of  1',
      '',
    ]);
    expect(await tableOf(hooks, shown, { tty: true })).not.toContain('\x1b');
  });

  it('links to the page of a record, if the terminal supports links', async () => {
    const records = [
      { name: 'site', html_url: 'https://ghe.example.com/acme/site' },
      { name: 'none', html_url: null },
    ];
    const shown: Column<(typeof records)[number]>[] = [{ header: 'Name', get: 'name', link: true }];
    const link = '\x1b]8;;https://ghe.example.com/acme/site\x1b\\site\x1b]8;;\x1b\\';
    expect(await tableOf(records, shown, { links: true, tty: true })).toBe(`NAME\n${link}\nnone\n`);
    expect(await tableOf(records, shown, { tty: true })).toBe('NAME\nsite\nnone\n');
    expect(await tableOf(records, shown, { links: true, tty: true, plain: true })).toBe('NAME\nsite\nnone\n');
  });

  it.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'not a URL',
    'https://user:password@ghe.example.com/',
    `https://ghe.example.com/${'x'.repeat(2100)}`,
    7,
  ])('has no link for %j', async (html_url) => {
    const shown: Column<{ html_url: unknown }>[] = [{ header: 'Name', get: () => 'site', link: true }];
    expect(await tableOf([{ html_url }], shown, { links: true, tty: true })).toBe('NAME\nsite\n');
  });

  it('prints no address with escape sequences', async () => {
    const shown: Column<{ html_url: string }>[] = [{ header: 'Name', get: () => 'site', link: true }];
    const html_url = 'https://ghe.example.com/a\x1b\\\x07\x9c\n\u202e;b';
    expect(await tableOf([{ html_url }], shown, { links: true, tty: true })).toBe(
      'NAME\n\x1b]8;;https://ghe.example.com/a%1B/%07%C2%9C%E2%80%AE;b\x1b\\site\x1b]8;;\x1b\\\n',
    );
  });

  const languages = [
    { language: 'TypeScript', bytes: 1_500_000, share: 0.75 },
    { language: 'Shell', bytes: 499_000, share: 0.2496 },
    { language: 'Makefile', bytes: 800, share: 0.0004 },
  ];
  const drawn: Column<(typeof languages)[number]>[] = [
    { header: 'Language', get: 'language', as: 'name', priority: 1 },
    { header: 'Size', get: 'bytes', as: 'bytes', priority: 1 },
    { header: 'Share', get: 'share', as: 'percent', only: 'table' },
    { header: 'Drawn', get: 'share', as: 'bar', only: 'table' },
  ];

  it('draws bars on a terminal, the longest for the largest, next to the numbers', async () => {
    expect(await tableOf(languages, drawn, { tty: true })).toBe(
      [
        'LANGUAGE      SIZE  SHARE',
        'TypeScript  1.4 MB  75.0%  ████████████',
        'Shell       487 KB  25.0%  ████',
        'Makefile     800 B  <0.1%  ▏',
        '',
      ].join('\n'),
    );
  });

  it('draws in ASCII if the terminal supports nothing else', async () => {
    const [, , shell] = (await tableOf(languages, drawn, { tty: true, utf8: false })).split('\n');
    expect(shell).toBe('Shell       487 KB  25.0%  ####');
  });

  it.each([{ tty: false }, { tty: true, plain: true }])(
    'draws no bars with %j, but keeps the numbers',
    async (settings) => {
      expect((await tableOf(languages, drawn, settings)).split('\n').slice(0, 2)).toEqual([
        'LANGUAGE      SIZE  SHARE',
        'TypeScript  1.4 MB  75.0%',
      ]);
    },
  );

  it('shows how full a limit is, with a colour for its level', async () => {
    const shown: Column<{ used: number }>[] = [{ header: 'Used', get: 'used', as: 'meter' }];
    const records = [{ used: 0.25 }, { used: 0.9 }, { used: 3 }];
    expect(await tableOf(records, shown, { tty: true, color: true })).toBe(
      [
        '\x1b[1m\x1b[22m',
        '\x1b[32m███░░░░░░░░░\x1b[39m',
        '\x1b[35m██████████▊░\x1b[39m',
        '\x1b[31m████████████\x1b[39m',
        '',
      ].join('\n'),
    );
  });

  it.each([true, false])('neutralises text from the server (terminal: %s)', async (tty) => {
    const shown: Column<{ name: string }>[] = [{ header: 'Name', get: 'name' }];
    expect(await tableOf([{ name: hostile }], shown, { tty, columns: 200 })).toBe(
      'NAME\na\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi j k\n',
    );
  });

  it('shows the requested fields, each under its path, formatted like their columns', async () => {
    const shown: Column<Repository>[] = [{ header: 'Pushed', get: 'pushed_at', as: 'date' }];
    expect(await tableOf([site], shown, { fields: ['owner.login', 'pushed_at', 'nothing'] })).toBe(
      'OWNER.LOGIN  PUSHED_AT   NOTHING\nacme         2024-06-07  -\n',
    );
  });

  it('shows all fields if there are neither columns nor --fields, and plain values in their own column', async () => {
    expect(await tableOf([{ id: 1 }, { id: 2, name: 'x' }], [])).toBe('ID  NAME\n1   -\n2   x\n');
    expect(await tableOf(['2022-11-28', '2026-03-10'], [])).toBe('VALUE\n2022-11-28\n2026-03-10\n');
  });

  it('masks secrets before they reach a column', async () => {
    const shown: Column<{ temp_clone_token: string }>[] = [
      { header: 'Token', get: (record) => record.temp_clone_token },
    ];
    expect(await tableOf([{ temp_clone_token: 'abc' }], shown)).toBe('TOKEN\n********\n');
  });
});

describe('values in a table', () => {
  const shownAs = async (value: unknown, as?: Appearance) => {
    const text = await tableOf([{ value }], [{ header: 'v', get: (record) => record.value, ...(as ? { as } : {}) }]);
    return text.split('\n')[1];
  };

  it.each([
    ['2024-06-10T12:00:00Z', 'just now'],
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

  it('a number of seconds is a time only in a time column', async () => {
    expect(await shownAs(1_718_017_200)).toBe('1718017200');
    expect(await shownAs(1_718_017_200, 'age')).toBe('1 hour ago');
    expect(await shownAs(1_718_017_200, 'date')).toBe('2024-06-10');
  });

  it.each<[number, Appearance, string]>([
    [3907, 'count', '3,907'],
    [999, 'count', '999'],
    [1234567.25, 'count', '1,234,567.25'],
    [0, 'bytes', '0 B'],
    [1023, 'bytes', '1023 B'],
    [1536, 'bytes', '1.5 KB'],
    [104_857_600, 'bytes', '100 MB'],
    [108, 'kilobytes', '108 KB'],
    [1_363_149, 'kilobytes', '1.3 GB'],
    [200, 'usd', '$200'],
    [1200.5, 'usd', '$1,200.50'],
    [-3, 'usd', '-$3'],
    [0.621, 'percent', '62.1%'],
    [1.2, 'percent', '120.0%'],
  ])('%d as %s is %s', async (value, as, shown) => {
    expect((await shownAs(value, as))?.trim()).toBe(shown);
  });

  it('a yes-no column shows whether there is a value', async () => {
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
