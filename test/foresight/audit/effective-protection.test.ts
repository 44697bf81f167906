/** The cases are those of Scorecard’s tests of branch protection, with rulesets of several levels and their bypass lists. */
import { describe, expect, it } from 'vitest';
import { checks } from '../../../src/foresight/audit/checks/index.ts';
import { effective } from '../../../src/foresight/audit/effective-protection.ts';
import { judged } from '../../../src/foresight/audit/evaluate.ts';
import {
  type Applied,
  branchFacts,
  deletion,
  forcePushes,
  oneTeam,
  organizationAdmins,
  pullRequests,
  repositoryAdmins,
  statusChecks,
  writers,
} from './branch-facts.ts';

/** The checks by a letter each. */
const letters = {
  d: 'default-branch-deletion',
  f: 'default-branch-force-push',
  p: 'default-branch-pull-request',
  a: 'default-branch-approvals',
  s: 'default-branch-stale-approvals',
  o: 'default-branch-code-owners',
  l: 'default-branch-last-push',
  c: 'default-branch-status-checks',
  u: 'default-branch-up-to-date',
  h: 'default-branch-linear-history',
  m: 'default-branch-administrators',
} as const;

/** Returns the letters of the checks that pass, and after a question mark those that are unreadable. */
function verdicts(facts: ReturnType<typeof branchFacts>): string {
  const read = {
    repository: { value: { full_name: 'acme/site', default_branch: 'main' } },
    protection: { value: facts },
  };
  const context = { target: 'acme/site', owner: 'acme', now: 0 };
  const by: Record<string, string> = { pass: '', unreadable: '' };
  for (const [letter, id] of Object.entries(letters)) {
    const check = checks.find((each) => each.id === id) as (typeof checks)[number];
    const [finding] = judged(check, read, context) ?? [];
    if (finding && finding.status in by) by[finding.status] += letter;
  }
  return by.unreadable ? `${by.pass}?${by.unreadable}` : (by.pass as string);
}

const off = { enabled: false };
const on = { enabled: true };

/** Classic protection as the platform returns it: force pushes and deletions are blocked unless they are allowed. */
const classic = (others: object = {}) => ({
  enforce_admins: { url: '', ...off },
  allow_force_pushes: off,
  allow_deletions: off,
  required_linear_history: off,
  ...others,
});

const reviews = (others: object = {}) => ({
  required_pull_request_reviews: {
    dismiss_stale_reviews: false,
    require_code_owner_reviews: false,
    require_last_push_approval: false,
    required_approving_review_count: 0,
    ...others,
  },
});

const tests = (contexts: readonly string[], strict: boolean) => ({
  required_status_checks: {
    strict,
    contexts: [...contexts],
    checks: contexts.map((context) => ({ context, app_id: null })),
  },
});

const strictReviews = {
  dismiss_stale_reviews: true,
  require_code_owner_reviews: true,
  require_last_push_approval: true,
  required_approving_review_count: 1,
};

describe('classic protection counts', () => {
  it.each([
    ['none', null, ''],
    ['that only exists', classic(), 'df'],
    ['without a field on administrators', { ...classic(), enforce_admins: undefined }, 'df?m'],
    ['with reviews that nobody has to make', classic(reviews()), 'dfp'],
    ['with one approval', classic(reviews({ required_approving_review_count: 1 })), 'dfpa'],
    ['with checks', classic({ ...reviews(), ...tests(['unit'], false) }), 'dfpc'],
    ['with checks that are up to date', classic({ ...reviews(), ...tests(['unit'], true) }), 'dfpcu'],
    ['with a rule on checks that lists none', classic({ ...reviews(), ...tests([], true) }), 'dfp'],
    ['with a linear history', classic({ required_linear_history: on }), 'dfh'],
    ['for administrators, too', classic({ enforce_admins: { url: '', ...on } }), 'dfm'],
    ['that allows force pushes', classic({ allow_force_pushes: on }), 'd'],
    ['that allows deletions', classic({ allow_deletions: on }), 'f'],
    [
      'of every kind',
      classic({
        ...reviews(strictReviews),
        ...tests(['unit'], true),
        required_linear_history: on,
        enforce_admins: { url: '', ...on },
      }),
      'dfpasolcuhm',
    ],
    ['of a locked branch', classic({ lock_branch: on }), 'dfpasolcuh'],
  ])('%s', (_name, protection, expected) => {
    expect(verdicts(branchFacts([], protection))).toBe(expected);
  });
});

const strictRules = [
  deletion,
  forcePushes,
  { type: 'required_linear_history' },
  statusChecks(['unit'], true),
  pullRequests({
    dismiss_stale_reviews_on_push: true,
    require_code_owner_review: true,
    require_last_push_approval: true,
    required_approving_review_count: 2,
  }),
];

describe('rulesets count', () => {
  it.each<[string, readonly Applied[], string]>([
    ['without a rule', [{ rules: [] }], ''],
    ['with a rule that nobody bypasses', [{ rules: [deletion] }], 'dm'],
    ['with a rule that administrators bypass', [{ rules: [deletion], bypass: [repositoryAdmins] }], 'd'],
    ['with a rule that owners bypass', [{ rules: [deletion], bypass: [organizationAdmins] }], 'd'],
    ['with a rule that a team bypasses', [{ rules: [deletion], bypass: [oneTeam] }], 'dm'],
    [
      'with a rule that administrators bypass in pull requests',
      [{ rules: [deletion], bypass: [{ ...repositoryAdmins, bypass_mode: 'pull_request' }] }],
      'dm',
    ],
    [
      'with a second that administrators bypass',
      [{ rules: [forcePushes] }, { rules: [deletion, forcePushes], bypass: [repositoryAdmins] }],
      'df',
    ],
    [
      'with a second that nobody bypasses',
      [{ rules: [forcePushes], bypass: [repositoryAdmins] }, { rules: [deletion] }],
      'df',
    ],
    ['with two that nobody bypasses', [{ rules: [forcePushes] }, { rules: [deletion] }], 'dfm'],
    ['with a block of force pushes', [{ rules: [forcePushes] }], 'fm'],
    ['with a linear history', [{ rules: [{ type: 'required_linear_history' }] }], 'h'],
    ['with pull requests without reviews', [{ rules: [pullRequests({ require_last_push_approval: true })] }], 'plm'],
    ['with two approvals', [{ rules: [pullRequests({ required_approving_review_count: 2 })] }], 'pam'],
    ['with checks', [{ rules: [statusChecks(['unit'])] }], 'c'],
    ['with checks that are up to date', [{ rules: [statusChecks(['unit'], true)] }], 'cu'],
    ['with a rule on checks that lists none', [{ rules: [statusChecks([], true)] }], ''],
    ['of which the strictest decides', [{ rules: strictRules }, { rules: [deletion, pullRequests()] }], 'dfpasolcuhm'],
    [
      'of which the strictest decides, in any order',
      [{ rules: [deletion, pullRequests()] }, { rules: strictRules, from: 'Organization' }],
      'dfpasolcuhm',
    ],
    [
      'with a merge queue',
      [{ rules: [{ type: 'merge_queue', parameters: { grouping_strategy: 'ALLGREEN' } }] }],
      'pum',
    ],
    ['that let nobody update the branch', [{ rules: [{ type: 'update' }] }], 'fpasolcuhm'],
    [
      'with required workflows',
      [{ rules: [{ type: 'workflows', parameters: { workflows: [{ path: 'ci.yml' }] } }] }],
      'c',
    ],
  ])('%s', (_name, rulesets, expected) => {
    expect(verdicts(branchFacts(rulesets))).toBe(expected);
  });
});

describe('a wide bypass', () => {
  const all = strictRules;
  it.each<[string, readonly Applied[], string]>([
    ['of everyone who can write disables a ruleset', [{ rules: all, bypass: [writers] }], ''],
    ['of maintainers disables it', [{ rules: all, bypass: [{ ...writers, actor_id: 2 }] }], ''],
    ['that asks for nothing disables it', [{ rules: all, bypass: [{ ...writers, bypass_mode: 'exempt' }] }], ''],
    [
      'in pull requests disables what is for merges',
      [{ rules: all, bypass: [{ ...writers, bypass_mode: 'pull_request' }] }],
      'dfpm',
    ],
    [
      'of one ruleset leaves the others',
      [
        { rules: all, bypass: [writers] },
        { rules: [deletion], from: 'Organization' },
      ],
      'dm',
    ],
  ])('%s', (_name, rulesets, expected) => {
    expect(verdicts(branchFacts(rulesets))).toBe(expected);
  });

  it('is named', () => {
    const facts = branchFacts([{ rules: [deletion], bypass: [writers], name: 'Open', from: 'Organization' }]);
    expect(effective('main', facts, { types: ['deletion'] })).toEqual({
      status: 'missing',
      discounted: [{ layer: 'ruleset “Open” of acme', reason: 'everyone with the role write may bypass it' }],
    });
  });
});

describe('what cannot be read', () => {
  const every = 'dfpasolcuhm';
  it.each<[string, ReturnType<typeof branchFacts>, string]>([
    [
      'is unknown for a ruleset with a hidden bypass list',
      branchFacts([{ rules: strictRules, bypass: 'hidden' }]),
      `?${every}`,
    ],
    [
      'is unknown for a ruleset that was not read',
      branchFacts([{ rules: strictRules, bypass: 'unread', from: 'Enterprise' }]),
      `?${every}`,
    ],
    [
      'does not matter where another ruleset requires it',
      branchFacts([{ rules: [deletion], bypass: 'hidden' }, { rules: [deletion] }]),
      'dm',
    ],
    [
      'decides whether administrators are protected from',
      branchFacts([
        { rules: [deletion], bypass: 'hidden' },
        { rules: [deletion], bypass: [organizationAdmins] },
      ]),
      'd?m',
    ],
    ['is unknown for classic protection', branchFacts([], 'hidden'), `?${every}`],
    ['does not matter for classic protection beside a ruleset', branchFacts([{ rules: strictRules }], 'hidden'), every],
    [
      'is unknown for a parameter that is left out',
      branchFacts([{ rules: [{ type: 'pull_request' }, { type: 'required_status_checks' }] }]),
      'pm?asolcu',
    ],
  ])('%s', (_name, facts, expected) => {
    expect(verdicts(facts)).toBe(expected);
  });

  it('is named', () => {
    const ask = (facts: ReturnType<typeof branchFacts>) => effective('main', facts, { types: ['deletion'] });
    expect(ask(branchFacts([{ rules: [deletion], bypass: 'hidden', name: 'Quiet' }]))).toEqual({
      status: 'unknown',
      missing:
        'who may bypass ruleset “Quiet” of acme/site cannot be read: only those who may change the ruleset see who may bypass it',
    });
    expect(ask(branchFacts([], 'hidden'))).toEqual({
      status: 'unknown',
      missing: 'classic branch protection cannot be read: GET /repos/acme/site/branches/main/protection returned 403',
    });
  });
});

it('rulesets and classic protection add up', () => {
  const ruleset = { rules: [deletion, pullRequests({ required_approving_review_count: 1 })] };
  expect(verdicts(branchFacts([ruleset], classic(tests(['unit'], true))))).toBe('dfpacu');
});
