import { expect, it } from 'vitest';
import { rulesetChecks } from '../../../../src/foresight/audit/checks/rulesets/index.ts';
import { loosened } from '../../../../src/foresight/audit/loosened.ts';
import type { Ruleset, RulesetVersionState } from '../../../../src/platform/records.ts';
import { oneTeam, pullRequests, statusChecks, writers } from '../branch-facts.ts';
import { describeChecks } from '../judged-check.ts';

const ruleset: Ruleset = {
  id: 9,
  name: 'Releases',
  source: 'acme',
  source_type: 'Organization',
  enforcement: 'active',
  bypass_actors: [oneTeam],
  conditions: { repository_name: { include: ['svc-*'], exclude: [] } },
};

const { bypass_actors: _, ...hidden } = ruleset;

const version = (time: string, state: object, id = 2): RulesetVersionState => ({
  version_id: id * 10,
  actor: { id, type: 'User' },
  updated_at: time,
  state: { enforcement: 'active', ...state },
});

const evaluated = { rulesets: [{ ...ruleset, enforcement: 'evaluate' }] };
const repositories = [{ id: 1, name: 'svc-one', full_name: 'acme/svc-one' }];
const ofRelease = (fields: object) => ({ organizations: ['acme'], rulesets: [{ name: 'Releases', ...fields }] });

describeChecks(rulesetChecks, {
  'ruleset-bypass-wide': {
    passes: { rulesets: [ruleset], bypassTeams: new Map([[7, { slug: 'release', members: 25 }]]) },
    fails: {
      rulesets: [{ ...ruleset, bypass_actors: [writers, oneTeam, { actor_id: 8, actor_type: 'Team' }] }],
      bypassTeams: new Map([
        [7, { slug: 'release', members: 2 }],
        [8, { slug: 'everyone', members: 26 }],
      ]),
    },
    says: ['Releases', 'Ruleset “Releases” can be bypassed by everyone in: role write, team everyone.'],
    fix: {
      command: `rulesets update acme 9 --bypass-actors ${JSON.stringify([oneTeam])}`,
      policy: ofRelease({ bypass_actors: [oneTeam] }),
    },
    lacks: [{ rulesets: [hidden] }, 'shown only to those who may change it'],
  },
  'ruleset-bypass-stale': {
    passes: {
      rulesets: [{ ...ruleset, bypass_actors: [oneTeam, { actor_id: 1, actor_type: 'OrganizationAdmin' }] }],
      bypassTeams: new Map([[7, { slug: 'release', members: 1 }]]),
      members: [{ id: 1, login: 'ada' }],
      installations: [{ app_id: 41, app_slug: 'deployer' }],
    },
    fails: {
      rulesets: [
        {
          ...ruleset,
          bypass_actors: [
            { actor_id: 5, actor_type: 'User' },
            { actor_id: 42, actor_type: 'Integration' },
            { actor_id: 41, actor_type: 'Integration' },
            { actor_id: 8, actor_type: 'Team' },
            oneTeam,
          ],
        },
      ],
      bypassTeams: new Map([
        [7, { slug: 'release', members: 0 }],
        [8, null],
      ]),
    },
    says: [
      'Releases',
      'Ruleset “Releases” can be bypassed by user 5 (not a member), app 42 (not installed), team 8 (does not exist), team release (no members).',
    ],
    fix: { policy: ofRelease({ bypass_actors: [{ actor_id: 41, actor_type: 'Integration' }] }) },
    lacks: [{ rulesets: [hidden] }, 'shown only to those who may change it'],
  },
  'ruleset-evaluate': {
    passes: {
      ...evaluated,
      rulesetVersions: new Map([[9, [version('2026-02-10T12:00:00Z', { enforcement: 'evaluate' })]]]),
    },
    fails: {
      rulesetVersions: new Map([
        [
          9,
          [
            version('2026-02-20T12:00:00Z', { enforcement: 'evaluate' }),
            version('2026-01-15T12:00:00Z', { enforcement: 'evaluate' }),
            version('2026-01-01T12:00:00Z', {}),
          ],
        ],
      ]),
    },
    says: ['Releases', 'Ruleset “Releases” has been in evaluate for 45 days, and protects nothing.'],
    fix: { command: 'rulesets update acme 9 --enforcement active', policy: ofRelease({ enforcement: 'active' }) },
    lacks: [{ rulesetVersions: new Map() }, 'does not show how long'],
  },
  'ruleset-selects-nothing': {
    passes: { rulesets: [ruleset], repositories },
    fails: { repositories: [{ id: 1, name: 'site', full_name: 'acme/site' }] },
    says: ['Releases', 'Ruleset “Releases” selects none of the 1 repositories.'],
    fix: { command: 'rulesets delete acme 9', policy: { absent: { rulesets: ['Releases'] } } },
    lacks: [
      {
        rulesets: [
          {
            ...ruleset,
            conditions: { repository_property: { include: [{ name: 'tier', property_values: ['gold'] }] } },
          },
        ],
      },
      'which repositories ruleset “Releases” selects is not known: propertyValues is no part of the test',
    ],
  },
  'ruleset-loosened': {
    passes: {
      rulesets: [ruleset],
      rulesetVersions: new Map([
        [
          9,
          [
            version('2026-02-21T12:00:00Z', { rules: [{ type: 'deletion' }] }),
            version('2026-02-20T12:00:00Z', { rules: [] }),
            version('2026-01-01T12:00:00Z', { rules: [{ type: 'deletion' }] }),
          ],
        ],
      ]),
      members: [{ id: 2, login: 'ben' }],
    },
    fails: {
      rulesetVersions: new Map([
        [
          9,
          [
            version('2026-02-20T12:00:00Z', { rules: [] }),
            version('2026-01-01T12:00:00Z', { rules: [{ type: 'deletion' }] }, 1),
          ],
        ],
      ]),
    },
    says: ['Releases', 'ben loosened ruleset “Releases”: rule deletion removed.'],
    fix: { hint: 'forgectl rulesets history acme 9 --version 10' },
  },
  'protection-removed': {
    passes: { loosenings: [{ action: 'protected_branch.destroy', created_at: Date.parse('2026-01-01T00:00:00Z') }] },
    fails: {
      loosenings: [
        {
          _document_id: 'x1',
          action: 'protected_branch.destroy',
          actor: 'ada',
          repo: 'acme/site',
          '@timestamp': Date.parse('2026-02-20T00:00:00Z'),
        },
      ],
    },
    says: [
      'protected_branch.destroy of acme/site at 2026-02-20T00:00:00.000Z',
      'ada removed protection of acme/site: protected_branch.destroy.',
    ],
    fix: { hint: 'Ask ada whether' },
  },
});

it.each([
  [{ enforcement: 'evaluate' }, 'enforcement active → evaluate'],
  [
    {
      rules: [
        pullRequests({ required_approving_review_count: 1, require_code_owner_review: true }),
        statusChecks(['unit'], true),
      ],
    },
    'required approvals 2 → 1',
  ],
  [
    { rules: [pullRequests({ required_approving_review_count: 2 }), statusChecks(['unit'], true)] },
    'require_code_owner_review turned off',
  ],
  [
    {
      rules: [
        pullRequests({ required_approving_review_count: 2, require_code_owner_review: true }),
        statusChecks([], true),
      ],
    },
    'status check “unit” no longer required',
  ],
  [{ bypass_actors: [writers] }, 'bypass by everyone with the role write allowed'],
  [{ bypass_actors: [oneTeam] }, 'bypass by Team 7 allowed'],
  [{ conditions: { ref_name: { include: [], exclude: [] } } }, '“~DEFAULT_BRANCH” no longer covered'],
  [{ conditions: { ref_name: { include: ['~ALL'], exclude: ['refs/heads/wip'] } } }, '“refs/heads/wip” excluded'],
])('a ruleset with %o instead is looser', (change, clause) => {
  const before = {
    enforcement: 'active',
    bypass_actors: [],
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
    rules: [
      pullRequests({ required_approving_review_count: 2, require_code_owner_review: true }),
      statusChecks(['unit'], true),
    ],
  };
  expect(loosened(before, { ...before, ...change })).toEqual([clause]);
  expect(loosened({ ...before, ...change }, before)).not.toContain(clause);
});
