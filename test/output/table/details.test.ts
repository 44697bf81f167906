import { describe, expect, it } from 'vitest';
import { renderRecord } from '../../../src/output/render.ts';
import type { Column } from '../../../src/output/table/columns.ts';
import { hostile, screen } from '../screen.ts';

async function shownDetails<T>(record: T, columns: readonly Column<T>[] = [], fields?: string[]) {
  const { terminal, out } = screen({ tty: true });
  await renderRecord(record, columns, { format: 'table', showSecrets: false, ...(fields ? { fields } : {}) }, terminal);
  return out();
}

const ruleset = {
  id: 7,
  name: 'main',
  created_at: '2024-06-07T12:00:00Z',
  protected: true,
  note: null,
  token: 'abc',
  targets: ['branch', 'tag'],
  conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
  rules: [{ type: 'creation' }, { type: 'merge_queue', parameters: { merge_method: 'SQUASH' } }, 'odd'],
};

describe('one record as a table', () => {
  it('labels every field, and indents nested fields below their label', async () => {
    expect(await shownDetails(ruleset)).toBe(
      [
        'ID          7',
        'Name        main',
        'Created at  3 days ago',
        'Protected   yes',
        'Note        -',
        'Token       ********',
        'Targets     branch, tag',
        'Conditions',
        '  Ref name',
        '    Include  ~ALL',
        '    Exclude  -',
        'Rules',
        '  - Type  creation',
        '  - Type        merge_queue',
        '    Parameters',
        '      Merge method  SQUASH',
        '  - odd',
        '',
      ].join('\n'),
    );
  });

  it('spells initialisms in labels, and leaves names that are not fields unchanged', async () => {
    const record = {
      node_id: 'R_1',
      html_url: 'https://ghe.example.com',
      selected_repository_ids: [7],
      'Content-Type': 1,
    };
    expect(await shownDetails(record)).toBe(
      [
        'Node ID                  R_1',
        'HTML URL                 https://ghe.example.com',
        'Selected repository IDs  7',
        'Content-Type             1',
        '',
      ].join('\n'),
    );
  });

  it('shows the given columns instead, if any', async () => {
    const columns: Column<typeof ruleset>[] = [
      { header: 'Name', get: 'name' },
      { header: 'Includes', get: (record) => record.conditions.ref_name.include },
    ];
    expect(await shownDetails(ruleset, columns)).toBe('Name      main\nIncludes  ~ALL\n');
  });

  it('shows the requested fields', async () => {
    expect(await shownDetails(ruleset, [], ['rules.type', 'missing'])).toBe(
      'rules.type  creation, merge_queue\nmissing     -\n',
    );
  });

  it('shows exact names below requested fields and below columns whose names are data', async () => {
    expect(await shownDetails(ruleset, [], ['conditions'])).toBe(
      'conditions\n  ref_name\n    include  ~ALL\n    exclude  -\n',
    );
    const columns: Column<{ verdicts: object }>[] = [{ header: 'Verdicts', get: 'verdicts', exactNames: true }];
    expect(await shownDetails({ verdicts: { guard: [{ non_fast_forward: 'fail' }] } }, columns)).toBe(
      'Verdicts\n  guard\n    - non_fast_forward  fail\n',
    );
  });

  it('keeps the lines of a text aligned', async () => {
    expect(await shownDetails({ id: 1, body: 'First\r\n\tsecond\x1b[2J\nthird\n' })).toBe(
      'ID    1\nBody  First\n      \tsecond\\u001b[2J\n      third\n',
    );
  });

  it('neutralises values and names from the server', async () => {
    expect(await shownDetails({ [hostile]: 'x', b: hostile.replaceAll(/[\n\r]/g, '') })).toBe(
      [
        'a\\u001b]0;evil\\u0007b\\u009b2Jc d\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi j k  x',
        'B',
        `  a\\u001b]0;evil\\u0007b\\u009b2Jcd\\u202ee\\u200bf\\u2066g\\ud800h\\u007fi jk`,
        '',
      ].join('\n'),
    );
  });

  it('is fast for deep records and texts with many lines', async () => {
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ inner, list: [{ a: 1 }, { b: 2 }] }), {
      text: 'line\n'.repeat(400),
    });
    expect((await shownDetails(deep)).split('\n').filter((line) => line.trim().endsWith('line'))).toHaveLength(400);
  });

  it('prints a text of any length on as many lines as it needs', async () => {
    const lines = (await shownDetails({ id: 1, content: 'x'.repeat(1_000_000) })).split('\n');
    expect(lines.slice(0, 2)).toEqual(['ID       1', 'Content']);
    expect(lines[2]).toBe(`  ${'x'.repeat(78)}`);
    expect(lines).toHaveLength(12_824);
  });

  it('keeps nested values of groups within the terminal width', async () => {
    const columns: Column<{ rules: object }>[] = [{ header: 'Rules', get: 'rules', group: 'Verdicts' }];
    const words = ['x'.repeat(36), 'y'.repeat(37)];
    expect(await shownDetails({ rules: { a: words.join(' ') } }, columns)).toBe(
      `Verdicts\n  Rules\n    A  ${words[0]}\n       ${words[1]}\n`,
    );
  });

  it('shows groups under headings, without fields that the record lacks', async () => {
    const columns: Column<{ name: string; private?: boolean; note?: string | null }>[] = [
      { header: 'Name', get: 'name', group: 'About' },
      { header: 'Private', get: 'private', group: 'Access' },
      { header: 'Note', get: 'note', group: 'Access' },
    ];
    expect(await shownDetails({ name: 'site', note: null }, columns)).toBe(
      'About\n  Name  site\n\nAccess\n  Note  -\n',
    );
  });

  it('aligns names of wide characters', async () => {
    expect(await shownDetails({ 言語: 1, C: 2 })).toBe('言語  1\nC     2\n');
  });

  it('truncates a name wider than any terminal needs', async () => {
    expect(await shownDetails({ ['n'.repeat(81)]: 1, ['漢'.repeat(41)]: 2 })).toBe(
      `N${'n'.repeat(78)}…\n  1\n${'漢'.repeat(39)}…\n  2\n`,
    );
  });

  it('prints nothing for the empty record of a 204', async () => {
    expect(await shownDetails({})).toBe('');
    expect(await shownDetails<{ name?: string }>({}, [{ header: 'Name', get: 'name' }])).toBe('');
  });
});
