import { describe, expect, it } from 'vitest';
import type { Creation, PlannedChange, Update } from '../../../../src/fleet/policy/live/change.ts';
import { digestOfPlan } from '../../../../src/fleet/policy/planning/digest.ts';
import { parsePlan, planText, type SavedPlan } from '../../../../src/fleet/policy/planning/plan-file.ts';
import { reviewedPlan } from '../../../../src/fleet/policy/planning/review.ts';

const idOf = (target: string) => (target.includes('/') ? { repository_id: 7 } : { organization_id: 1 });

/** Creates an active ruleset: tightens. */
const guard = (target: string): Creation => ({
  ...{ action: 'create', kind: 'ruleset', target, ...idOf(target), name: 'Guard', source: 'p.yaml:1', changes: [] },
  body: { name: 'Guard', target: 'branch', enforcement: 'active', rules: [{ type: 'deletion' }] },
});

const settings = (target: string, before: object, body: object): Update => ({
  ...{ action: 'update', kind: 'settings', target, ...idOf(target), name: '', source: 'p.yaml:2', changes: [] },
  ...{ before: { ...before }, body: { ...body } },
});

const loosening = (target: string) => settings(target, { allow_forking: false }, { allow_forking: true });
const unknown = (target: string) => settings(target, { default_branch: 'a' }, { default_branch: 'b' });
const orgLoosening = settings(
  'acme',
  { default_repository_permission: 'read' },
  { default_repository_permission: 'write' },
);

const hookOf = (target: string, action: 'update' | 'unset'): PlannedChange =>
  ({
    ...{ action, kind: 'hook', target, ...idOf(target), name: 'h', id: 5, source: 'p.yaml:3', changes: [] },
    before: { enforcement: 'enabled' },
    ...(action === 'update' && { body: { enforcement: 'testing' } }),
  }) as PlannedChange;

const inNew = {
  ...settings('acme/new', {}, { has_wiki: false }),
  repository_id: undefined,
  new_repository: true,
} as const;
const creation = { ...inNew, action: 'create', kind: 'repository', body: { name: 'new' } } as unknown as Creation;

function planOf(changes: readonly PlannedChange[]): SavedPlan {
  const plan = {
    plan: 2,
    platform: 'https://ghe.example.com/api/v3',
    identity: 'admin',
    organizations: ['acme'],
    policy_digest: 'policy',
    changes,
    summary: { create: 1, update: 1, delete: 0, unchanged: 4, skipped: 1, unreadable: 0 },
  } as const;
  return { ...plan, digest: digestOfPlan(plan) };
}

const nameOf = ({ target, kind }: PlannedChange) => `${target} ${kind}`;

describe('the changes that are dropped with another one', () => {
  it.each<[what: string, changes: readonly PlannedChange[], dropped: number, dependent: readonly string[]]>([
    ['are those of its target that loosen', [guard('acme/a'), loosening('acme/a')], 0, ['acme/a settings']],
    ['are those whose effect is unknown', [guard('acme/a'), unknown('acme/a')], 0, ['acme/a settings']],
    ['are none of another repository', [guard('acme/a'), loosening('acme/b')], 0, []],
    ['are none that tighten', [guard('acme/a'), hookOf('acme/a', 'update')], 1, []],
    ['are those of the repositories of its organization', [guard('acme'), loosening('acme/a')], 0, ['acme/a settings']],
    ['are those of the organization of its repository', [guard('acme/a'), orgLoosening], 0, ['acme settings']],
    ['are none of another organization', [guard('globex/a'), orgLoosening, loosening('acme/a')], 0, []],
    ['are none if it loosens itself', [loosening('acme/a'), orgLoosening, guard('acme/a')], 0, []],
    [
      'are resets to the setting that its organization gets',
      [hookOf('acme', 'update'), hookOf('acme/a', 'unset')],
      0,
      ['acme/a hook'],
    ],
    ['are all of a repository that it creates', [creation, inNew, guard('acme/b')], 0, ['acme/new settings']],
  ])('%s', (_what, changes, at, dependent) => {
    const plan = planOf(changes);
    const review = reviewedPlan(plan, new Set([changes[at] as PlannedChange]));
    expect(review.dependent.map(nameOf)).toEqual(dependent);
    const lost = [changes[at], ...review.dependent];
    expect(review.plan.changes).toEqual(changes.filter((change) => !lost.includes(change)));
  });

  it('follow the effect of what is sent, not the one that the file claims', () => {
    const lying = { ...loosening('acme/a'), effect: 'tightens' } as const;
    const create = guard('acme/a');
    expect(reviewedPlan(planOf([create, lying]), new Set([create])).dependent).toEqual([lying]);
  });
});

describe('a reviewed plan', () => {
  const [create, loosens] = [guard('acme/a'), loosening('acme/b')];
  const plan = planOf([create, loosens]);

  it('is of version 3, names the plan that it came from, and is counted again', () => {
    const { plan: reviewed } = reviewedPlan(plan, new Set([loosens]));
    expect(reviewed).toMatchObject({ plan: 3, reviewed_from: plan.digest, policy_digest: 'policy', identity: 'admin' });
    expect(reviewed.summary).toEqual({ create: 1, update: 0, delete: 0, unchanged: 5, skipped: 1, unreadable: 0 });
    expect(reviewed.digest).not.toBe(plan.digest);
    expect(parsePlan('p.ndjson', planText(reviewed))).toEqual(reviewed);
  });

  it('can be reviewed again', () => {
    const once = reviewedPlan(plan, new Set([loosens])).plan;
    const twice = reviewedPlan(once, new Set()).plan;
    expect(twice.reviewed_from).toBe(once.digest);
    expect(parsePlan('p.ndjson', planText(twice)).changes).toEqual([create]);
  });

  it.each<[what: string, from: string, to: string, message: string]>([
    [
      'with another origin is rejected',
      `"reviewed_from":"${plan.digest}"`,
      `"reviewed_from":"${'0'.repeat(64)}"`,
      'was changed after it was saved',
    ],
    ['without an origin is rejected', `,"reviewed_from":"${plan.digest}"`, '', 'is truncated or damaged at line 1'],
    ['that claims version 2 is rejected', '"plan":3', '"plan":2', 'is truncated or damaged at line 1'],
  ])('%s', (_what, from, to, message) => {
    const text = planText(reviewedPlan(plan, new Set([loosens])).plan);
    expect(() => parsePlan('p.ndjson', text.replace(from, to))).toThrow(message);
  });
});
