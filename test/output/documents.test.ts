import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { FieldPathError } from '../../src/output/fields.ts';
import { type Format, type RenderOptions, renderList, renderRecord } from '../../src/output/render.ts';
import { hostile, pagesOf, screen } from './screen.ts';

type Settings = Partial<Omit<RenderOptions, 'format'>> & { tty?: boolean };

async function recordAs(format: Format, record: unknown, { tty = false, ...options }: Settings = {}) {
  const { terminal, out } = screen({ tty });
  await renderRecord(record, [], { format, showSecrets: false, ...options }, terminal);
  return out();
}

async function listAs(
  format: Format,
  pages: readonly (readonly unknown[])[],
  { tty = false, ...options }: Settings = {},
) {
  const { terminal, out } = screen({ tty });
  await renderList(pagesOf(...pages), [], { format, showSecrets: false, ...options }, terminal);
  return out();
}

const site = { name: 'site', id: 1, owner: { login: 'acme', id: 2 }, gone: undefined, none: null, token: 'abc' };

describe('JSON', () => {
  it('is indented by two spaces, with a newline at the end and secrets masked', async () => {
    expect(await recordAs('json', site)).toBe(
      '{\n  "name": "site",\n  "id": 1,\n  "owner": {\n    "login": "acme",\n    "id": 2\n  },\n  "none": null,\n  "token": "********"\n}\n',
    );
  });

  it('shows secrets on request', async () => {
    expect(await recordAs('json', { token: 'abc', url: 'https://h.example/?sig=x' }, { showSecrets: true })).toBe(
      '{\n  "token": "abc",\n  "url": "https://h.example/?sig=x"\n}\n',
    );
  });

  it('is one array for any number of pages', async () => {
    const text = '[\n  {\n    "id": 1\n  },\n  {\n    "id": 2\n  },\n  {\n    "id": 3\n  }\n]\n';
    expect(await listAs('json', [[{ id: 1 }, { id: 2 }, { id: 3 }]])).toBe(text);
    expect(await listAs('json', [[], [{ id: 1 }], [], [{ id: 2 }, { id: 3 }], []])).toBe(text);
  });

  it('is an empty array for an empty list, and an empty object for a 204', async () => {
    expect(await listAs('json', [])).toBe('[]\n');
    expect(await listAs('json', [[]])).toBe('[]\n');
    expect(await recordAs('json', {})).toBe('{}\n');
  });

  it('keeps data exact in a pipe, and on a terminal escapes what JSON itself does not', async () => {
    expect(await recordAs('json', hostile)).toBe(
      '"a\\u001b]0;evil\\u0007b\x9b2Jc\\rd\u202ee\u200bf\u2066g\\ud800h\x7fi\\tj\\r\\nk"\n',
    );
    expect(await recordAs('json', hostile, { tty: true })).toBe(
      '"a\\u001b]0;evil\\u0007b\\u009b2Jc\\rd\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi\\tj\\r\\nk"\n',
    );
  });
});

describe('NDJSON', () => {
  it('is one compact record per line, for one record too', async () => {
    expect(await listAs('ndjson', [[site, { id: 2 }], [{ id: 3 }]])).toBe(
      '{"name":"site","id":1,"owner":{"login":"acme","id":2},"none":null,"token":"********"}\n{"id":2}\n{"id":3}\n',
    );
    expect(await recordAs('ndjson', { id: 1, name: 'a\nb' })).toBe('{"id":1,"name":"a\\nb"}\n');
    expect(await recordAs('ndjson', {})).toBe('{}\n');
    expect(await listAs('ndjson', [])).toBe('');
  });

  it('is escaped on a terminal', async () => {
    expect(await listAs('ndjson', [[{ name: '\u202ex\x9b' }]], { tty: true })).toBe('{"name":"\\u202ex\\u009b"}\n');
  });
});

describe('YAML', () => {
  it('is a mapping for a record and one sequence for a list', async () => {
    expect(await recordAs('yaml', site)).toBe(
      'name: site\nid: 1\nowner:\n  login: acme\n  id: 2\nnone: null\ntoken: "********"\n',
    );
    expect(await listAs('yaml', [[{ id: 1, topics: ['a'] }], [], [{ id: 2 }]])).toBe(
      '- id: 1\n  topics:\n    - a\n- id: 2\n',
    );
    expect(await listAs('yaml', [])).toBe('[]\n');
    expect(await recordAs('yaml', {})).toBe('{}\n');
  });

  it('quotes text that an older parser would read as something else', async () => {
    expect(await recordAs('yaml', { a: 'no', b: '012', c: '2024-06-07T12:00:00Z', d: '~', e: 'Main Street' })).toBe(
      'a: "no"\nb: "012"\nc: "2024-06-07T12:00:00Z"\nd: "~"\ne: Main Street\n',
    );
  });

  it('keeps lines readable and never folds long ones', async () => {
    expect(await recordAs('yaml', { body: 'one\ntwo\n', long: 'word '.repeat(40).trim() })).toBe(
      `body: |\n  one\n  two\nlong: ${'word '.repeat(40).trim()}\n`,
    );
  });

  it('escapes control characters for a terminal', async () => {
    expect(await recordAs('yaml', { name: hostile, '\u202e': '\ufeff' })).toBe(
      'name: "a\\u001b]0;evil\\u0007b\\u009b2Jc\\rd\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi\\tj\\r\\nk"\n"\\u202e": "\\ufeff"\n',
    );
  });

  it('can be parsed back unchanged', async () => {
    const text = fc.string({ unit: 'binary' });
    const value = fc.letrec((tie) => ({
      any: fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(tie('any')), tie('object')),
      object: fc.dictionary(text, tie('any'), { noNullPrototype: true }),
    })).object;
    await fc.assert(
      fc.asyncProperty(fc.array(value), async (list) => {
        const half = Math.floor(list.length / 2);
        const yaml = await listAs('yaml', [list.slice(0, half), list.slice(half)], { showSecrets: true });
        expect(parse(yaml)).toEqual(list);
      }),
    );
  });
});

describe('fields in documents', () => {
  const ruleset = {
    id: 7,
    name: 'main',
    actor: null,
    conditions: { ref_name: { include: ['~ALL'], exclude: [] }, other: 1 },
    rules: [{ type: 'creation' }, { type: 'update', parameters: { a: 1 } }],
  };

  it.each<[fields: string[], json: string]>([
    [['name', 'id'], '{"name":"main","id":7}'],
    [['conditions.ref_name.include'], '{"conditions":{"ref_name":{"include":["~ALL"]}}}'],
    [['rules.type'], '{"rules":[{"type":"creation"},{"type":"update"}]}'],
    [['rules.parameters.a'], '{"rules":[{},{"parameters":{"a":1}}]}'],
    [['conditions.other', 'conditions'], '{"conditions":{"ref_name":{"include":["~ALL"],"exclude":[]},"other":1}}'],
    [['missing', 'id.deeper', 'actor.login'], '{"id":7,"actor":null}'],
    [['missing'], '{}'],
    [[' name '], '{"name":"main"}'],
  ])('%j keeps the nesting, and absent fields stay absent', async (fields, json) => {
    expect(await recordAs('ndjson', ruleset, { fields })).toBe(`${json}\n`);
  });

  it('is the same in JSON, NDJSON and YAML, for lists and records', async () => {
    const fields = ['owner.login'];
    expect(await listAs('json', [[site]], { fields })).toBe(
      '[\n  {\n    "owner": {\n      "login": "acme"\n    }\n  }\n]\n',
    );
    expect(await listAs('ndjson', [[site]], { fields })).toBe('{"owner":{"login":"acme"}}\n');
    expect(await listAs('yaml', [[site]], { fields })).toBe('- owner:\n    login: acme\n');
    expect(await recordAs('yaml', site, { fields })).toBe('owner:\n  login: acme\n');
  });

  it('treats fields with the names of prototypes as data, and reads nothing from the prototype', async () => {
    const record = JSON.parse('{"__proto__":{"polluted":"yes"},"a":1}');
    const fields = ['__proto__.polluted', 'constructor.name', 'toString', 'a'];
    expect(await recordAs('ndjson', record, { fields })).toBe('{"__proto__":{"polluted":"yes"},"a":1}\n');
    expect(await recordAs('tsv', record, { fields })).toBe('yes\t\t\t1\n');
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it.each(['', '.', 'a.', '.a', 'a..b', ' '])('the path "%s" is rejected before any request', async (path) => {
    const pages = {
      [Symbol.asyncIterator]: () => {
        throw new Error('the list was asked for');
      },
    };
    const listing = renderList(
      pages,
      [],
      { format: 'json', fields: ['name', path], showSecrets: false },
      screen().terminal,
    );
    await expect(listing).rejects.toThrow(FieldPathError);
    await expect(listing).rejects.toThrow(
      `“${path}” is not a valid field path. Separate names with single dots, for example owner.login.`,
    );
  });
});

describe('lines of fields', () => {
  it('have a name, a tab and the cell of TSV, with nested values as JSON, and secrets masked', async () => {
    expect(await recordAs('tsv', site, { fieldLines: true })).toBe(
      'name\tsite\nid\t1\nowner\t{"login":"acme","id":2}\ngone\t\nnone\t\ntoken\t********\n',
    );
  });

  it('are the value alone for a record of one field, and one line with selected fields', async () => {
    expect(await recordAs('tsv', { names: ['a', 'b'] }, { fieldLines: true })).toBe('a,b\n');
    expect(await recordAs('tsv', site, { fieldLines: true, fields: ['name', 'id'] })).toBe('site\t1\n');
  });

  it('cannot be forged by a name or a value', async () => {
    const text = await recordAs('tsv', { 'a\nb': 'c\td\ne', f: 1 }, { fieldLines: true });
    expect(text.split('\n').map((line) => line.split('\t').length)).toEqual([2, 2, 1]);
  });
});
