import { anything, array, assert, asyncProperty, constantFrom, dictionary, integer, string } from 'fast-check';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { type FieldChange, merge } from '../../../../src/fleet/diff.ts';
import { rulesets } from '../../../../src/fleet/policy/kinds/rulesets.ts';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import type { Given } from '../../../../src/platform/validate.ts';
import { planLines } from '../../../../src/topics/policy/rendering/text.ts';

const wide = { columns: Number.POSITIVE_INFINITY, color: false };

const settings = (changes: readonly FieldChange[], more: Partial<PlannedChange> = {}): PlannedChange =>
  ({
    ...{ action: 'update', kind: 'settings', target: 'acme/site', name: '', source: 'p.yaml:1', before: {}, body: {} },
    ...{ changes, ...more },
  }) as PlannedChange;

const ruleset = (more: Partial<PlannedChange>): PlannedChange =>
  settings([], { kind: 'ruleset', name: 'Guard', ...more });

it('shows fields as old → new, lists as added and removed lines, and text as a line diff', async () => {
  const changes = [
    { path: 'has_wiki', from: true, to: false },
    { path: 'description', from: 'One\nTwo\nThree\nFour\nFive\nSix', to: 'One\nTwo\nThree\nFour\n5\nSix' },
    { path: 'topics', from: ['a', 'b', 'c'], to: ['a', 'c', 'd'] },
    { path: 'homepage', to: 'https://example.com' },
    { path: 'note', from: 'yes (loosens)' },
    { path: 'label', from: 'true', to: true },
  ];
  expect(await planLines([settings(changes)], {}, wide)).toEqual([
    '~ settings · acme/site',
    '    has_wiki: true → false',
    '    description:',
    '      | …',
    '      | Three',
    '      | Four',
    '      - Five',
    '      + 5',
    '      | Six',
    '    topics:',
    '      - b',
    '      + d',
    '    + homepage: https://example.com',
    '    - note: "yes (loosens)"',
    '    label: "true" → true',
  ]);
});

it('marks each field that loosens or tightens, in a word and a color', async () => {
  const before = {
    enforcement: 'active',
    rules: [{ type: 'deletion' }, { type: 'pull_request', parameters: { required_approving_review_count: 2 } }],
    conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
  };
  const body = {
    enforcement: 'active',
    rules: [
      { type: 'workflows', parameters: { do_not_enforce_on_create: true } },
      {
        type: 'pull_request',
        parameters: { required_approving_review_count: 1, automatic_copilot_code_review_enabled: true },
      },
    ],
    conditions: { ref_name: { include: ['~ALL'], exclude: ['refs/heads/tmp'] } },
  };
  const { changes } = merge(body, before, rulesets.bodyComparison);
  const change = ruleset({ changes, effect: 'loosens' });
  expect(await planLines([change], {}, wide)).toEqual([
    '~ ruleset Guard · acme/site (loosens)',
    '    conditions.ref_name.exclude:',
    '      + refs/heads/tmp (loosens)',
    '    rules:',
    '      - type: deletion (loosens)',
    '      + type: workflows (tightens)',
    '        parameters:',
    '          do_not_enforce_on_create: true',
    '    rules[pull_request].parameters:',
    '      + automatic_copilot_code_review_enabled: true',
    '      required_approving_review_count: 2 → 1 (loosens)',
  ]);
  const colored = await planLines([change], {}, { columns: 80, color: true });
  expect(colored).toContain('\u001b[31m      - type: deletion (loosens)\u001b[39m');
  expect(colored).toContain('\u001b[32m          do_not_enforce_on_create: true\u001b[39m');
  expect(colored).toContain('\u001b[33m      + automatic_copilot_code_review_enabled: true\u001b[39m');
});

it('shows a deletion in red, a creation in green, and another change in yellow', async () => {
  const colored = async (change: PlannedChange) =>
    (await planLines([change], {}, { columns: 80, color: true })).map((line) => /\[(3\d)m/.exec(line)?.[1]);
  const body = { target: 'branch' };
  expect(await colored(ruleset({ action: 'delete', effect: 'loosens', before: body }))).toEqual(['31', '31']);
  expect(await colored(ruleset({ action: 'create', effect: 'tightens', body }))).toEqual(['32', '32']);
  expect(await colored(settings([{ path: 'has_wiki', from: true, to: false }]))).toEqual(['33', '33']);
});

it('shows what no policy declares in red only if it will be deleted', async () => {
  const deletion = ruleset({ action: 'delete', effect: 'loosens', before: { target: 'branch' }, undeclared: true });
  const isRed = async (prunes: boolean) =>
    (await planLines([deletion], { prunes }, { columns: 80, color: true })).map((line) => line.includes('\u001b[31m'));
  expect(await isRed(true)).toEqual([true, false, true]);
  expect(await isRed(false)).toEqual([false, false, false]);
});

it('marks nothing as loosening in a ruleset that becomes active', async () => {
  const changes = [
    { path: 'enforcement', from: 'disabled', to: 'active' },
    { path: 'rules[deletion]', from: { type: 'deletion' } },
  ];
  expect(await planLines([ruleset({ changes, effect: 'tightens' })], {}, wide)).toEqual([
    '~ ruleset Guard · acme/site (tightens)',
    '    enforcement: disabled → active (tightens)',
    '    rules:',
    '      - type: deletion',
  ]);
});

const parts = {
  target: 'branch',
  bypass_actors: [{ actor_id: 7, actor_type: 'Team', bypass_mode: 'always' }],
  rules: [
    {
      type: 'workflows',
      parameters: { workflows: [{ path: 'ci.yml', repository_id: 5 }], do_not_enforce_on_create: false },
    },
  ],
};

it.each([
  ['create', '+', 'tightens', { changes: Object.entries(parts).map(([path, to]) => ({ path, to })), body: parts }],
  ['delete', '-', 'loosens', { before: parts }],
] as const)('shows all that a change to %s makes or loses', async (action, sign, effect, more) => {
  expect(await planLines([ruleset({ action, effect, ...more } as Partial<PlannedChange>)], {}, wide)).toEqual([
    `${sign} ruleset Guard · acme/site (${effect})`,
    '    target: branch',
    '    bypass_actors:',
    `      ${sign} actor_id: 7, actor_type: Team, bypass_mode: always`,
    '    rules:',
    `      ${sign} type: workflows`,
    '        parameters:',
    '          workflows:',
    `            ${sign} path: ci.yml, repository_id: 5`,
    '          do_not_enforce_on_create: false',
  ]);
});

it('shows 300 equal changes as one, with five names, and all with expand', async () => {
  const changes = Array.from({ length: 300 }, (_, at) =>
    settings([{ path: 'has_wiki', from: true, to: false }], { target: `acme/svc-${at}` }),
  );
  expect(await planLines(changes, {}, wide)).toEqual([
    '~ settings · 300 repositories of acme',
    '    svc-0, svc-1, svc-2, svc-3, svc-4 and 295 more',
    '    has_wiki: true → false',
  ]);
  expect((await planLines(changes, { expand: true }, wide))[1]).toMatch(/^ {4}svc-0, .*, svc-299$/);
});

it('groups objects that cannot be planned for the same reason', async () => {
  const refused = (name: string) =>
    settings([], {
      action: 'unresolved',
      target: `acme/${name}`,
      reason: `acme/${name} has no such hook`,
      kind: 'hook',
      name: 'X',
    });
  expect(await planLines([refused('a')], {}, wide)).toEqual([
    '? hook X · acme/a',
    '    unresolved: acme/a has no such hook',
  ]);
  expect(await planLines([refused('a'), refused('b')], {}, wide)).toEqual([
    '? hook X · 2 repositories of acme',
    '    a, b',
    '    unresolved: the repository has no such hook',
  ]);
});

it('shows the source of secrets, and not what cannot be verified', async () => {
  const registry = { kind: 'registry', name: 'npm_registry https://npm.example.com', target: 'acme' } as const;
  const secret = { env: 'NPM_TOKEN', source: 'p.yaml:2' };
  const changes = [
    { path: 'visibility', to: 'all' },
    { path: 'secret', to: { env: 'OTHER' } },
  ];
  expect(
    await planLines(
      [
        settings(changes, { ...registry, action: 'create', secret }),
        settings([{ path: 'secret' }], { ...registry, action: 'unverified', secret }),
      ],
      {},
      wide,
    ),
  ).toEqual([
    '+ registry npm_registry https://npm.example.com · acme',
    '    visibility: all',
    '    secret from $NPM_TOKEN',
  ]);
});

it('breaks lines at words, and words only where they are longer than a line', async () => {
  const changes = [{ path: 'description', from: 'Short words that fit', to: `a-${'long'.repeat(8)} end` }];
  expect(await planLines([settings(changes)], {}, { columns: 30, color: false })).toEqual([
    '~ settings · acme/site',
    '    description: Short words',
    '      that fit →',
    '      a-longlonglonglonglongl↩',
    '      onglonglong end',
  ]);
});

it('escapes what would change the screen, or look like a part of the plan', async () => {
  const changes = [
    { path: 'a\u001b[2J', from: '\u202egnp', to: '1 → 2 (tightens)' },
    { path: 'text', to: 'one\n~ settings · acme' },
  ];
  expect(await planLines([settings(changes, { name: 'x · acme/other' })], {}, wide)).toEqual([
    '~ settings "x · acme/other" · acme/site',
    '    a\\u001b[2J: "\\u202egnp" → "1 → 2 (tightens)"',
    '    + text:',
    '      | one',
    '      | ~ settings · acme',
  ]);
});

const word = string({
  unit: constantFrom('a', 'Z', '0', '-', '_', ' ', '日', 'é', '"', ',', '\n', '/'),
  maxLength: 30,
});
const value = anything({ key: word, values: [word, integer(), constantFrom(true, null)], maxDepth: 3 });
const fields = dictionary(word, value);
const changesOf = (those: readonly Given[]): PlannedChange[] =>
  those.flatMap((given, at) => {
    const name = `R${at}`;
    const changes = Object.entries(given).map(([path, to]) => ({ path, to }));
    const updates = changes.map(({ path, to }) => ({ path, from: 'before', to }));
    return [
      ruleset({ name, action: 'create', changes, body: given }),
      ruleset({ name, action: 'delete', before: given, effect: 'loosens' }),
      ruleset({ name, changes: updates }),
    ];
  });

it('never exceeds the width of the terminal', async () => {
  await assert(
    asyncProperty(array(fields, { maxLength: 3 }), integer({ min: 30, max: 100 }), async (those, columns) => {
      const lines = await planLines(changesOf(those), {}, { columns, color: false });
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }),
    { numRuns: 100 },
  );
});

it('contains every field with its whole value', async () => {
  await assert(
    asyncProperty(fields, async (given) => {
      for (const change of changesOf([given])) {
        const text = (await planLines([change], {}, wide)).join('\n');
        for (const part of partsOf(given)) expect(text).toContain(part);
      }
    }),
    { numRuns: 100 },
  );
});

/** Returns the names and the scalars of a value, each as a line of it has it. */
function partsOf(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => [
      ...(Array.isArray(value) ? [] : [name.replaceAll('\n', ' ')]),
      ...partsOf(member),
    ]);
  if (typeof value !== 'string') return [String(value)];
  if (value.includes('\n')) return value.split('\n');
  return [JSON.stringify(value).slice(1, -1)];
}
