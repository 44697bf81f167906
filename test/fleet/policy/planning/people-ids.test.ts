/** Saved plans without the IDs of the teams and people that they name, and what depends on a team that is not created. */
import { describe, expect, it } from 'vitest';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import { digestOfPlan } from '../../../../src/fleet/policy/planning/digest.ts';
import { parsePlan, planText, type SavedPlan } from '../../../../src/fleet/policy/planning/plan-file.ts';
import { reviewedPlan } from '../../../../src/fleet/policy/planning/review.ts';
import { embeddedPlatform } from '../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from '../embedded-policies.ts';

const { planOf } = embeddedPolicies(embeddedPlatform());

const plan = await planOf(
  await policyOf({
    'p.yaml': {
      organizations: ['acme'],
      members: { members: ['velvetmole'] },
      teams: [
        { name: 'Ops', members: ['paperfox'] },
        { name: 'Night', parent: 'Ops' },
        { name: 'Interns', parent: 'Platform', members: ['stonewren'] },
      ],
      repositories: [
        { select: { names: ['site'] }, access: { teams: { ops: 'read' }, users: { lunarcrab: 'admin' } } },
      ],
    },
  }),
);

const nameOf = ({ kind, name }: PlannedChange): string => `${kind} ${name}`;

/** Returns a saved plan with other changes, and a digest of its own. */
const textWith = (changes: readonly PlannedChange[]): string => {
  const other: SavedPlan = { ...plan, changes };
  return planText({ ...other, digest: digestOfPlan(other) });
};

describe('a saved plan', () => {
  it('has the IDs of all teams and people but those that it creates', () => {
    expect(parsePlan('plan.ndjson', planText(plan)).changes).toEqual(plan.changes);
    const ids = plan.changes.map(({ team_id, user_id, parent_id, ...change }) => [
      nameOf(change as PlannedChange),
      team_id,
      user_id,
      parent_id,
    ]);
    expect(ids).toEqual([
      ['member velvetmole', undefined, 10, undefined],
      ['team Interns', undefined, undefined, 1],
      ['team Night', undefined, undefined, undefined],
      ['team Ops', undefined, undefined, undefined],
      ['team_member interns/stonewren', 3, 9, undefined],
      ['team_member night/admin', undefined, undefined, undefined],
      ['team_member ops/admin', undefined, undefined, undefined],
      ['team_member ops/paperfox', undefined, 3, undefined],
      ['grant team:ops', undefined, undefined, undefined],
      ['grant user:lunarcrab', undefined, 11, undefined],
    ]);
  });

  it.each(['user_id', 'team_id', 'parent_id'] as const)('without a %s is rejected', (id) => {
    const having = plan.changes.filter((change) => change[id] !== undefined);
    expect(having.length).toBeGreaterThan(0);
    for (const change of having) {
      const { [id]: _, ...rest } = change;
      const text = textWith(plan.changes.map((each) => (each === change ? (rest as PlannedChange) : each)));
      expect(() => parsePlan('plan.ndjson', text)).toThrow(
        `plan.ndjson lacks the IDs of teams and people (${nameOf(change)}): an older version of forgectl saved it. Nothing was sent.`,
      );
    }
  });
});

it('a review that drops the creation of a team drops what is made in it and below it', () => {
  const dropped = plan.changes.filter((change) => nameOf(change) === 'team Ops');
  const review = reviewedPlan(plan, new Set(dropped));
  expect(review.dependent.map(nameOf)).toEqual([
    'team Night',
    'team_member night/admin',
    'team_member ops/admin',
    'team_member ops/paperfox',
    'grant team:ops',
  ]);
  expect(parsePlan('plan.ndjson', planText(review.plan)).changes).toHaveLength(4);
});

it('an undo has the IDs of people who are let in again, and none of a team that is created again', async () => {
  const removal = await planOf(
    await policyOf({
      'p.yaml': {
        organizations: ['acme'],
        absent: { members: ['lunarcrab'], teams: ['Platform'] },
        repositories: [
          {
            select: { names: ['site'] },
            absent: { access: { users: ['copperbee'], teams: ['platform', 'engineering'] } },
          },
        ],
      },
    }),
  );
  expect(undoOf(removal).changes.map((change) => [nameOf(change), change.team_id, change.user_id])).toEqual([
    ['member lunarcrab', undefined, 11],
    ['team Platform', undefined, undefined],
    ['grant team:engineering', 2, undefined],
    ['grant team:platform', undefined, undefined],
    ['grant user:copperbee', undefined, 8],
  ]);
});
