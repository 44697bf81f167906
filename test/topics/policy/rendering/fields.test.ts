import { expect, it } from 'vitest';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import { fieldLines } from '../../../../src/topics/policy/rendering/fields.ts';

const registry = {
  kind: 'registry',
  target: 'acme',
  name: 'npm_registry https://npm.example.com',
  source: '',
  id: 'NPM',
} as const;

it('shows which repositories a registry is given again', () => {
  const change: PlannedChange = {
    ...registry,
    action: 'resend',
    changes: [{ path: 'repositories' }],
    before: {},
    writeOnly: { selected_repository_ids: [1, 2] },
  };
  expect(fieldLines(change).map(({ text }) => text)).toEqual(['repositories: 2 selected, with the IDs 1, 2']);
});

it('quotes a value that imitates the fields of a prompt', () => {
  const value = 'public; enforcement: active';
  const change: PlannedChange = {
    ...{ action: 'update', kind: 'settings', target: 'acme', name: '', source: '', body: {}, before: {} },
    changes: [{ path: 'blog', from: 'a', to: value }],
  };
  expect(fieldLines(change).map(({ text }) => text)).toEqual([`blog: a → "${value}"`]);
});

it('shows a value of any length', () => {
  const long = 'a b'.repeat(4_000_000);
  const change: PlannedChange = {
    ...{ action: 'update', kind: 'settings', target: 'acme', name: '', source: '', body: {}, before: {} },
    changes: [{ path: 'blog', from: long, to: 'b' }],
  };
  expect(fieldLines(change)[0]?.text).toMatch(/^blog: "a ba ba b/);
});
