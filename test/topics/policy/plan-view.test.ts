import { array, assert, constantFrom, property } from 'fast-check';
import { marked } from 'marked';
import { expect, it } from 'vitest';
import type { PlannedChange } from '../../../src/fleet/policy/live/change.ts';
import type { PolicyPlan } from '../../../src/fleet/policy/planning/plan.ts';
import { planMarkdown } from '../../../src/topics/policy/plan-view.ts';

const deletion = (name: string): PlannedChange => ({
  action: 'delete',
  kind: 'ruleset',
  target: 'acme/site',
  name,
  source: 'acme.yaml:1',
  changes: [],
  effect: 'loosens',
  id: 1,
  before: {},
});

const planOf = (changes: readonly PlannedChange[]): PolicyPlan => ({
  plan: 2,
  platform: 'https://ghe.example.com/api/v3',
  identity: null,
  policy_digest: '',
  organizations: ['acme'],
  digest: '',
  changes,
  summary: { create: 0, update: 0, delete: changes.length, unchanged: 0, skipped: 0, unreadable: 0 },
  selections: [],
  requests: { sent: 3, not_modified: 0 },
});

/** The cells of the first row, as a second implementation of Markdown renders them. */
function renderedCells(name: string): string[] {
  const html = marked.parse(planMarkdown(planOf([deletion(name)]), false), { gfm: true, async: false });
  const rows = [...html.matchAll(/<tr>\n([\s\S]*?)<\/tr>/g)].map(([, row = '']) => row);
  expect(rows).toHaveLength(2);
  return [...(rows[1] ?? '').matchAll(/<td>(.*)<\/td>/g)].map(([, cell = '']) => cell);
}

it.each([
  ['@octocat', '`@octocat`'],
  ['ask @acme/owners', '`ask @acme/owners`'],
  ['#12', '`#12`'],
  ['acme/site#12', '`acme/site#12`'],
  ['GH-12', '`GH-12`'],
  ['since 3e5c1e6', '`since 3e5c1e6`'],
  ['https://example.com', '`https://example.com`'],
  ['ftp://example.com', '`ftp://example.com`'],
  ['see www.example.com', '`see www.example.com`'],
  ['someone@example.com', '`someone@example.com`'],
  [':tada:', '`:tada:`'],
  ['$x$', '`$x$`'],
  ['<img src=x>', '`<img src=x>`'],
  ['&#64;octocat', '`&#64;octocat`'],
  ['\\@octocat', '`\\@octocat`'],
  ['[link](https://example.com)', '`[link](https://example.com)`'],
  ['`code` | cell', '`` `code` \\| cell ``'],
  ['a ``` b', '````a ``` b````'],
  ['pipe \\| and \\\\|', '`pipe \\u005c\\| and \\u005c\\u005c\\|`'],
  ['*bold* _words_ snake_case', '`*bold* _words_ snake_case`'],
  ['two\nlines', 'two lines'],
  ['snake_case, “quoted” (new)', 'snake_case, “quoted” (new)'],
  ['evil\u202egnp.exe', '`evil\\u202egnp.exe`'],
  ['\u2066a\u2069\u061c\u200f', '`\\u2066a\\u2069\\u061c\\u200f`'],
  ['\u001b[31mred', '`\\u001b[31mred`'],
])('writes a name as text in Markdown: %j', (name, cell) => {
  expect(planMarkdown(planOf([deletion(name)]), false)).toContain(
    `| \`-\` | ruleset | ${cell} | acme/site | loosens |  |`,
  );
});

it('writes organizations as text in Markdown', () => {
  const selections = [{ organization: '@acme', selected: 1, of: 2, archived: 0 }];
  const plan = { ...planOf([]), organizations: ['@acme'], selections };
  expect(planMarkdown(plan, false)).toMatch(
    /^### Policy plan for `@acme`\n\n`@acme`: 1 of 2 repositories selected\.\nNo changes/,
  );
});

it('is rendered as one cell with nothing but text or code, whatever the name', () => {
  const parts = constantFrom(
    ...['@', '#', '`', '|', '\\', '<b>', '&#64;', 'http://a.b', 'www.a.b', '_', '*', '~~', '[x](y)', '![', '$', ' '],
    ...['\n', '\u202e', '\u2067', 'a', '1', '-', ':', 'GH-1', 'deadbeef', 'é', '日', '\t', '!', '%'],
  );
  assert(
    property(array(parts, { maxLength: 12 }), (those) => {
      const [, , name = '', ...others] = renderedCells(those.join(''));
      expect(others).toEqual(['acme/site', 'loosens', '']);
      const code = /^<code>([^<]*)<\/code>$/.exec(name)?.[1];
      if (code === undefined) expect(name).toMatch(/^(?!.*(www\.|\/\/|GH-|deadbeef))[\wéa-z日 :-]*$/);
      else expect(code).not.toMatch(/[\u202e\u2067]/);
    }),
    { numRuns: 1000 },
  );
});

it('counts the rows that do not fit into a comment', () => {
  const changes = Array.from({ length: 2000 }, (_, number) => deletion(`Ruleset ${number}`));
  const markdown = planMarkdown(planOf(changes), true);
  expect(markdown.length).toBeLessThanOrEqual(60_000);
  const rows = markdown.split('\n').filter((line) => line.startsWith('| `-`')).length;
  expect(rows).toBeGreaterThan(500);
  expect(markdown).toMatch(new RegExp(`\n\n${(2000 - rows).toLocaleString('en')} more rows not shown\\.$`));
});
