import { describe, expect, it } from 'vitest';
import { asRuleset } from '../../src/foresight/classic-protection.ts';
import { createRepositoryRuleset } from '../../src/platform/endpoints/rulesets.ts';
import { checkBody } from '../../src/platform/validate.ts';
import { chance } from '../support/chance.ts';

const enabled = { enabled: true };
const exact = { enforce_admins: enabled };

const rulesOf = (protection: object) =>
  Object.fromEntries(asRuleset('main', { ...exact, ...protection }).ruleset.rules.map((rule) => [rule.type, rule]));

const lossesOf = (protection: object) =>
  asRuleset('main', { ...exact, ...protection }).losses.map(({ field, value }) => [field, value]);

describe('classic protection as a ruleset', () => {
  it('has a name, and applies to the branch or pattern', () => {
    expect(asRuleset('release/*', exact).ruleset).toEqual({
      name: 'Protect release/*',
      target: 'branch',
      enforcement: 'active',
      bypass_actors: [],
      conditions: { ref_name: { include: ['refs/heads/release/*'], exclude: [] } },
      rules: [{ type: 'non_fast_forward' }, { type: 'deletion' }],
    });
  });

  // “By default, each branch protection rule disables force pushes to the matching branches and prevents the matching
  // branches from being deleted.”
  it('blocks force pushes and deletions unless they are allowed', () => {
    expect(Object.keys(rulesOf({ allow_force_pushes: enabled }))).toEqual(['deletion']);
    expect(Object.keys(rulesOf({ allow_deletions: true, allow_force_pushes: false }))).toEqual(['non_fast_forward']);
  });

  it('has the rules that are switched on, in the form of responses and of requests', () => {
    const response = {
      required_linear_history: enabled,
      required_signatures: { url: 'https://x', enabled: true },
      lock_branch: enabled,
      allow_fork_syncing: enabled,
      url: 'https://x',
    };
    const request = {
      required_linear_history: true,
      required_signatures: true,
      lock_branch: true,
      allow_fork_syncing: true,
      restrictions: null,
      required_status_checks: null,
      required_pull_request_reviews: null,
    };
    for (const protection of [response, request]) {
      expect(rulesOf(protection)).toMatchObject({
        required_linear_history: { type: 'required_linear_history' },
        required_signatures: { type: 'required_signatures' },
        update: { parameters: { update_allows_fetch_and_merge: true } },
      });
      expect(lossesOf(protection)).toEqual([]);
    }
  });

  it('requires reviews, with the people and teams that may dismiss them', () => {
    const reviews = {
      dismiss_stale_reviews: true,
      require_code_owner_reviews: true,
      require_last_push_approval: true,
      required_approving_review_count: 2,
      dismissal_restrictions: { users: [{ login: 'paperfox', id: 3 }], teams: [{ slug: 'release', id: 7 }], apps: [] },
    };
    const protection = { required_pull_request_reviews: reviews, required_conversation_resolution: enabled };
    expect(rulesOf(protection).pull_request?.parameters).toEqual({
      dismiss_stale_reviews_on_push: true,
      dismissal_restriction: {
        enabled: true,
        allowed_actors: [
          { id: 3, type: 'User' },
          { id: 7, type: 'Team' },
        ],
      },
      require_code_owner_review: true,
      require_last_push_approval: true,
      required_approving_review_count: 2,
      required_review_thread_resolution: true,
    });
    expect(lossesOf(protection)).toEqual([]);
  });

  it('requires status checks, of their apps', () => {
    const checks = [
      { context: 'build', app_id: 42 },
      { context: 'lint', app_id: null },
      { context: 'docs', app_id: -1 },
    ];
    const protection = { required_status_checks: { strict: true, contexts: ['build', 'lint', 'docs'], checks } };
    expect(rulesOf(protection).required_status_checks?.parameters).toEqual({
      required_status_checks: [{ context: 'build', integration_id: 42 }, { context: 'lint' }, { context: 'docs' }],
      strict_required_status_checks_policy: true,
    });
    const contexts = rulesOf({ required_status_checks: { strict: false, contexts: ['ci'] } });
    expect(contexts.required_status_checks?.parameters).toMatchObject({ required_status_checks: [{ context: 'ci' }] });
  });

  // “By default, the restrictions of a branch protection rule don't apply to people with admin permissions.”
  it('lets administrators bypass only where no rule applies to them', () => {
    const exempt = { enforce_admins: { enabled: false } };
    expect(asRuleset('main', exempt)).toMatchObject({
      ruleset: { bypass_actors: [] },
      losses: [{ field: 'enforce_admins', value: false, reason: expect.stringContaining('force pushes') }],
    });
    expect(asRuleset('main', { ...exempt, allow_force_pushes: enabled, allow_deletions: enabled })).toMatchObject({
      ruleset: { bypass_actors: [{ actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' }] },
      losses: [],
    });
  });
});

describe('losses', () => {
  it.each<[what: string, protection: object, losses: readonly unknown[]]>([
    [
      'who may push',
      { restrictions: { users: [{ login: 'paperfox', id: 3 }], teams: ['release'], apps: [{ slug: 'bot' }] } },
      [['restrictions', { users: ['paperfox'], teams: ['release'], apps: ['bot'] }]],
    ],
    ['that nobody may push', { restrictions: { users: [], teams: [], apps: [] } }, [['restrictions', {}]]],
    ['blocked creations', { block_creations: enabled }, [['block_creations', true]]],
    [
      'who may push by force',
      { bypass_force_push_allowances: { users: ['paperfox'] } },
      [['bypass_force_push_allowances', { users: ['paperfox'] }]],
    ],
    [
      'who needs no pull request, and who may dismiss reviews by name',
      {
        required_pull_request_reviews: {
          bypass_pull_request_allowances: { users: ['paperfox'], teams: [] },
          dismissal_restrictions: { teams: ['release'] },
        },
      },
      [
        ['required_pull_request_reviews.bypass_pull_request_allowances', { users: ['paperfox'] }],
        ['required_pull_request_reviews.dismissal_restrictions', { teams: ['release'] }],
      ],
    ],
    [
      'conversations without pull requests',
      { required_conversation_resolution: enabled },
      [['required_conversation_resolution', true]],
    ],
    [
      'branches up to date without checks',
      { required_status_checks: { strict: true, contexts: [] } },
      [['required_status_checks.strict', true]],
    ],
    [
      'fields of newer platforms',
      { required_deployments: { environments: ['prod'] } },
      [['required_deployments', { environments: ['prod'] }]],
    ],
    ['nothing for what is off', { later: { enabled: false }, block_creations: { enabled: false } }, []],
  ])('tell %s', (_what, protection, losses) => {
    expect(lossesOf(protection)).toEqual(losses);
  });
});

/** Every part, in a form that says something. */
const parts: Readonly<Record<string, readonly unknown[]>> = {
  enforce_admins: [true, enabled],
  allow_force_pushes: [true, enabled],
  allow_deletions: [true, enabled],
  required_linear_history: [true, enabled],
  required_signatures: [true],
  required_conversation_resolution: [enabled],
  lock_branch: [true],
  restrictions: [{ users: ['a'], teams: [] }, { teams: [] }],
  required_status_checks: [
    { strict: true, contexts: ['a'] },
    { strict: true, checks: [{ context: 'a', app_id: 3 }] },
  ],
  required_pull_request_reviews: [
    {},
    { required_approving_review_count: 6, dismissal_restrictions: { users: [{ id: 1 }], teams: [{ id: 2 }] } },
    { dismissal_restrictions: {}, bypass_pull_request_allowances: { apps: ['a'] } },
  ],
};

it('every ruleset is one that the platform accepts', () => {
  const random = chance(33);
  for (let round = 0; round < 60; round++) {
    const given = Object.entries(parts).filter(() => random() < 0.5);
    const protection = Object.fromEntries(
      given.map(([name, forms]) => [name, forms[Math.floor(random() * forms.length)]]),
    );
    const { ruleset } = asRuleset('main', protection);
    expect(checkBody(createRepositoryRuleset, { ...ruleset }), JSON.stringify(protection)).toEqual({
      problems: [],
      unknown: [],
    });
  }
});
