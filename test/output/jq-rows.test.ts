import { describe, expect, it } from 'vitest';
import { JqError } from '../../src/jq/jq.ts';
import { parseJson } from '../../src/json/exact-json.ts';
import { type Format, type RenderOptions, renderList, renderRecord } from '../../src/output/render.ts';
import { hostile, pagesOf, screen } from './screen.ts';

const pages = [
  [
    { name: 'site', size: 12, owner: { login: 'acme' }, topics: ['a', 'b'], token: 'secret-1' },
    { name: 'a,"b"', size: null, owner: { login: 'acme' }, topics: [], token: 'secret-2' },
  ],
  [{ name: '=1+1', size: 3, owner: { login: 'globex' }, topics: [], token: '' }],
];

async function rows(jq: string, format: Format, options: Partial<RenderOptions> = {}, tty = false) {
  const { terminal, out } = screen({ tty });
  await renderList(pagesOf(...pages), [], { format, showSecrets: false, jq, ...options }, terminal);
  return out();
}

describe('--jq with rows', () => {
  it.each<[format: Format, expected: string]>([
    ['csv', 'name,org\nsite,acme\n"a,""b""",acme\n=1+1,globex\n'],
    ['tsv', 'site\tacme\na,"b"\tacme\n=1+1\tglobex\n'],
    ['table', 'NAME   ORG\nsite   acme\na,"b"  acme\n=1+1   globex\n'],
  ])('prints objects as %s', async (format, expected) => {
    expect(await rows('.[] | {name, org: .owner.login}', format)).toBe(expected);
    expect(await rows('map({name, org: .owner.login})', format)).toBe(expected);
  });

  it.each<[format: Format, expected: string]>([
    ['csv', 'repository,kilobytes\nsite,12\n"a,""b""",\n=1+1,3\n'],
    ['tsv', 'repository\tkilobytes\nsite\t12\na,"b"\t\n=1+1\t3\n'],
    ['table', '1           2\nrepository  kilobytes\nsite        12\na,"b"       -\n=1+1        3\n'],
  ])('prints arrays as %s, without names', async (format, expected) => {
    expect(await rows('["repository", "kilobytes"], (.[] | [.name, .size])', format)).toBe(expected);
    expect(await rows('[["repository", "kilobytes"]] + map([.name, .size])', format)).toBe(expected);
  });

  it('prints single values as rows of one cell', async () => {
    expect(await rows('.[].size', 'csv')).toBe('12\n""\n3\n');
    expect(await rows('length, "ready", true', 'tsv')).toBe('3\nready\ntrue\n');
  });

  it('has a column for each field in any result', async () => {
    expect(await rows('{a: 1}, {b: 2}, {a: 3, b: 4}', 'csv')).toBe('a,b\n1,\n,2\n3,4\n');
  });

  it('prints nothing without results', async () => {
    for (const format of ['csv', 'tsv', 'table'] as const) expect(await rows('empty', format)).toBe('');
    expect(await rows('[]', 'tsv')).toBe('');
  });

  it('applies to a record', async () => {
    const { terminal, out } = screen();
    const options: RenderOptions = { format: 'csv', showSecrets: false, jq: '{id}' };
    await renderRecord(parseJson('{"id":9007199254740993}'), [], options, terminal);
    expect(out()).toBe('id\n9007199254740993\n');
  });

  it('applies after --fields, and keeps secrets masked', async () => {
    expect(await rows('.[0] | keys', 'tsv', { fields: ['size', 'name'] })).toBe('name\tsize\n');
    expect(await rows('.[] | {token}', 'csv')).toBe('token\n********\n********\n""\n');
  });

  it('neutralises formulas and control characters', async () => {
    expect(await rows('.[2] | {name}', 'csv', { csvSafe: true })).toBe("name\n'=1+1\n");
    const { terminal, out } = screen({ tty: true });
    await renderRecord({ name: hostile }, [], { format: 'table', showSecrets: false, jq: '{name}' }, terminal);
    for (const character of ['\x1b', '\x9b', '\u202e']) expect(out()).not.toContain(character);
  });

  it.each([
    ['.[] | {owner}', '“owner” of a result is an object, but table, tsv and csv show flat objects and arrays'],
    ['.[] | {topics}', '“topics” of a result is an array, but table, tsv and csv show flat objects and arrays'],
    [
      '.[] | [.name, .owner]',
      'element 1 of a result is an object, but table, tsv and csv show flat objects and arrays',
    ],
    ['.', '“owner” of a result is an object, but table, tsv and csv show flat objects and arrays'],
    ['{a: 1}, [2]', 'some results are objects and others are not'],
  ])('rejects the nested results of %s', async (jq, reason) => {
    const failed = rows(jq, 'csv');
    await expect(failed).rejects.toThrow(JqError);
    await expect(failed).rejects.toThrow(`The jq filter “${jq}” failed: ${reason}`);
  });
});
