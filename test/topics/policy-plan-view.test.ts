import { expect, it } from 'vitest';
import type { PlannedChange } from '../../src/fleet/policy/change.ts';
import type { PolicyPlan } from '../../src/fleet/policy/plan.ts';
import { planMarkdown } from '../../src/topics/policy-plan-view.ts';

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
  plan: 1,
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

it.each([
  ['@octocat', '&#64;octocat'],
  ['<img src=x>', '&#60;img src=x&#62;'],
  ['[link](https://example.com)', '&#91;link&#93;(https://example.com)'],
  ['`code` | cell', '&#96;code&#96; &#124; cell'],
  ['*bold* _words_ snake_case', '&#42;bold&#42; &#95;words&#95; snake_case'],
  ['two\nlines', 'two lines'],
])('writes a name as text in Markdown: %j', (name, cell) => {
  expect(planMarkdown(planOf([deletion(name)]), false)).toContain(
    `| \`-\` | ruleset | ${cell} | acme/site | loosens |  |`,
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
