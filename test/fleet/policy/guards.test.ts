import { expect, it } from 'vitest';
import type { PlannedChange } from '../../../src/fleet/policy/change.ts';
import { tooManyDeletions } from '../../../src/fleet/policy/guards.ts';

/** Deletions of rulesets in a repository that has `of` of them. */
const deletions = (count: number, of: number): PlannedChange[] =>
  Array.from({ length: count }, (_, number) => ({
    action: 'delete',
    kind: 'ruleset',
    target: 'acme/site',
    name: `Ruleset ${number}`,
    source: 'acme.yaml:1',
    changes: [],
    id: number,
    before: {},
    of,
  }));

it.each([
  [9, 9, undefined],
  [10, 40, undefined],
  [10, 39, '10 of 39 rulesets would be deleted or reset. To allow that, add --allow-deletes 10.'],
])('counts %d of %d deletions', (count, of, reason) => {
  expect(tooManyDeletions(deletions(count, of))).toBe(reason);
});

it('allows as many deletions as the flag says', () => {
  expect(tooManyDeletions(deletions(10, 10), 10)).toBeUndefined();
  expect(tooManyDeletions(deletions(11, 11), 10)).toContain('add --allow-deletes 11');
});
