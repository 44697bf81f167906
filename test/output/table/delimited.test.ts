import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RenderOptions, renderList, renderRecord } from '../../../src/output/render.ts';
import type { Column } from '../../../src/output/table/columns.ts';
import { hostile, pagesOf, screen } from '../screen.ts';

const records = [
  {
    name: 'site',
    archived: false,
    pushed_at: '2024-06-07T11:00:00Z',
    size: 12.5,
    topics: ['web', 'docs'],
    owner: { login: 'acme', id: 1 },
    description: 'Says "hi", twice\nthen more',
    token: 'abc',
  },
  { name: '日本語', archived: true, pushed_at: null, size: -1, topics: [], owner: { login: 'acme', id: 1 } },
];

type Shown = (typeof records)[number];

const columns: readonly Column<Shown>[] = [
  { header: 'Name', get: 'name' },
  { header: 'Archived', get: 'archived' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
  { header: 'Size', get: 'size' },
  { header: 'Topics', get: 'topics' },
  { header: 'Owner', get: 'owner' },
  { header: 'Description', get: (record) => record.description },
  { header: 'Token', get: (record) => record.token },
];

async function listed<T>(
  list: readonly T[],
  shown: readonly Column<T>[],
  options: Partial<RenderOptions> & Pick<RenderOptions, 'format'>,
  settings: { tty?: boolean } = {},
) {
  const { terminal, out } = screen(settings);
  await renderList(pagesOf(list), shown, { showSecrets: false, ...options }, terminal);
  return out();
}

/** A reader of CSV, written from RFC 4180 alone. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/y;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (!found) throw new Error('not CSV');
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\n') {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe('a list as TSV', () => {
  it('has no header, exact values, lists joined by commas, objects as JSON, empty nulls, and one line per record', async () => {
    expect(await listed(records, columns, { format: 'tsv' })).toBe(
      'site\tfalse\t2024-06-07T11:00:00Z\t12.5\tweb,docs\t{"login":"acme","id":1}\tSays "hi", twice then more\t********\n' +
        '日本語\ttrue\t\t-1\t\t{"login":"acme","id":1}\t\t\n',
    );
  });

  it('neutralises text from the server, in a pipe too', async () => {
    expect(await listed([{ name: hostile, id: 1 }], [], { format: 'tsv' })).toBe(
      'a\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi j k\t1\n',
    );
  });

  it('has exactly one line per record and one cell per column', async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\t', '\n', '\r\n', 'a\tb\nc'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value, value), { minLength: 1 }), async (rows) => {
        const cells: Column<(typeof rows)[number]>[] = [0, 1, 2].map((at) => ({ header: '', get: (row) => row[at] }));
        const text = await listed(rows, cells, { format: 'tsv', showSecrets: true });
        expect(text.endsWith('\n')).toBe(true);
        const lines = text.slice(0, -1).split('\n');
        expect(lines.map((line) => line.split('\t').length)).toEqual(rows.map(() => 3));
      }),
    );
  });

  it('prints nothing for an empty list and for an empty record', async () => {
    expect(await listed([], columns, { format: 'tsv' })).toBe('');
    const { terminal, out } = screen();
    await renderRecord({}, [], { format: 'tsv', showSecrets: false }, terminal);
    expect(out()).toBe('');
  });

  it('is one line for one record', async () => {
    const { terminal, out } = screen();
    await renderRecord({ enabled: true, paused: false }, [], { format: 'tsv', showSecrets: false }, terminal);
    expect(out()).toBe('true\tfalse\n');
  });
});

describe('a list as CSV', () => {
  it('has a header, quotes as in RFC 4180, and compact JSON for lists and objects', async () => {
    expect(await listed(records, columns, { format: 'csv' })).toBe(
      'name,archived,pushed_at,size,topics,owner,description,token\n' +
        'site,false,2024-06-07T11:00:00Z,12.5,"[""web"",""docs""]","{""login"":""acme"",""id"":1}","Says ""hi"", twice\nthen more",********\n' +
        '日本語,true,,-1,[],"{""login"":""acme"",""id"":1}",,\n',
    );
  });

  it('has one header with the requested fields for all pages', async () => {
    const { terminal, out } = screen();
    const options: RenderOptions = { format: 'csv', fields: ['name', 'owner.login', 'nothing'], showSecrets: false };
    await renderList(pagesOf(records.slice(0, 1), records.slice(1)), columns, options, terminal);
    expect(out()).toBe('name,owner.login,nothing\nsite,acme,\n日本語,acme,\n');
  });

  it('has a header even for an empty list', async () => {
    expect(await listed([], columns.slice(0, 2), { format: 'csv' })).toBe('name,archived\n');
  });

  it('keeps data exact in a pipe and neutralises it on a terminal', async () => {
    const shown: Column<{ name: string }>[] = [{ header: 'Name', get: 'name' }];
    expect(await listed([{ name: hostile }], shown, { format: 'csv' })).toBe(
      `name\n"${hostile.replace('\ud800', '\ufffd')}"\n`,
    );
    expect(await listed([{ name: hostile }], shown, { format: 'csv' }, { tty: true })).toBe(
      'name\n"a\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi\tj\nk"\n',
    );
  });

  it('marks formulas on request', async () => {
    const list = [{ a: '=1+1', b: '+1', c: '-x', d: '@x', e: '\tx', f: '\rx', g: 'a=1', h: -1 }];
    expect(await listed(list, [], { format: 'csv', csvSafe: true })).toBe(
      `a,b,c,d,e,f,g,h\n'=1+1,'+1,'-x,'@x,'\tx,"'\rx",a=1,-1\n`,
    );
    expect(await listed(list, [], { format: 'csv' })).toBe('a,b,c,d,e,f,g,h\n=1+1,+1,-x,@x,\tx,"\rx",a=1,-1\n');
  });

  it.each([
    ' =1+1',
    '    @SUM(A1)',
    '\u00a0+1',
    '\u3000=1',
    '\ufeff=1',
    '\u200b=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' ＝1',
    '﹦1',
  ])('marks %j as a formula on request', async (text) => {
    const quoted = text.includes('\n') ? `"'${text}"` : `'${text}`;
    expect(await listed([{ a: text }], [], { format: 'csv', csvSafe: true })).toBe(`a\n${quoted}\n`);
  });

  it.each([
    ['x;=1+1', "x;'=1+1"],
    ['x\t=1+1', "x\t'=1+1"],
    ['   \t @SUM(A1)', "'   \t' @SUM(A1)"],
    ['x; "=1";@x', `"x;' ""=1"";'@x"`],
    ['\n-1', `"'\n'-1"`],
    ['x\r\n\u200b=1', `"x\r\n'\u200b=1"`],
    ['\0=1', "'\0=1"],
  ])('marks what is a cell where semicolons or tabs separate cells: %j', async (text, marked) => {
    expect(await listed([{ a: text }], [], { format: 'csv', csvSafe: true })).toBe(`a\n${marked}\n`);
  });

  it('marks cells within lists and objects, but not numbers', async () => {
    const list = [{ a: ['x;=1'], b: { 'y;+1': 'z;@1' }, c: ['=1'], d: JSON.rawJSON('-9007199254740993') }];
    expect(await listed(list, [], { format: 'csv', csvSafe: true })).toBe(
      `a,b,c,d\n"[""x;'=1""]","{""y;'+1"":""z;'@1""}","[""=1""]",-9007199254740993\n`,
    );
  });

  it('marks text in linear time', async () => {
    // Looking at the rest of the text after each line break would take minutes.
    const text = ';\n'.repeat(1_000_000);
    expect(await listed([{ a: text }], [], { format: 'csv', csvSafe: true })).toBe(`a\n"${text}"\n`);
  });

  it('marks no other text', async () => {
    const list = [{ a: ' 1+1', b: '日=1', c: '(=1)', d: "'=1", e: 'a; b-c' }];
    expect(await listed(list, [], { format: 'csv', csvSafe: true })).toBe("a,b,c,d,e\n 1+1,日=1,(=1),'=1,a; b-c\n");
  });

  it('can be parsed back unchanged', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '日', "'", '\0') });
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const cells: Column<string[]>[] = (list[0] ?? []).map((_, at) => ({ header: `h${at}`, get: (row) => row[at] }));
        const csv = await listed(list, cells, { format: 'csv', showSecrets: true });
        expect(parseCsv(csv)).toEqual([cells.map(({ header }) => header), ...list]);
      }),
    );
  });

  it('writes no empty line for a single empty cell, since parsers skip those', async () => {
    expect(await listed([{ a: '' }, { a: 'x' }], [], { format: 'csv' })).toBe('a\n""\nx\n');
  });
});
