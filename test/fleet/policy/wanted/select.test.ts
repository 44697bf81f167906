import { describe, expect, it } from 'vitest';
import { loadPolicy } from '../../../../src/fleet/policy/wanted/load.ts';
import type { SelectableRepository } from '../../../../src/fleet/policy/wanted/model.ts';
import { namePattern } from '../../../../src/fleet/policy/wanted/name-pattern.ts';
import { fieldsRead, readsRecords, select } from '../../../../src/fleet/policy/wanted/select.ts';

async function selectorOf(conditions: string) {
  const text = `organizations: [acme]\nrepositories: [{ select: { ${conditions} } }]`;
  const { owners } = await loadPolicy([{ file: 'a.yaml', text }]);
  const selector = owners[0]?.repositories[0]?.select;
  if (!selector) throw new Error('There is no selector.');
  return selector;
}

const repositories: readonly (SelectableRepository & { readonly size: number })[] = [
  { name: 'svc-api', visibility: 'private', topics: ['payments', 'go'], custom_properties: { tier: 'gold' }, size: 10 },
  {
    name: 'SVC-Web',
    visibility: 'internal',
    topics: ['payments'],
    custom_properties: { tier: ['gold', 'eu'] },
    size: 20,
  },
  { name: 'svc-tmp-1', visibility: 'private', topics: [], custom_properties: { tier: null }, size: 30 },
  { name: 'svc-old', visibility: 'private', archived: true, size: 40 },
  { name: 'site', private: false, size: 50 },
];

async function namesSelectedBy(conditions: string): Promise<string[]> {
  const { selected } = await select(await selectorOf(conditions), repositories);
  return selected.map(({ name }) => name);
}

describe('select', () => {
  it.each([
    ['', ['svc-api', 'SVC-Web', 'svc-tmp-1', 'site']],
    ['names: ["svc-*"]', ['svc-api', 'SVC-Web', 'svc-tmp-1']],
    ['names: ["svc-*", "!svc-tmp-*"]', ['svc-api', 'SVC-Web']],
    ['names: ["*", "!svc-*", svc-web]', ['SVC-Web', 'site']],
    ['names: []', []],
    ['archived: true', ['svc-old']],
    ['visibility: [public, internal]', ['SVC-Web', 'site']],
    ['topics: [payments]', ['svc-api', 'SVC-Web']],
    ['topics: [Payments, go]', ['svc-api']],
    ['properties: { tier: [eu, silver] }', ['SVC-Web']],
    ['properties: { tier: [gold], region: [eu] }', []],
    ['properties: { TIER: [silver, gold] }', ['svc-api', 'SVC-Web']],
    ['properties: { nope: ["undefined"], tier: [gold] }', []],
    ['properties: { tier: ["null"] }', []],
    ['where: .size < 30', ['svc-api', 'SVC-Web']],
    ['names: ["svc-*"], where: .size > 10', ['SVC-Web', 'svc-tmp-1']],
  ])('selects by { %s }', async (conditions, names) => {
    expect(await namesSelectedBy(conditions)).toEqual(names);
  });

  it('returns the patterns that match no name, archived repositories included', async () => {
    const selector = await selectorOf('names: ["svc-*", "!svc-old", srv-*, "!x"]');
    const { unmatched } = await select(selector, repositories);
    expect(unmatched.map(({ value }) => value)).toEqual(['srv-*', '!x']);
  });

  it('returns the archived repositories that meet all other conditions', async () => {
    const archived = async (conditions: string) =>
      (await select(await selectorOf(conditions), repositories)).archived.map(({ name }) => name);
    expect(await archived('names: ["svc-*"]')).toEqual(['svc-old']);
    expect(await archived('archived: true')).toEqual([]);
    expect(await archived('names: ["svc-*"], where: .size < 40')).toEqual([]);
  });

  it('throws an error that names the repository for which an expression fails', async () => {
    await expect(namesSelectedBy('where: .name | tonumber')).rejects.toThrow('failed for svc-api');
  });

  it('prints nothing of the repository for which an expression fails', async () => {
    await expect(namesSelectedBy('where: error')).rejects.toThrow(
      'The jq filter “error” failed for svc-api: its message is not shown, as it may quote the record',
    );
  });

  it('stops an expression after its time', async () => {
    const selector = await selectorOf('where: "def f: f; f"');
    await expect(select(selector, repositories, { timeoutMs: 100 })).rejects.toThrow('did not end within 0.1 s');
  });

  it('tells the selectors that read only names', async () => {
    expect(readsRecords(await selectorOf('names: [a], archived: false, expect: 1..2'))).toBe(false);
    for (const conditions of [
      'visibility: [public]',
      'archived: true',
      'topics: [a]',
      'properties: {}',
      'where: .fork',
    ])
      expect(readsRecords(await selectorOf(conditions))).toBe(true);
  });

  it('reads the expected number as a range', async () => {
    expect((await selectorOf('expect: 40..120')).expect).toMatchObject({ least: 40, most: 120 });
    expect((await selectorOf('expect: 7')).expect).toMatchObject({ least: 7, most: 7 });
  });
});

describe('fieldsRead', () => {
  const ofEvery = ['archived', 'full_name', 'id', 'name', 'private', 'topics', 'visibility'];

  it('has what selectors without an expression read', () => {
    expect(fieldsRead([{ where: undefined }])).toEqual(ofEvery);
  });

  it('has the fields that expressions name', async () => {
    const selectors = [await selectorOf('where: .size < 30'), await selectorOf('where: .owner.login == "acme"')];
    expect(fieldsRead(selectors)).toEqual([...ofEvery, 'owner', 'size'].toSorted());
  });

  it('is undefined if an expression may read any field', async () => {
    expect(fieldsRead([await selectorOf('where: "keys | length > 3"')])).toBeUndefined();
  });
});

describe('namePattern', () => {
  it.each([
    ['*', 'anything', true],
    ['svc-*', 'svc-', true],
    ['svc-*', 'xsvc-1', false],
    ['*-api', 'my-api', true],
    ['*-api', 'my-api-2', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['A*C', 'abbc', true],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[^a-c]x', 'dx', true],
    ['[]]x', ']x', true],
    ['[ab', '[ab', true],
    ['a.c', 'abc', false],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['[a]?[b', 'ax[b', true],
    ['[a]?[b', 'axxb', false],
    ['\\]*[', ']x[', true],
  ])('%s matches %s: %s', (pattern, name, matches) => {
    expect(namePattern(pattern)(name)).toBe(matches);
  });

  it('reads unclosed brackets and very long sets in linear time', () => {
    expect(namePattern(`${'['.repeat(1e6)}*`)('site')).toBe(false);
    expect(namePattern(`*[${'x'.repeat(5e5)}]`)('a'.repeat(5000))).toBe(false);
  });

  it('does not try every way to divide a name between many wildcards', () => {
    expect(namePattern(`${'a*'.repeat(200)}b`)('a'.repeat(5000))).toBe(false);
  });
});
