import { describe, expect, it } from 'vitest';
import { type RepositoryFacts, selectsRepository } from '../../src/foresight/evaluate.ts';
import type { Commit, JudgedRuleset } from '../../src/foresight/facts.ts';
import {
  evaluationsOf,
  judgePast,
  type PastPush,
  type PastRule,
  pastFacts,
  Tally,
} from '../../src/foresight/impact.ts';
import type { Given } from '../../src/platform/validate.ts';

const [none, older, newer] = ['0'.repeat(40), 'a'.repeat(40), 'b'.repeat(40)];

const push = (activity: string | undefined, facts: Partial<PastPush> = {}): PastPush => ({
  ref: 'refs/heads/main',
  before: activity === 'branch_creation' ? none : older,
  after: activity === 'branch_deletion' ? none : newer,
  pusher: { id: 1, login: 'hubot', isBot: false },
  time: '2026-03-01T12:00:00Z',
  activity,
  ...facts,
});

const ruleset = ({ type, ...parameters }: Given): JudgedRuleset => ({
  id: 1,
  name: 'guard',
  source: 'acme',
  target: 'branch',
  enforcement: 'evaluate',
  conditions: { ref_name: { include: ['~ALL'], exclude: [] } },
  rules: [{ type: String(type), parameters }],
  bypass: undefined,
});

const commit: Commit = {
  ...{ id: newer, parents: 2, message: 'Two', authorEmail: 'a@b', committerEmail: 'a@b', isVerified: undefined },
};

interface Circumstances {
  readonly bypass?: string | undefined;
  readonly said?: PastRule;
  readonly commits?: readonly Commit[];
}

async function verdictOf(
  activity: string | undefined,
  rule: Given,
  { bypass = 'never', said, commits }: Circumstances = {},
) {
  const facts = pastFacts(push(activity), { repository: 'site', defaultBranch: 'main' }, commits);
  const asked = { bypass: async () => bypass || undefined, said: async () => said };
  const { verdict, rules } = await judgePast(facts, ruleset(rule), asked);
  return [verdict, rules[0]?.missing].filter(Boolean).join(': ');
}

describe('a past push', () => {
  const reviews = { type: 'pull_request', required_approving_review_count: 1 };
  const noReviews = { type: 'pull_request', required_approving_review_count: 0, require_code_owner_review: false };
  const approvals = 'unknown: whether the pull request has the required approvals';

  it.each<[activity: string | undefined, rule: Given, verdict: string]>([
    ['push', reviews, 'refused'],
    ['force_push', reviews, 'refused'],
    ['branch_creation', reviews, 'allowed'],
    ['branch_deletion', reviews, 'allowed'],
    ['pr_merge', reviews, approvals],
    ['merge_queue_merge', reviews, approvals],
    ['pr_merge', noReviews, 'allowed'],
    ['pr_merge', { ...noReviews, allowed_merge_methods: ['squash'] }, approvals],
    ['pr_merge', { ...noReviews, required_reviewers: [{}] }, approvals],
    ['push', { type: 'merge_queue' }, 'refused'],
    ['pr_merge', { type: 'merge_queue' }, 'unknown: whether the pull request goes through the merge queue'],
    ['merge_queue_merge', { type: 'merge_queue' }, 'allowed'],
    ['force_push', { type: 'non_fast_forward' }, 'refused'],
    ['push', { type: 'non_fast_forward' }, 'allowed'],
    [undefined, { type: 'non_fast_forward' }, 'unknown: whether the push is forced'],
    ['sync', { type: 'non_fast_forward' }, 'unknown: whether the push is forced'],
    ['branch_deletion', { type: 'deletion' }, 'refused'],
    ['push', { type: 'required_linear_history' }, 'unknown: the commits of the push'],
  ])('%s is judged by %j as %s', async (activity, rule, verdict) => {
    expect(await verdictOf(activity, rule)).toBe(verdict);
  });

  it('is judged by the commits of a clone, also those of a merge', async () => {
    expect(await verdictOf('pr_merge', { type: 'required_linear_history' }, { commits: [commit] })).toBe('refused');
  });

  it('is bypassed by those who may, and by nobody else', async () => {
    expect(await verdictOf('push', reviews, { bypass: 'always' })).toBe('bypassed');
    expect(await verdictOf('push', reviews, { bypass: 'pull_requests_only' })).toBe('refused');
    expect(await verdictOf('push', reviews, { bypass: '' })).toBe(
      'unknown: whether the pusher may bypass ruleset guard',
    );
  });

  it('is what the platform said where the facts do not show it', async () => {
    const said: PastRule = { type: 'pull_request', verdict: 'allowed' };
    expect(await verdictOf('pr_merge', reviews, { said })).toBe('allowed');
    expect(await verdictOf('push', reviews, { said })).toBe('refused');
  });
});

// REST API endpoints for rules: all properties that are included must match, and none that is excluded.
describe('conditions on repositories', () => {
  const gold = { name: 'tier', property_values: ['gold'] };
  const team = { name: 'Team', property_values: ['web', 'data'] };
  const byProperty = (include: Given[], exclude: Given[] = []) => ({ repository_property: { include, exclude } });
  const site: RepositoryFacts = { repository: 'site', repositoryId: 7, properties: { tier: 'gold', team: ['web'] } };

  it.each<[conditions: Given, facts: RepositoryFacts, selected: boolean | undefined]>([
    [{ repository_id: { repository_ids: [7] } }, site, true],
    [{ repository_id: { repository_ids: [8] } }, site, false],
    [{ repository_id: { repository_ids: [7] } }, { repository: 'site' }, undefined],
    [byProperty([gold, team]), site, true],
    [byProperty([gold, { name: 'tier', property_values: ['silver'] }]), site, false],
    [byProperty([gold], [team]), site, false],
    [byProperty([]), site, undefined],
    [byProperty([], [gold]), site, false],
    [byProperty([gold]), { repository: 'site' }, undefined],
    [byProperty([{ ...gold, source: 'system' }]), site, undefined],
    [{ repository_name: { include: ['s*'], exclude: [] } }, site, true],
    [{}, site, true],
    [{ ref_name: {}, organization_name: { include: ['acme'], exclude: [] } }, site, true],
    [{ repository_language: { include: ['Go'], exclude: [] } }, site, undefined],
    [{ repository_name: 'x' }, site, undefined],
    [{ repository_name: { include: ['s*'], exclude: 'site' } }, site, undefined],
    [{ repository_id: { repository_ids: '8' } }, site, undefined],
    [{ repository_property: { include: [gold], exclude: 'x' } }, site, undefined],
    [{ repository_property: { include: ['x'], exclude: [] } }, site, undefined],
    [{ repository_property: { include: [gold], exclude: [7] } }, site, undefined],
    [byProperty([{ name: 7, property_values: ['gold'] }]), site, undefined],
    [byProperty([{ name: 'tier', property_values: 'silver' }]), site, undefined],
  ])('%j of %j is %s', (conditions, facts, selected) => {
    expect(selectsRepository(conditions, facts)).toBe(selected);
  });
});

// REST API endpoints for rule suites: the result counts all rulesets, and does not say which of them the pusher may bypass.
it.each<[overall: string, others: readonly string[], may: string | undefined, verdict: string]>([
  ['bypass', [], undefined, 'bypassed'],
  ['fail', [], undefined, 'refused'],
  ['fail', ['pass'], undefined, 'refused'],
  ['fail', ['fail'], undefined, 'unknown'],
  ['fail', ['fail'], 'never', 'refused'],
  ['fail', ['fail'], 'always', 'bypassed'],
])(
  'a suite with result %s, and %j by another ruleset, for a pusher who may %s: %s',
  async (overall, others, may, verdict) => {
    const evaluation = (id: number, result: string) => ({
      ...{ rule_source: { type: 'ruleset', id }, enforcement: 'active', result, rule_type: 'update' },
    });
    const suite = { id: 3, ref: 'refs/heads/main', pushed_at: '2026-03-01T12:00:00Z', result: overall };
    const rule_evaluations = [evaluation(1, 'fail'), ...others.map((result) => evaluation(2, result))];
    const rules = await evaluationsOf({ ...suite, rule_evaluations }, 1, overall, async () => may);
    expect(rules.map((rule) => rule.verdict)).toEqual([verdict]);
  },
);

it('a tally has the names with the most refusals first', () => {
  const tally = new Tally();
  for (const [name, verdict] of [
    ['a', 'allowed'],
    ['b', 'unknown'],
    ['c', 'refused'],
    ['c', 'bypassed'],
    ['b', 'allowed'],
  ] as const)
    tally.add(name, verdict);
  expect(tally.sorted()).toEqual([
    ['c', { pushes: 2, allowed: 0, refused: 1, bypassed: 1, unknown: 0 }],
    ['b', { pushes: 2, allowed: 1, refused: 0, bypassed: 0, unknown: 1 }],
    ['a', { pushes: 1, allowed: 1, refused: 0, bypassed: 0, unknown: 0 }],
  ]);
});
