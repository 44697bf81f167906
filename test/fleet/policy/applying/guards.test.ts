import { describe, expect, it } from 'vitest';
import { changesToAllow, tooManyDeletions } from '../../../../src/fleet/policy/applying/guards.ts';
import type { PlannedChange, Removal } from '../../../../src/fleet/policy/live/change.ts';

/** Deletions of rulesets in a repository that has `of` of them. */
const deletions = (count: number, of: number, more: Partial<Removal> = {}): PlannedChange[] =>
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
    ...more,
  }));

it.each([
  [9, 9, undefined],
  [10, 40, undefined],
  [10, 39, '10 of 39 rulesets would be deleted or reset. To allow that, add --allow-deletes 10.'],
  [200_000, 300_000, '200000 of 300000 rulesets would be deleted or reset. To allow that, add --allow-deletes 200000.'],
])('counts %d of %d deletions', (count, of, reason) => {
  expect(tooManyDeletions(deletions(count, of))).toBe(reason);
});

it('counts targets that lose more than a quarter by themselves', () => {
  const few = deletions(10, 1000, { target: 'acme/large' });
  expect(tooManyDeletions(few)).toBeUndefined();
  expect(tooManyDeletions([...deletions(10, 10), ...few])).toBe(
    '10 of 10 rulesets of acme/site would be deleted or reset. To allow that, add --allow-deletes 20.',
  );
});

it('allows as many deletions as the flag says', () => {
  expect(tooManyDeletions(deletions(10, 10), 10)).toBeUndefined();
  expect(tooManyDeletions(deletions(11, 11), 10)).toContain('add --allow-deletes 11');
});

it('never counts more deletions than objects', () => {
  const unlisted = deletions(12, 1).map(({ of: _of, ...step }) => step);
  expect(tooManyDeletions(unlisted)).toBe(
    '12 of 12 rulesets would be deleted or reset. To allow that, add --allow-deletes 12.',
  );
});

it('needs no flag for a property with the name of a built-in one', () => {
  const common = {
    action: 'update',
    target: 'acme/site',
    name: '',
    source: 'p.yaml:1',
    changes: [],
    before: {},
  } as const;
  const changes: PlannedChange[] = [
    { ...common, kind: 'properties', body: { constructor: 'x', toString: 'y' } },
    { ...common, kind: 'settings', body: { private: true } },
  ];
  expect([...changesToAllow(changes, [])]).toEqual([['visibility', 1]]);
});

describe('undeclared objects', () => {
  const undeclared = { undeclared: true } as const;
  const none = 'acme/site would keep none of its 2 rulesets. To allow that, add --allow-deletes 2.';
  const registries =
    '1 registry would be deleted; deleted secrets cannot be recovered. To allow that, add --allow-deletes 1.';

  it.each<[string, PlannedChange[], string | undefined]>([
    ['the last two rulesets', deletions(2, 2, undeclared), none],
    ['the last two, of which one is absent', [...deletions(1, 2), ...deletions(1, 2, undeclared)], none],
    ['two of three', deletions(2, 3, undeclared), undefined],
    ['the only one', deletions(1, 1, undeclared), undefined],
    [
      'one of each of two targets',
      [1, 2].flatMap((at) => deletions(1, 1, { ...undeclared, target: `acme/${at}` })),
      undefined,
    ],
    ['the last two, both absent', deletions(2, 2), undefined],
    ['two that are gone already', deletions(2, 0, undeclared), undefined],
    [
      'the last two hooks',
      deletions(2, 2, { ...undeclared, action: 'unset', kind: 'hook' }),
      none.replace('rulesets', 'hooks'),
    ],
    ['one registry of many', deletions(1, 30, { ...undeclared, kind: 'registry' }), registries],
    ['an absent registry', deletions(1, 1, { kind: 'registry' }), undefined],
  ])('need --allow-deletes for %s', (_what, steps, reason) => {
    expect(tooManyDeletions(steps)).toBe(reason);
    expect(tooManyDeletions(steps, steps.length)).toBeUndefined();
  });
});
