import { array, assert, constantFrom, property } from 'fast-check';
import { marked } from 'marked';
import { expect, it } from 'vitest';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import type { Given } from '../../../../src/platform/validate.ts';
import { planMarkdown } from '../../../../src/topics/policy/rendering/markdown.ts';

const deletion = (name: string, before: Given = {}): PlannedChange => ({
  action: 'delete',
  kind: 'ruleset',
  target: 'acme/site',
  name,
  source: 'acme.yaml:1',
  changes: [],
  effect: 'loosens',
  id: 1,
  before,
});

const markdownOf = (changes: readonly PlannedChange[], totals: readonly string[] = ['1 change.']) =>
  planMarkdown({ organizations: ['acme'], changes }, totals, {});

const htmlOf = (markdown: string): string => marked.parse(markdown, { gfm: true, async: false });

it.each([
  ['@octocat', '`@octocat`'],
  ['ask @acme/owners', '`ask @acme/owners`'],
  ['#12', '`#12`'],
  ['acme/site#12', '`acme/site#12`'],
  ['GH-12', '`GH-12`'],
  ['TICKET-7', '`TICKET-7`'],
  ['GHSA-jfh8-c2jp-5v3q', '`GHSA-jfh8-c2jp-5v3q`'],
  ['team-b', 'team-b'],
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
  ['`code` here', '`` `code` here ``'],
  ['a ``` b', '````a ``` b````'],
  ['*bold* _words_ snake_case', '`*bold* _words_ snake_case`'],
  ['snake_case, “quoted” (new)', 'snake_case, “quoted” (new)'],
  ['evil\u202egnp.exe', '`evil\\u202egnp.exe`'],
  ['\u2066a\u2069\u061c\u200f', '`\\u2066a\\u2069\\u061c\\u200f`'],
  ['\u001b[31mred', '`\\u001b[31mred`'],
])('writes totals as text in Markdown: %j', (total, text) => {
  expect(markdownOf([], [total])).toBe(`### Policy plan for acme\n\n${text}`);
});

it('writes text with any number of backticks as code', () => {
  const total = `${'` '.repeat(200_000)}x`;
  expect(markdownOf([], [total])).toBe(`### Policy plan for acme\n\n\`\` ${total} \`\``);
});

it('writes text of any length', () => {
  const total = 'ab'.repeat(8_000_000);
  expect(markdownOf([], [total]).endsWith(`\n\n\`${total}\``)).toBe(true);
});

it('writes organizations as text in Markdown', () => {
  expect(planMarkdown({ organizations: ['@acme'], changes: [] }, ['No changes.'], {})).toBe(
    '### Policy plan for `@acme`\n\nNo changes.',
  );
});

it('shows what loosens, deletes or cannot be planned, and folds the rest', () => {
  const settings = { kind: 'settings', target: 'acme', name: '', source: 'acme.yaml:1', action: 'update' } as const;
  const markdown = markdownOf(
    [
      {
        ...settings,
        effect: 'loosens',
        changes: [{ path: 'default_repository_permission', from: 'none', to: 'read' }],
        before: { default_repository_permission: 'none' },
        body: { default_repository_permission: 'read' },
      },
      {
        ...settings,
        target: 'acme/site',
        changes: [{ path: 'description', from: 'Old\n::error::x', to: 'New\n::error::x' }],
        before: { description: 'Old\n::error::x' },
        body: { description: 'New\n::error::x' },
      },
      deletion('Old'),
      { ...settings, target: 'acme/docs', action: 'unreadable', changes: [], reason: 'returned 404' },
    ],
    ['3 changes.', 'Attention: 1 change loosens protection.'],
  );
  expect(markdown).toBe(`### Policy plan for acme

3 changes.
Attention: 1 change loosens protection.

\`\`\`diff
~ settings · acme (loosens)
    default_repository_permission: none → read (loosens)

- ruleset Old · acme/site (loosens)

? settings · acme/docs
    returned 404
\`\`\`

<details><summary>1 other change</summary>

\`\`\`diff
~ settings · acme/site
    description:
-       Old
+       New
      | ::error::x
\`\`\`

</details>`);
});

it('is rendered as code alone, whatever names and values are', () => {
  const parts = constantFrom(
    ...['@', '#', '`', '```', '~~~', '|', '\\', '<b>', '</details>', '&#64;', 'http://a.b', 'www.a.b', '_', '*'],
    ...[
      '[x](y)',
      '![',
      '$',
      ' ',
      '\n',
      '\n\n',
      '\u202e',
      '\u2067',
      'a',
      '1',
      '-',
      ':',
      '::',
      'deadbeef',
      'é',
      '日',
      '\t',
    ],
  );
  assert(
    property(array(parts, { maxLength: 12 }), (those) => {
      const text = those.join('');
      const markdown = markdownOf([deletion(text, { name: text, note: text, [text]: [{ text }] })]);
      const [, code = '', rest] =
        /^<h3>Policy plan for acme<\/h3>\n<p>1 change\.<\/p>\n<pre><code class="language-diff">([^<]*)<\/code><\/pre>\n(.*)$/s.exec(
          htmlOf(markdown),
        ) ?? [];
      expect(rest).toBe('');
      expect(code).toMatch(/^- ruleset /);
      expect(code).not.toMatch(/[\u202e\u2067]/);
      expect(markdown).not.toMatch(/^\s*::/m);
    }),
    { numRuns: 300 },
  );
});

it('counts the changes that do not fit into a comment', () => {
  const changes = Array.from({ length: 3000 }, (_, number) => deletion(`Ruleset ${number}`));
  const markdown = markdownOf(changes);
  expect(markdown.length).toBeLessThanOrEqual(60_000);
  const shown = markdown.split('\n').filter((line) => line.startsWith('- ruleset')).length;
  expect(shown).toBeGreaterThan(500);
  expect(markdown).toMatch(new RegExp(`\n\`\`\`\n\n${(3000 - shown).toLocaleString('en')} more changes not shown\\.$`));
});
