import { expect, it } from 'vitest';
import type { Screen } from '../../../../src/cli/report/messages.ts';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import { showPlan } from '../../../../src/topics/policy/apply/shown-plan.ts';
import type { PlanRow } from '../../../../src/topics/policy/rendering/rows.ts';

const common = { target: 'acme', source: 'p.yaml:1', changes: [] };

const screen: Screen = {
  ...{ color: false, plain: true, utf8: true, links: false, stdoutIsTTY: false },
  columns: 100,
  now: () => new Date('2026-03-01T12:00:00Z'),
};

/** Returns the rows and the notices that a saved plan shows. */
async function shownOf(changes: readonly object[]) {
  const rows: PlanRow[] = [];
  const notices: string[] = [];
  await showPlan(changes as readonly PlannedChange[], {
    ...{ prunes: false, file: 'plan.ndjson', counts: '' },
    typed: { command: ['forgectl', 'policy', 'apply'], given: [], declared: {} },
    draw: async (layOut) => void (await layOut(screen)),
    table: async (more) => void rows.push(...more),
    notice: (text) => notices.push(text),
  });
  return { rows, notices };
}

it('shows what a long plan deletes, loosens, asks for and sends as a secret, after its first 40 rows', async () => {
  const created = Array.from({ length: 100 }, (_, at) => ({
    ...{ ...common, action: 'create', kind: 'ruleset', name: `R${at}`, effect: 'tightens' },
    changes: [
      { path: 'name', to: `R${at}` },
      { path: 'enforcement', to: 'active' },
    ],
  }));
  const asking = { path: 'default_repository_permission', from: 'read', to: 'admin' };
  const { rows, notices } = await shownOf([
    ...created,
    { ...common, action: 'update', kind: 'settings', name: '', body: {}, changes: [{ path: 'blog', to: 'b' }] },
    { ...common, action: 'delete', kind: 'label', target: 'acme/site', name: 'old', effect: 'neutral' },
    { ...common, action: 'update', kind: 'ruleset', name: 'L', body: {}, effect: 'loosens' },
    {
      ...{ ...common, action: 'update', kind: 'settings', name: '', effect: 'neutral', changes: [asking] },
      ...{ body: { default_repository_permission: 'admin' }, before: { default_repository_permission: 'read' } },
    },
    {
      ...{ ...common, action: 'create', kind: 'registry', name: 'NPM', body: {} },
      secret: { source: 'p.yaml:9', env: 'NPM_SECRET' },
      changes: [{ path: 'secret', to: { env: 'NPM_SECRET' } }],
    },
  ]);
  expect(rows.slice(39).map(({ sign, kind, name, effect, detail }) => [sign, kind, name, effect, detail])).toEqual([
    ['+', 'ruleset', 'R39', 'tightens', 'name: "R39"; enforcement: "active"'],
    ['-', 'label', 'old', 'neutral', ''],
    ['~', 'ruleset', 'L', 'loosens', ''],
    ['~', 'settings', '', 'neutral, asks', 'default_repository_permission: "read" → "admin"'],
    ['+', 'registry', 'NPM', '', 'secret from $NPM_SECRET'],
  ]);
  expect(notices[0]).toBe('… and 61 more rows.');
});

it('shows all fields, with long values shortened', async () => {
  const fields = Array.from({ length: 300 }, (_, at) => ({ path: `f${at}`, to: 'x'.repeat(100) }));
  const { rows } = await shownOf([{ ...common, action: 'create', kind: 'ruleset', name: 'R', changes: fields }]);
  expect(rows.map(({ detail }) => detail)).toEqual([
    fields.map(({ path }) => `${path}: "${'x'.repeat(79)}…`).join('; '),
  ]);
});
